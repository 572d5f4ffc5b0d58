import Glibc
import ScenarioFixtures
import Testing
import Verdict

@testable import Scenarios
@testable import Workbench

/// `simctl run --shard` and `simctl merge` as a user meets them.
@Suite(.serialized) struct MergeCommandTests {
    /// The folder's files by name, without what depends on real time.
    private func files(_ name: String, in folder: TestFolder) throws -> [String: String] {
        var files: [String: String] = [:]
        for file in LiveReportPlace.entries(of: "\(folder.path)/\(name)") {
            let lines = try folder.read("\(name)/\(file)").split(separator: "\n", omittingEmptySubsequences: false)
            files[file] = lines.filter { !$0.contains("\"wallSeconds\"") && !$0.contains("\"eventsPerSecond\"") }
                .joined(separator: "\n")
        }
        return files
    }

    @discardableResult
    private func simctl(_ arguments: String..., in folder: TestFolder) throws -> SimctlProcess.Result {
        try SimctlProcess.run(arguments, in: folder)
    }

    @Test func `twenty shards merge to the bytes of one call`() throws {
        let folder = try TestFolder()
        try folder.write(makeBusyScenarioText(), to: "tiny.json")
        let whole = try simctl("run", "tiny.json", "--seeds", "1..20", "--jobs", "2", "--out", "whole", in: folder)
        #expect(whole.exitCode == .failed, "some seeds meet the gates and others do not: \(whole.output)")
        for number in 1...20 {
            let shard = try simctl(
                "run",
                "tiny.json",
                "--seeds",
                "1..20",
                "--shard",
                "\(number)/20",
                "--jobs",
                "1",
                "--out",
                "shards/\(number)",
                in: folder
            )
            #expect(shard.errors == "")
        }
        let names = (1...20).map { "shards/\($0 * 7 % 20 + 1)" }
        let merged = try SimctlProcess.run(["merge"] + names + ["-o", "merged"], in: folder)
        #expect(merged.errors == "")
        #expect(merged.exitCode == whole.exitCode)
        let (one, other) = (try files("whole", in: folder), try files("merged", in: folder))
        let expected = [
            "junit.xml", "ledger.jsonl", "metrics.txt", "report.html", "scenario.resolved.json", "seeds.jsonl",
            "summary.json", "summary.md", "timeline.json", "trace.jsonl",
        ]
        #expect(one.keys.sorted() == expected)
        #expect(other.keys.sorted() == expected)
        for name in expected { #expect(one[name] == other[name], "\(name)") }
        #expect(one["seeds.jsonl"]?.split(separator: "\n").count == 20)
        #expect(one["ledger.jsonl"]?.contains("\"cause\":\"device-away\"") == true)
    }

    @Test func `the seeds of a file lie in seeds jsonl in their order, however many workers ran`() throws {
        let folder = try TestFolder()
        try folder.write(makeBusyScenarioText(), to: "tiny.json")
        try simctl("run", "tiny.json", "--seeds", "1..6", "--jobs", "1", "--out", "a", in: folder)
        try simctl("run", "tiny.json", "--seeds", "1..6", "--jobs", "3", "--out", "b", in: folder)
        #expect(try files("a", in: folder) == files("b", in: folder))
    }

    @Test func `a shard says whose part it is and is judged by its own seeds`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        try simctl("run", "tiny.json", "--seeds", "1..4", "--shard", "2/2", in: folder)
        #expect(LiveReportPlace.entries(of: folder.path + "/reports") == ["latest", "tiny-seeds1-4-shard2-of-2"])
        let shard = try files("reports/latest", in: folder)
        #expect(shard["shard.json"]?.contains("\"shard\":{\"count\":2,\"number\":2}") == true)
        #expect(shard["summary.json"]?.contains("\"seeds\": [3, 4]") == true)
    }

    @Test func `more shards than seeds are refused before anything runs`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        let result = try simctl("run", "tiny.json", "--shard", "1/2", in: folder)
        #expect(result.exitCode == .usage)
        #expect(result.errors.contains("1 seed of tiny cannot be cut into 2 shards"))
        #expect(folder.names == ["tiny.json"])
    }

    @Test func `shards that do not make a whole leave everything as it was`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        for number in 1...2 {
            try simctl(
                "run",
                "tiny.json",
                "--seeds",
                "1..3",
                "--shard",
                "\(number)/3",
                "--out",
                "\(number)",
                in: folder
            )
        }
        try simctl("run", "tiny.json", "--out", "old", in: folder)
        let before = try files("old", in: folder)
        let missing = try simctl("merge", "1", "2", "-o", "old", in: folder)
        #expect(missing.exitCode == .invalidInput)
        #expect(missing.errors.contains("of 3 shards, number 3 is missing [shard-missing]"))
        #expect(missing.errors.contains("  hint: "))
        let noShard = try simctl("merge", "1", "old", "--json", in: folder)
        #expect(noShard.exitCode == .invalidInput)
        #expect(noShard.output.hasPrefix(#"{"error":{"code":"unreadable-report","hint":"name the folders"#))
        #expect(noShard.output.contains("cannot be read: there is none"))
        let over = try simctl("merge", "1", "2", "-o", "2/", in: folder)
        #expect(over.exitCode == .invalidInput)
        #expect(try files("old", in: folder) == before)
        #expect(folder.names == ["1", "2", "old", "tiny.json"])
    }

    @Test func `a shard is never replaced by the whole`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        try simctl("run", "tiny.json", "--seeds", "1..2", "--shard", "1/1", "--out", "only", in: folder)
        let refused = try simctl("merge", "only", "-o", "./only/", in: folder)
        #expect(refused.exitCode == .usage)
        #expect(refused.errors.contains("[out-not-a-report]"))
        #expect(LiveReportPlace.entries(of: folder.path + "/only").contains("shard.json"))
        #expect(try simctl("merge", "only", in: folder).exitCode == .met)
        #expect(LiveReportPlace.entries(of: folder.path + "/reports") == ["latest", "tiny-seeds1-2"])
    }

    @Test func `a run that crashed under every seed is merged, though there is none to tell`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        try simctl("run", "tiny.json", "--seeds", "1..2", "--shard", "1/1", "--out", "only", in: folder)
        var shard = try ShardFolder(manifestOf: "\(folder.path)/only")
        shard.crashes = (1...2).map { SeedCrash(seed: $0, message: "SIGILL", backtrace: "0 trap") }
        try shard.write(to: "\(folder.path)/only")
        let result = try simctl("merge", "only", "-o", "merged", in: folder)
        #expect(result.exitCode == .failed)
        let files = try files("merged", in: folder)
        #expect(files["trace.jsonl"] == nil && files["ledger.jsonl"] == "")
        #expect(files["seeds.jsonl"]?.split(separator: "\n").count { $0.contains("\"crash\":\"SIGILL\"") } == 2)
    }

    @Test func `a seed that gives another run than in its shard is not deterministic`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        try simctl("run", "tiny.json", "--seeds", "1..2", "--shard", "1/1", "--out", "only", in: folder)
        var shard = try ShardFolder(manifestOf: "\(folder.path)/only")
        try shard.readResults()
        shard.results[0].digest = "0123456789abcdef"
        try shard.write(to: "\(folder.path)/only")
        let result = try simctl("merge", "only", "-o", "merged", in: folder)
        #expect(result.exitCode == .notDeterministic)
        #expect(folder.names == ["only", "tiny.json"])
    }
}
