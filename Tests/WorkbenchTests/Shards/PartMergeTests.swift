import Glibc
import JSON
import ScenarioFixtures
import Testing
import Verdict

@testable import Scenarios
@testable import Workbench

/// Parts of a fuzzing and of a sweep, run as processes and merged.
@Suite(.serialized) struct PartMergeTests {
    private func simctl(_ arguments: [String], in folder: TestFolder) throws -> SimctlProcess.Result {
        try SimctlProcess.run(arguments, in: folder)
    }

    @Test func `twenty parts of a fuzzing tell what one call tells`() throws {
        let folder = try TestFolder()
        let call = ["fuzz", "--seeds", "1..20"]
        let whole = try simctl(call + ["--out", "whole"], in: folder)
        for number in 1...20 {
            let part = try simctl(call + ["--shard", "\(number)/20", "--jobs", "1", "--out", "p\(number)"], in: folder)
            #expect(part.errors == "" && part.output.hasPrefix("1 worlds, "), "\(part.errors)")
        }
        let names = (1...20).map { "p\($0 * 7 % 20 + 1)" }
        let merged = try simctl(["merge"] + names + ["-o", "merged"], in: folder)
        #expect(merged.output == whole.output && merged.exitCode == whole.exitCode, "\(merged.errors)")
        let files = LiveReportPlace.entries(of: "\(folder.path)/whole")
        #expect(LiveReportPlace.entries(of: "\(folder.path)/merged") == files && files.contains("coverage.md"))
        for file in files { #expect(try folder.read("merged/\(file)") == folder.read("whole/\(file)"), "\(file)") }

        let missing = try simctl(["merge"] + names.dropLast(2) + ["-o", "new"], in: folder)
        #expect(missing.exitCode == .invalidInput && missing.errors.contains("are missing [shard-missing]"))
        let twice = try simctl(["merge"] + names + [names[3], "-o", "new"], in: folder)
        #expect(twice.exitCode == .invalidInput && twice.errors.contains("are both shard"))
        let over = try simctl(["merge"] + names + ["-o", names[0]], in: folder)
        #expect(over.exitCode == .usage && over.errors.contains("is one of the shards"))
        let line = try folder.read("p3/fuzz-results.jsonl")
        try folder.write(
            line.replacing("\"seed\":3", with: "\"seed\":4").trimmingLastNewline,
            to: "p3/fuzz-results.jsonl"
        )
        let spoilt = try simctl(["merge"] + names + ["-o", "new"], in: folder)
        #expect(spoilt.exitCode == .invalidInput && spoilt.errors.contains("p3 is damaged"), "\(spoilt.errors)")
        #expect(!folder.names.contains("new"))
    }

    @Test func `findings of parts are written once more, as one call writes them`() throws {
        var part = FuzzPart()
        let world = try WorldGenerator.world(seed: 3)
        let flaws = [Flaw(.missed, "not-detected", detail: "who"), Flaw(.crash, "SIGTRAP")]
        part.add(WorldFamily.Findings(flaws: flaws, probes: ["baseline"], compared: [.detection: 4]), of: world.seed)
        let folder = try TestFolder()
        let manifest = FuzzPartManifest(
            build: LiveBuild.identification(of: try SimctlProcess.executable()),
            firstSeed: 3,
            lastSeed: 3,
            shard: Shard(number: 1, count: 1),
            relations: ["detection"]
        )
        try LiveFolder.make("\(folder.path)/p")
        try part.write(manifest, to: "\(folder.path)/p")
        let read = try FuzzPart(FuzzPartManifest.read(in: "\(folder.path)/p"), in: "\(folder.path)/p")
        #expect(read.lines == part.lines && read.lines[0].findings?.flaws == flaws)
        let merged = try simctl(["merge", "p", "-o", "out"], in: folder)
        #expect(merged.exitCode == .failed, "\(merged.errors)")
        #expect(merged.output.contains("missed: not-detected   1 worlds: 3\n  simctl fuzz --seeds 3..3\n  who\n"))
        #expect(try folder.read("out/fuzz-3.json") == world.text)
    }

    @Test func `parts of a sweep give the table of one call`() throws {
        let folder = try TestFolder()
        let busy =
            #"{ "rate": "40/h", "from": "5m", "until": "50m", "action": "comment", "on": "team/app!1", "by": "@bob" }"#
        try folder.write(makeScenarioText(timeline: busy), to: "tiny.json")
        let call = [
            "sweep", "tiny.json", "--vary", "notifier.sweepInterval=20s,40s,1m", "--want", "excessLatency.p95<=50s",
        ]
        let whole = try simctl(call + ["-o", "one"], in: folder)
        for number in 1...3 {
            let part = try simctl(call + ["--shard", "\(number)/3", "-o", "s\(number)"], in: folder)
            #expect(part.exitCode == .met && part.output == "shard \(number) of 3: 1 of 3 settings\n", "\(part.errors)")
        }
        let told = try simctl(call + ["--shard", "2/3", "-o", "s2", "--json"], in: folder)
        var reader = JSONReader(bytes: Array(told.output.utf8))
        let members: [(String, JSONValue)] = [
            ("shard", .integer(2)), ("shards", .integer(3)), ("settings", .integer(1)), ("settingsInAll", .integer(3)),
            ("reports", .strings(["s2/sweepInterval=40s"])),
        ]
        let part = try reader.read().value
        for (name, value) in members { #expect(part[name] == value, "\(told.output)") }
        #expect(told.exitCode == .met)
        let merged = try simctl(["merge", "s3", "s1", "s2", "-o", "two"], in: folder)
        #expect(merged.output == whole.output && merged.exitCode == whole.exitCode, "\(merged.errors)")
        let table = try folder.read("one/sweep.json")
        #expect(try folder.read("two/sweep.json").replacing("\"two/", with: "\"one/") == table)
        let again = try simctl(["merge", "s3", "s1", "s2", "-o", "two", "--json"], in: folder)
        #expect(again.exitCode == whole.exitCode && again.output.contains("\"sentence\""))

        let missing = try simctl(["merge", "s1", "s3", "-o", "new"], in: folder)
        #expect(missing.exitCode == .invalidInput && missing.errors.contains("number 2 is missing"))
        _ = try simctl(["run", "tiny.json", "--seeds", "1..2", "--shard", "2/2", "--out", "run"], in: folder)
        let foreign = try simctl(["merge", "s1", "run", "s3", "-o", "new"], in: folder)
        #expect(foreign.exitCode == .invalidInput && foreign.errors.contains("run is not a shard"))
        let summary = try folder.read("s2/sweepInterval=40s/summary.json")
        try folder.write(
            summary.replacing("\"events\": ", with: "\"events\": 1"),
            to: "s2/sweepInterval=40s/summary.json"
        )
        let spoilt = try simctl(["merge", "s1", "s2", "s3", "-o", "new"], in: folder)
        #expect(spoilt.exitCode == .invalidInput && spoilt.errors.contains("s2 is damaged"), "\(spoilt.errors)")
        #expect(!folder.names.contains("new"))
    }

    @Test func `too many parts, and parts without an end or a place, run nothing`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        let calls: [([String], String)] = [
            (["fuzz", "--seeds", "1..2", "--shard", "1/3", "--out", "a"], "2 seeds cannot be cut into 3 shards"),
            (["fuzz", "--seeds", "1..2", "--shard", "1/2"], "needs a folder"),
            (["fuzz", "--for", "10s", "--shard", "1/2", "--out", "a"], "exclude each other"),
            (["fuzz", "--seeds", "1..2", "--shard", "3/2", "--out", "a"], "numbered from 1"),
            (["sweep", "tiny.json", "--vary", "notifier.perPage=20", "--shard", "1/2"], "1 combination cannot be cut"),
        ]
        for (arguments, words) in calls {
            let result = try simctl(arguments, in: folder)
            #expect(result.exitCode == .usage && result.errors.contains(words), "\(arguments): \(result.errors)")
        }
        #expect(folder.names == ["tiny.json"])
    }
}

extension String {
    fileprivate var trimmingLastNewline: String { hasSuffix("\n") ? String(dropLast()) : self }
}
