import Glibc
import Testing

@testable import Scenarios
@testable import Verdict
@testable import Workbench

struct FuzzCommandTests {
    private static func outcome(cause: String) throws -> WorkerPool.Outcome {
        var result = SeedResult(seed: 3, digest: "", steps: 1, simulatedMilliseconds: 1)
        result.drainedAfterMilliseconds = 0
        result.causes = [CauseCount(code: cause, count: 1)]
        return .answer(try WorkerLine.encode(WorkerResponse.judged(result)))
    }

    private static func findings(_ world: DrawnWorld, cause: String) throws -> WorldFamily.Findings {
        var family = WorldFamily(world, relations: [])
        let findings = family.add(FuzzOutcome(try outcome(cause: cause)), of: 0)
        return try #require(findings)
    }

    @Test func `a miss without an excuse is a finding and ends with 1`() throws {
        var tally = FuzzTally()
        let world = try WorldGenerator.world(seed: 3)
        tally.add(try Self.findings(world, cause: "not-detected"), of: world)
        #expect(tally.exitCode == .failed)
        #expect(tally.text.contains("missed: not-detected   1 worlds: 3\n  simctl fuzz --seeds 3..3\n"))
    }

    @Test func `a miss with an excuse is none`() throws {
        var tally = FuzzTally()
        let world = try WorldGenerator.world(seed: 3)
        tally.add(try Self.findings(world, cause: "overwritten-in-mailbox"), of: world)
        #expect(tally.exitCode == .met)
        #expect(tally.flawed == 0)
    }

    @Test func `an answer that tells of a failure is an internal error`() throws {
        let line = try WorkerLine.encode(WorkerResponse.failed(message: "it broke"))
        #expect(FuzzCommand.flaws(in: .answer(line)) == [Flaw(.internalError, "it broke")])
    }

    @Test func `the same seeds give the same output for any number of workers`() throws {
        let folder = try TestFolder()
        let one = try SimctlProcess.run(["fuzz", "--seeds", "1..3", "--jobs", "1"], in: folder)
        let two = try SimctlProcess.run(["fuzz", "--seeds", "1..3", "--jobs", "2"], in: folder)
        #expect(one.output.hasPrefix("3 worlds, "))
        #expect(one.output == two.output)
        #expect(one.exitCode == two.exitCode)
    }

    @Test func `what was reached is told, and written beside the findings`() throws {
        let timeline = """
            {"at": "1h", "action": "comment", "by": "@bob", "on": "team/app!1"},
            {"at": "3h", "action": "close", "by": "@bob", "on": "team/app!1"},
            {"at": "59m", "fault": "power-loss", "downFor": "10s"},
            {"at": "2h", "fault": "crash", "downFor": "10s"}
            """
        let text = makeScenarioText(duration: "4h", timeline: timeline)
            .replacing("\"timeline\":", with: "\"notifier\": {\"sweepInterval\": \"1m\"}, \"timeline\":")
        let scenario = try ScenarioReader.read(Array(text.utf8), file: "made.json")
        let world = DrawnWorld(seed: 9, text: "", scenario: scenario, vocabulary: [], refused: 0)
        var coverage = FuzzCoverage()
        coverage.add(world, probes: ["baseline"])
        #expect(
            scenario.encounters
                == [
                    Encounter(entry: "action comment", fault: .powerLoss),
                    Encounter(entry: "setting sweepInterval", fault: .powerLoss),
                    Encounter(entry: "setting sweepInterval", fault: .crash),
                ]
        )
        let document = coverage.document
        #expect(document.contains("\n| power-loss | 1 |\n") && document.contains("\n| stall | 0 |\n"))
        #expect(document.contains("\n| close | 0 | all |\n"))
        #expect(document.contains("\n| baseline | 2 |"))
        #expect(document.hasSuffix("\nSeeds that together reach all of it: 9\n"))
        #expect(coverage.line.hasPrefix("pairs reached: action × fault 1 of "))
    }

    @Test func `the seed of a pair is the lowest that reached it, in any order`() throws {
        let worlds = try (1...6).map { try WorldGenerator.world(seed: UInt64($0)) }
        var (rising, falling) = (FuzzCoverage(), FuzzCoverage())
        for world in worlds { rising.add(world, probes: []) }
        for world in worlds.reversed() { falling.add(world, probes: []) }
        #expect(rising.document == falling.document)
    }

    @Test func `twins run beside their worlds, with the same output for any number of workers`() throws {
        let folder = try TestFolder()
        let fuzz = ["fuzz", "--seeds", "1..2", "--relations", "--jobs"]
        let one = try SimctlProcess.run(fuzz + ["1"], in: folder)
        let two = try SimctlProcess.run(fuzz + ["2"], in: folder)
        #expect(one.output.contains("\ntwins compared: detection 2 with "), "\(one.output)\(one.errors)")
        #expect(one.output == two.output)
        #expect(one.exitCode == two.exitCode)
    }

    @Test func `losses of power are counted where they strike`() throws {
        let folder = try TestFolder()
        let fuzz = ["fuzz", "--seeds", "1..2", "--power-losses"]
        let run = try SimctlProcess.run(fuzz, in: folder)
        #expect(run.output.contains("\ntwins compared: power-losses 2 with "), "\(run.output)\(run.errors)")
        let line = try #require(run.output.split(separator: "\n").first { $0.hasSuffix(" losses of power") })
        #expect(try #require(Int(line.prefix { $0 != " " })) >= 4)
    }

    @Test func `findings go into a folder that is made, and never into a file`() throws {
        let folder = try TestFolder()
        let made = try SimctlProcess.run(["fuzz", "--seeds", "1..1", "--out", "new/findings"], in: folder)
        #expect(made.output.hasPrefix("1 worlds, "))
        #expect(try folder.read("new/findings/coverage.md").hasPrefix("# What fuzzed worlds have reached\n"))
        try folder.write("", to: "taken")
        let refused = try SimctlProcess.run(["fuzz", "--seeds", "1..1", "--out", "taken"], in: folder)
        #expect(refused.exitCode == .usage)
    }

    @Test func `a time may stand for the seeds, or end them`() throws {
        let folder = try TestFolder()
        let ended = try SimctlProcess.run(["fuzz", "--for", "1s", "--seeds", "1..2", "--jobs", "1"], in: folder)
        #expect(ended.output.hasPrefix("2 worlds, "))
        guard case .fuzz(let arguments) = try Command(arguments: ["fuzz", "--for", "10m"]) else {
            Issue.record("another command")
            return
        }
        #expect(arguments.seeds == 1...100_000 && arguments.length == .seconds(600))
        for wrong in ["0s", "25h", "ten", "-1m"] {
            #expect(throws: ProgramError.self) { try Command(arguments: ["fuzz", "--for", wrong]) }
        }
    }

    /// What a worker is told until it has the first of many worlds to run.
    private static func bytesForFirstWorld() throws -> Int {
        let loads = try (0..<64).map { number in
            let family = WorldFamily(try WorldGenerator.world(seed: UInt64(number + 1)), relations: [])
            return WorkerRequest.load(scenario: number, source: family.members[0].scenario)
        }
        let requests = loads + [.judge(RunOrder(scenario: 0, seed: 1))]
        return try requests.reduce(0) { $0 + (try WorkerLine.encode($1).count) }
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `an interrupted one tells what it came to until then`(signal: Int32) throws {
        let folder = try TestFolder()
        let simctl = try SimctlProcess(["fuzz", "--seeds", "1..100000", "--jobs", "1", "--out", "found"], in: folder)
        let worker = try #require(try simctl.busyWorkers(1).first)
        // The second world is ordered once the first has been judged.
        try wait(for: simctl.process.identifier, toWriteMoreThan: Self.bytesForFirstWorld())
        kill(simctl.process.identifier, signal)
        let result = simctl.finish()
        #expect(result.exitCode == .interrupted)
        #expect(result.errors.contains("[interrupted]"))
        let lines = result.output.split(separator: "\n")
        #expect(lines.count >= 2 && lines[0].contains(" worlds, ") && lines[1].hasPrefix("pairs reached: "))
        #expect(lines[0].split(separator: " ").first.flatMap { Int($0) } ?? 0 >= 1)
        #expect(try folder.read("found/coverage.md").contains(lines[1]))
        #expect(kill(worker, 0) == -1 && errno == ESRCH)
    }

    @Test func `without seeds it says how to name them`() {
        #expect(throws: ProgramError.self) { try Command(arguments: ["fuzz"]) }
        #expect(throws: ProgramError.self) { try Command(arguments: ["fuzz", "--seeds", "5..1"]) }
    }
}
