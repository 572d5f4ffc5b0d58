import Glibc
import ScenarioFixtures
import Testing
import Verdict

@testable import Scenarios
@testable import Workbench

/// `simctl sweep` as a user meets it.
@Suite(.serialized) struct SweepCommandTests {
    private static let busy =
        #"{ "rate": "40/h", "from": "5m", "until": "50m", "action": "comment", "on": "team/app!1", "by": "@bob" }"#

    private func sweep(_ arguments: String..., in folder: TestFolder) throws -> SimctlProcess.Result {
        try SimctlProcess.run(["sweep", "tiny.json", "--seeds", "1..10"] + arguments, in: folder)
    }

    private func inode(_ path: String) -> UInt64 {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_ino) : 0
    }

    @Test func `a sweep picks the cheapest that keeps the bound, and goes on where it was`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(timeline: Self.busy), to: "tiny.json")
        let first = try sweep("--vary", "notifier.sweepInterval=20s,1m", "-o", "out", in: folder)
        #expect(first.exitCode == .met, "\(first.errors)")
        #expect(first.output.contains("2 of 2 settings are on a front"))
        let kept = inode("\(folder.path)/out/sweepInterval=20s/summary.json")
        let more = try sweep(
            "--vary",
            "notifier.sweepInterval=20s,1m,5m",
            "--want",
            "excessLatency.p95 <= 90s",
            "-o",
            "out",
            in: folder
        )
        #expect(more.exitCode == .met, "\(more.output)")
        #expect(more.errors.contains("2 of 3 settings have their report already"))
        #expect(more.output.replacing("\n", with: " ").contains("excessLatency.p95 <= 90s: sweepInterval=1m"))
        #expect(kept != 0 && inode("\(folder.path)/out/sweepInterval=20s/summary.json") == kept)
        let picture = try folder.read("out/sweep.svg")
        #expect(picture.hasPrefix("<svg "))
        #expect(picture.contains("tiny: excessLatency.p95 against requests to GitLab</text>"))
        let none = try sweep(
            "--vary",
            "notifier.sweepInterval=20s,1m",
            "--want",
            "latency.max<=1s",
            "-o",
            "out",
            "--json",
            in: folder
        )
        #expect(none.exitCode == .failed)
        #expect(none.output.contains(#""sentence":"no setting keeps latency.max <= 1s""#))
        #expect(try folder.read("out/sweepInterval=5m.json").contains("\"sweepInterval\": \"5m\""))
    }

    @Test func `what was swept of another scenario is kept`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        _ = try sweep("--vary", "notifier.perPage=20", "-o", "out", in: folder)
        let before = try folder.read("out/perPage=20/summary.json")
        try folder.write(makeScenarioText(duration: "2h"), to: "tiny.json")
        let result = try sweep("--vary", "notifier.perPage=20,50", "-o", "out", in: folder)
        #expect(result.exitCode == .invalidInput)
        #expect(result.errors.contains("[not-comparable]") && result.errors.contains("--out DIR"))
        #expect(try folder.read("out/perPage=20/summary.json") == before)
        #expect(!LiveReportPlace.entries(of: folder.path + "/out").contains("perPage=50"))
    }

    @Test func `bad settings, bounds and places run nothing`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        try LiveFolder.make("\(folder.path)/mine")
        try folder.write("mine", to: "mine/notes.txt")
        let calls: [([String], String)] = [
            ([], "which settings"),
            (["--vary", "notifier.swepInterval=20s"], "did you mean notifier.sweepInterval?"),
            (["--vary", "notifier.sweepInterval=20s,2h"], "from 5s to 1h"),
            (["--vary", "notifier.sweepInterval=20s,,1m"], "empty value"),
            (["--vary", "notifier.perPage=20;50"], "commas stand between values: --vary notifier.perPage=20,50"),
            (["--vary", "notifier.perPage=20", "--want", "latency.p59 <= 60s"], "latency.p5"),
            (["--vary", "notifier.perPage=20", "--want", "missed <= 0"], "not a bound"),
            (["--vary", "notifier.perPage=20", "-o", "mine"], "notes.txt"),
        ]
        for (arguments, words) in calls {
            let result = try SimctlProcess.run(["sweep", "tiny.json"] + arguments, in: folder)
            #expect(result.exitCode == .usage, "\(arguments): \(result.errors)")
            #expect(result.errors.contains(words), "\(arguments): \(result.errors)")
        }
        let few = try SimctlProcess.run(
            ["sweep", "tiny.json", "--vary", "notifier.perPage=20", "--seeds", "1..9"],
            in: folder
        )
        #expect(few.exitCode == .usage)
        #expect(few.errors.contains("10 to 10000"))
        #expect(folder.names == ["mine", "tiny.json"])
    }
}
