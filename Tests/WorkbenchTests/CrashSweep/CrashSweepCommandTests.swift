import JSON
import Scenarios
import Testing

@testable import Verdict
@testable import Workbench

struct CrashSweepCommandTests {
    /// One comment in twenty minutes; `more` are further entries of the timeline.
    private static func scenario(_ more: String = "") -> String {
        #"""
        {
          "name": "small", "description": "One comment.", "seed": 1, "duration": "20m", "start": "2026-03-02T07:00:00Z",
          "world": {
            "people": [
              { "username": "@ana", "name": "Ana", "notified": { "devices": [{ "name": "phone" }], "watches": ["team/app!1"] } },
              { "username": "@ben", "name": "Ben" }
            ],
            "projects": [
              {
                "path": "team/app",
                "members": [{ "username": "@ana", "role": "maintainer" }, { "username": "@ben", "role": "maintainer" }],
                "mergeRequests": [{ "iid": 1, "title": "Change", "author": "@ana" }]
              }
            ]
          },
          "timeline": [{ "at": "5m", "action": "comment", "by": "@ben", "on": "team/app!1" }\#(more)],
          "expect": [{ "missed": "= 0" }]
        }
        """#
    }

    @Test func `every step of a run is a crash, for any number of workers`() throws {
        let folder = try TestFolder()
        try folder.write(Self.scenario(), to: "small.json")
        let sweep = ["crash-sweep", "small.json", "--every", "4", "--jobs"]
        let one = try SimctlProcess.run(sweep + ["1"], in: folder)
        let two = try SimctlProcess.run(sweep + ["2"], in: folder)
        #expect(one.exitCode == .met)
        #expect(one.output == two.output)
        #expect(one.output.contains(" crashes, 0 with findings, 0 signatures\n"))
        // One push, and as many requests as answers.
        for step in ["before-commit", "after-commit", "before-poll", "after-poll-answer"] {
            #expect(one.output.contains("\n  \(step) "), "\(step)")
        }
        for step in ["before-push", "after-push", "after-push-answer"] {
            #expect(one.output.contains("\n  \(step) 1\n"), "\(step)")
        }
    }

    @Test func `a scenario may have crashes of its own, and a crash may be followed by another one`() throws {
        let folder = try TestFolder()
        try folder.write(
            Self.scenario(#", { "at": "4m", "fault": "crash-at-step", "step": "after-push", "downFor": "1m" }"#),
            to: "own.json"
        )
        let pairs = try SimctlProcess.run(["crash-sweep", "own.json", "--every", "40", "--then", "1"], in: folder)
        #expect(pairs.exitCode == .met, "\(pairs.output)\(pairs.errors)")
        // The one push is sent again after the scenario's own crash: two occasions for a first crash, and seven steps for each second one.
        #expect(pairs.output.contains("\n  after-push 7\n"), "\(pairs.output)")
        let one = try SimctlProcess.run(["crash-sweep", "own.json", "--at", "before-push:1+after-push:1"], in: folder)
        #expect(one.exitCode == .met && one.output.hasPrefix("1 crashes, 0 with findings"))
    }

    @Test func `a second crash strikes the process after the first, whatever starts there were before`() throws {
        let folder = try TestFolder()
        try folder.write(Self.scenario(#", { "at": "2m", "fault": "restart", "downFor": "5s" }"#), to: "started.json")
        // The one push follows the restart: counted from any start, the second crash would come before it, at the steps of the first.
        let pair = try SimctlProcess.run(
            ["crash-sweep", "started.json", "--at", "after-push:1+after-push:1"],
            in: folder
        )
        #expect(pair.exitCode == .met && !pair.output.contains("never came"), "\(pair.output)\(pair.errors)")
        let none = try SimctlProcess.run(
            ["crash-sweep", "started.json", "--at", "after-push:1+after-push-answer:90"],
            in: folder
        )
        #expect(none.exitCode == .insufficientEvidence, "\(none.output)\(none.errors)")
        #expect(none.output.contains("\n  1 second crashes never came\n"), "\(none.output)")
    }

    @Test func `a pair counts the starts of the process before it`() {
        let counts = StepCounts(
            all: ["after-push": 9],
            beforeStarts: [["before-poll": 4], ["after-push": 3], ["after-push": 7]]
        )
        let starts = [1, 3, 4, 7, 8].map { counts.starts(before: CrashPoint.Place(step: .afterPush, occurrence: $0)) }
        #expect(starts == [1, 1, 2, 2, 3])
        let pair = CrashPoint(
            step: .afterPush,
            occurrence: 4,
            then: CrashPoint.Place(step: .beforePoll, occurrence: 1)
        )
        let scenario = JSONValue.object([JSONMember("timeline", .array([]))])
        let text = pair.added(to: scenario, keeping: .all, startsBefore: 2).text(indented: false)
        #expect(text.contains(#""afterRestarts":3"#) || text.contains(#""afterRestarts": 3"#), "\(text)")
        #expect(pair.came(["swept-crash", "own", "swept-crash-after-it"]) && !pair.came(["swept-crash", "own"]))
    }

    @Test func `a sweep in which nobody dies proves nothing`() {
        #expect(CrashTally(file: "a.json", seed: 7, known: []).exitCode == .insufficientEvidence)
        var tally = CrashTally(file: "a.json", seed: 7, known: [])
        _ = tally.add([], at: CrashPoint(step: .afterPush, occurrence: 1), came: false)
        #expect(tally.exitCode == .insufficientEvidence)
        #expect(tally.text == "1 crashes, 0 with findings, 0 signatures\n  after-push 1\n  1 never came\n")
        _ = tally.add([], at: CrashPoint(step: .afterPush, occurrence: 2), came: true)
        #expect(tally.exitCode == .met)
    }

    @Test func `the power goes where the database writes, and nowhere else`() throws {
        let folder = try TestFolder()
        try folder.write(Self.scenario(), to: "small.json")
        let sweep = try SimctlProcess.run(["crash-sweep", "small.json", "--keeps", "torn", "--every", "9"], in: folder)
        #expect(sweep.exitCode == .met)
        let lines = sweep.output.split(separator: "\n")
        #expect(lines[0].hasSuffix(" losses of power, 0 with findings, 0 signatures"))
        #expect(lines.dropFirst().map { $0.split(separator: " ")[0] } == ["before-disk-write", "before-disk-sync"])
    }

    @Test(arguments: [
        ["--keeps", "much"], ["--then", "0"], ["--then", "101"], ["--at", "after-push:1", "--then", "1"],
    ])
    func `what no sweep can do is refused`(flags: [String]) {
        #expect(throws: ProgramError.self) { try Command(arguments: ["crash-sweep", "a.json"] + flags) }
    }

    @Test(arguments: [
        "after-push", "after-push:0", "after-push:-1", "after-push:1:2", "push:1", ":1", "after-push:+1",
        "after-push:1+", "+after-push:1", "after-push:1+after-push:2+after-push:3",
    ])
    func `what is no step with its number is refused`(text: String) {
        #expect(CrashPoint(text) == nil)
        #expect(throws: ProgramError.self) { try Command(arguments: ["crash-sweep", "a.json", "--at", text]) }
    }

    @Test func `a crash at a step that the run does not reach is refused`() throws {
        let folder = try TestFolder()
        try folder.write(Self.scenario(), to: "small.json")
        let often = try SimctlProcess.run(["crash-sweep", "small.json", "--at", "after-push:2"], in: folder)
        #expect(often.exitCode == .usage && often.output.isEmpty)
        #expect(often.errors.contains("the run reaches after-push once, not 2 times"), "\(often.errors)")
        #expect(often.errors.contains("--at after-push:1 is the last of them"))
        let command = try Command(arguments: ["crash-sweep", "a.json", "--at", "after-push:1"])
        guard case .crashSweep(let arguments) = command else {
            Issue.record("another command")
            return
        }
        let error = #expect(throws: ProgramError.self) { try arguments.checkThatItComes(["before-poll": 3]) }
        #expect(error?.message == "the run never reaches after-push" && error?.hint == "it reaches before-poll")
        try arguments.checkThatItComes(["after-push": 1])
    }

    @Test func `a finding is what the run without a crash does not have`() throws {
        let point = CrashPoint(step: .afterPush, occurrence: 12)
        #expect(CrashPoint(point.text) == point)
        var tally = CrashTally(file: "a.json", seed: 7, known: ["missed: not-detected"])
        #expect(tally.add(["missed: not-detected"], at: CrashPoint(step: .beforePoll, occurrence: 1)) == [])
        #expect(tally.exitCode == .met)
        #expect(tally.add(["missed: not-detected", "duplicate"], at: point) == ["duplicate"])
        #expect(tally.exitCode == .failed)
        #expect(
            tally.text == """
                2 crashes, 1 with findings, 1 signatures
                  before-poll 1
                  after-push 1
                found without a crash as well: missed: not-detected
                duplicate   1 crashes: after-push:12
                  simctl crash-sweep a.json --seed 7 --at after-push:12

                """
        )
    }

    @Test func `a pair and a loss of power are repeated by their text`() {
        let pair = CrashPoint(
            step: .afterPush,
            occurrence: 2,
            then: CrashPoint.Place(step: .beforeCommit, occurrence: 3)
        )
        #expect(pair.text == "after-push:2+before-commit:3" && CrashPoint(pair.text) == pair)
        #expect(pair > CrashPoint(step: .afterPush, occurrence: 2))
        var tally = CrashTally(file: "a.json", seed: 7, keeps: .torn, known: [])
        _ = tally.add(["duplicate"], at: pair)
        #expect(
            tally.text == """
                1 losses of power, 1 with findings, 1 signatures
                  after-push 1
                duplicate   1 losses of power: after-push:2+before-commit:3
                  simctl crash-sweep a.json --seed 7 --keeps torn --at after-push:2+before-commit:3

                """
        )
    }
}
