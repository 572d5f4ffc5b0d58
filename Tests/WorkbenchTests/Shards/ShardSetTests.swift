import Glibc
import ScenarioFixtures
import Testing

@testable import Harness
@testable import Scenarios
@testable import Verdict
@testable import Workbench

/// Shards that were run in this process, written, read and put together.
struct ShardSetTests {
    private let build = "3f2c9ab00000"

    private func makeManifest(_ number: Int = 1, of count: Int = 3, _ change: (inout ShardManifest) -> Void = { _ in })
        -> ShardManifest
    {
        var manifest = ShardManifest(
            build: build,
            name: "tiny",
            scenario: ScenarioSource(file: "tiny.json", text: makeScenarioText()),
            firstSeed: 1,
            lastSeed: 12,
            shard: Shard(number: number, count: count),
            exploresSchedules: false
        )
        change(&manifest)
        return manifest
    }

    private func makeSet(_ manifests: [ShardManifest]) throws -> ShardSet {
        let folders = manifests.enumerated().map { index, manifest in
            var folder = ShardFolder(manifest, results: [], crashes: [])
            folder.path = "folder\(index + 1)"
            return folder
        }
        return try ShardSet(folders, build: build)
    }

    private func error(_ manifests: [ShardManifest]) -> ProgramError? {
        #expect(throws: ProgramError.self) { try makeSet(manifests) }
    }

    // MARK: the same bytes

    /// Everything of a report that does not depend on real time.
    private func files(_ report: RunReport) throws -> [String] {
        let summary = SummaryFile.text(report).split(separator: "\n").filter {
            !$0.contains("\"wallSeconds\"") && !$0.contains("\"eventsPerSecond\"")
        }
        return [
            summary.joined(separator: "\n"), SeedLines(report).joined(separator: "\n"), try LedgerFile.text(report),
            JUnitFile.text(report), MarkdownFile.text(report), MetricsFile.text(report),
        ]
    }

    /// Run once for all tests.
    private static let busy = Result {
        let scenario = try ScenarioReader.read(Array(makeBusyScenarioText().utf8), file: "tiny.json")
        let results = try (UInt64(1)...11).map { seed in
            Assessment.assess(try ScenarioRun.perform(scenario.plan(seed: seed)).record)
        }
        return (scenario: scenario, results: results)
    }

    private func report(_ scenario: Scenario, _ results: [SeedResult], _ crashes: [SeedCrash]) -> RunReport {
        RunReport(scenario: scenario, results: results, crashes: crashes, build: build, scenarioPath: "tiny.json")
    }

    @Test(arguments: [1, 2, 5, 12])
    func `the report from shards is that of all seeds, byte for byte`(count: Int) throws {
        let text = makeBusyScenarioText()
        let (scenario, results) = try Self.busy.get()
        let crash = SeedCrash(seed: 12, message: "SIGILL", backtrace: "0 trap\n1 main")
        let whole = try files(report(scenario, results, [crash]))
        let folder = try TestFolder()
        var folders: [ShardFolder] = []
        for number in (1...count).reversed() {
            let manifest = makeManifest(number, of: count) { $0.scenario.text = text }
            let part = try #require(manifest.seeds)
            let own = results.filter { part.contains($0.seed) }
            let crashes = part.contains(12) ? [crash] : []
            mkdir("\(folder.path)/\(number)", 0o755)
            try ShardFolder(manifest, results: own.reversed(), crashes: crashes).write(to: "\(folder.path)/\(number)")
            folders.append(try ShardFolder(manifestOf: "\(folder.path)/\(number)"))
        }
        var set = try ShardSet(folders, build: build)
        try set.readResults()
        #expect(set.seeds == 1...12)
        let merged = report(scenario, set.shards.flatMap(\.results), set.shards.flatMap(\.crashes))
        #expect(try files(merged) == whole)
        #expect(merged.exitCode == .failed)
        #expect(try !LedgerFile.text(merged).isEmpty)
    }

    @Test func `another seed gives other bytes`() throws {
        let (scenario, results) = try Self.busy.get()
        let (one, other) = (
            try files(report(scenario, results, [])), try files(report(scenario, results.dropLast(), []))
        )
        #expect(zip(one, other).count { $0 != $1 } >= 5)
    }

    // MARK: what does not belong together

    @Test func `a missing shard is named`() {
        let one = error([makeManifest(1), makeManifest(3)])
        #expect(one?.code == .shardMissing && one?.code.exitCode == .invalidInput)
        #expect(one?.message == "of 3 shards, number 2 is missing")
        #expect(one?.hint == "simctl run … --shard 2/3, or name its folder too")
        #expect(error([makeManifest(20, of: 20)])?.message.hasSuffix("7, 8, 9, 10 and 9 more are missing") == true)
    }

    @Test func `a shard that is there twice is named with both folders`() {
        let found = error([makeManifest(1), makeManifest(2), makeManifest(3), makeManifest(2)])
        #expect(found?.code == .shardRepeated && found?.code.exitCode == .invalidInput)
        #expect(found?.message == "folder2 and folder4 are both shard 2 of 3")
    }

    @Test func `a shard of another build is named with both builds`() {
        let found = error([makeManifest(1), makeManifest(2) { $0.build = "0ther" }, makeManifest(3)])
        #expect(found?.code == .shardMismatch && found?.code.exitCode == .invalidInput)
        #expect(found?.message == "folder2 was run by build 0ther, and this simctl is build \(build)")
    }

    @Test func `a shard of another run is named with what differs`() {
        let changes: [(String, (inout ShardManifest) -> Void)] = [
            ("scenarios other and tiny", { $0.name = "other" }),
            ("another text", { $0.scenario.text += " " }),
            ("seeds 1..13 and 1..12", { $0.lastSeed = 13 }),
            ("4 shards by one and 3 by the other", { $0.shard.count = 4 }),
            ("--explore", { $0.exploresSchedules = true }),
            ("--metrics-every", { $0.metricsEveryMilliseconds = 30_000 }),
        ]
        for (words, change) in changes {
            let found = error([makeManifest(1), makeManifest(2), makeManifest(3, of: 3, change)])
            #expect(found?.code == .shardMismatch)
            #expect(found?.message.hasPrefix("folder3 and folder1 are not shards of one run: ") == true)
            #expect(found?.message.contains(words) == true, "\(found?.message ?? "")")
        }
    }

    @Test func `shards of files with different paths belong together`() throws {
        let moved = makeManifest(2, of: 2) { $0.scenario.file = "/elsewhere/tiny.json" }
        #expect(try makeSet([moved, makeManifest(1, of: 2)]).manifest.scenario.file == "tiny.json")
    }

    @Test func `results that surely have no room in memory are refused before they are read`() throws {
        try ShardSet.checkRoom(resultBytes: 23_000_000_000, available: 46_000_000_000)
        try ShardSet.checkRoom(resultBytes: 23_000_000_000, available: nil)
        let found = #expect(throws: ProgramError.self) {
            try ShardSet.checkRoom(resultBytes: 23_000_000_000, available: 45_900_000_000)
        }
        #expect(found?.code.rawValue == "too-little-memory" && found?.code.exitCode == .internalError)
        #expect(found?.message.contains("23.0 GB and take about 69.0 GB of memory, of which 45.9 GB are left") == true)
        #expect(LiveMemory.available(meminfo: Array("MemTotal: 9 kB\nMemAvailable:   2048 kB\n".utf8)) == 2_097_152)
        #expect(LiveMemory.available(meminfo: Array("MemTotal: 9 kB\n".utf8)) == nil)
        #expect(try #require(LiveMemory.availableBytes) > 1_000_000)
    }

    // MARK: folders that are no shards

    /// Writes a sound shard of the seeds 1 to 4, changes its files, and says what reading it comes to.
    private func read(_ name: String, _ change: (String) -> String?) throws -> ProgramError? {
        let folder = try TestFolder()
        let results = (1...4).map { SeedResult(seed: $0, digest: "d", steps: 1, simulatedMilliseconds: 1) }
        try ShardFolder(makeManifest(1), results: results, crashes: []).write(to: folder.path)
        let text = try folder.read(name)
        if let changed = change(text) {
            try LiveFile.write(text: changed, to: "\(folder.path)/\(name)")
        } else {
            unlink("\(folder.path)/\(name)")
        }
        do throws(ProgramError) {
            var shard = try ShardFolder(manifestOf: folder.path)
            try shard.readResults()
            return nil
        } catch {
            return error
        }
    }

    @Test func `a sound shard is read`() throws {
        #expect(try read(ShardManifest.fileName) { $0 } == nil)
        #expect(try read(ShardFolder.resultsName) { $0 } == nil)
    }

    @Test func `a folder without a manifest is no shard`() throws {
        let found = try read(ShardManifest.fileName) { _ in nil }
        #expect(found?.code == .unreadableReport && found?.code.exitCode == .invalidInput)
        #expect(found?.message.contains("is not a shard") == true)
    }

    @Test func `a newer format is told with both versions`() throws {
        let found = try read(ShardManifest.fileName) { _ in #"{"formatVersion":2,"anything":[]}"# }
        #expect(found?.code == .shardMismatch && found?.code.exitCode == .invalidInput)
        #expect(found?.message.contains("has version 2 of a shard's format, and this simctl reads version 1") == true)
    }

    @Test func `a damaged manifest is told`() throws {
        #expect(try read(ShardManifest.fileName) { String($0.dropLast(9)) }?.code == .unreadableReport)
        #expect(try read(ShardManifest.fileName) { _ in #"{"formatVersion":1}"# }?.code == .unreadableReport)
    }

    @Test(arguments: [
        ("\"number\":1", "\"number\":9"), ("\"count\":3", "\"count\":0"), ("\"lastSeed\":12", "\"lastSeed\":2"),
        ("\"lastSeed\":12", "\"lastSeed\":300001"), ("\"firstSeed\":1", "\"firstSeed\":13"),
        (
            "\"firstSeed\":1,\"formatVersion\":1,\"lastSeed\":12",
            "\"firstSeed\":18446744073709551600,\"formatVersion\":1,\"lastSeed\":18446744073709551615"
        ),
        ("\"lastSeed\":12", "\"lastSeed\":12,\"metricsEveryMilliseconds\":0"),
    ])
    func `a manifest that no command line can have asked for is told`(old: String, new: String) throws {
        let found = try read(ShardManifest.fileName) { text in
            let parts = text.split(separator: old, omittingEmptySubsequences: false)
            #expect(parts.count == 2, "\(text)")
            return parts.joined(separator: new)
        }
        #expect(found?.code == .unreadableReport)
    }

    @Test func `results of other seeds are told, though nothing in them is spoilt`() throws {
        let folder = try TestFolder()
        for seeds in [[1, 2, 3], [1, 2, 3, 5], [1, 2, 3, 4, 4]] as [[UInt64]] {
            let results = seeds.map { SeedResult(seed: $0, digest: "d", steps: 1, simulatedMilliseconds: 1) }
            try ShardFolder(makeManifest(1), results: results, crashes: []).write(to: folder.path)
            var shard = try ShardFolder(manifestOf: folder.path)
            let error = #expect(throws: ProgramError.self) { try shard.readResults() }
            #expect(error?.code == .unreadableReport)
        }
    }

    @Test func `results that are cut, doubled, missing or of other seeds are told`() throws {
        func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }
        let changes: [(String) -> String?] = [
            { String($0.dropLast(20)) },
            { lines($0).dropLast().joined(separator: "\n") + "\n" },
            { $0 + lines($0)[0] + "\n" },
            { $0.split(separator: "\"seed\":4").joined(separator: "\"seed\":5") },
            { $0.split(separator: "\"steps\":1,").joined(separator: "\"steps\":2,") },
            { $0 + "{}\n" },
            { _ in nil },
        ]
        for change in changes {
            let found = try read(ShardFolder.resultsName, change)
            #expect(found?.code == .unreadableReport)
            #expect(found?.message.hasSuffix("is damaged or only half a shard") == true)
            #expect(found?.hint == "run that shard again")
        }
    }
}

/// A scenario of a few hours with chance in it: what comes after the phone went off is missed, and only some seeds have that.
func makeBusyScenarioText() -> String {
    makeScenarioText(
        seed: 1,
        duration: "3h",
        timeline: """
            { "rate": "4/h", "from": "5m", "until": "2h30m", "action": "comment", "by": "@bob", "on": "team/app!1" },
            { "at": "1h", "for": "10m", "fault": "gitlab-outage", "mode": "502-text", "id": "short" },
            { "at": "2h15m", "action": "device-offline", "by": "@ann", "device": "phone" }
            """,
        expect: """
            { "delivery": ">= 90%", "confidence": "95%" }, { "excessLatency.max": "<= 50s" }, { "missed": "= 0" },
            { "latency.max": "<= 20m", "window": "after:short" }
            """
    )
}
