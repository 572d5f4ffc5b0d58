import Glibc
import ScenarioFixtures
import Testing
import Verdict

@testable import Scenarios
@testable import Workbench

/// `simctl sweep --grow` as a user meets it.
@Suite(.serialized) struct GrowCommandTests {
    private static let busy =
        #"{ "rate": "40/h", "from": "5m", "until": "50m", "action": "comment", "on": "team/app!1", "by": "@bob" }"#

    private func grow(_ arguments: String..., in folder: TestFolder) throws -> SimctlProcess.Result {
        try SimctlProcess.run(["sweep", "tiny.json", "--grow"] + arguments, in: folder)
    }

    @Test func `a search ends between what holds and what breaks, goes on where it was, and its world can be run`()
        throws
    {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(timeline: Self.busy), to: "tiny.json")
        let until = ["--until", "requests.gitlab <= 800", "--seeds", "1..2", "-o", "out"]
        let first = try SimctlProcess.run(["sweep", "tiny.json", "--grow", "people"] + until, in: folder)
        #expect(first.exitCode == .met, "\(first.output)\(first.errors)")
        #expect(first.output.contains("requests.gitlab <= 800 holds with "))
        let last = first.output.split(separator: "\n").last.map(String.init) ?? ""
        let command = last.split(separator: " ").map(String.init)
        #expect(command.prefix(2) == ["simctl", "run"])
        let again = try SimctlProcess.run(Array(command.dropFirst()) + ["--quiet"], in: folder)
        #expect(again.exitCode == .failed, "the world it stopped at breaks the requirement by itself: \(again.errors)")
        let second = try SimctlProcess.run(["sweep", "tiny.json", "--grow", "people"] + until + ["--json"], in: folder)
        #expect(second.output.contains("\"grow\":\"people\"") && second.errors.isEmpty)
        let text = try SimctlProcess.run(["sweep", "tiny.json", "--grow", "people"] + until, in: folder)
        #expect(text.output == first.output && !text.errors.contains("runs:"), "nothing runs twice: \(text.errors)")
        let other = try SimctlProcess.run(
            ["sweep", "tiny.json", "--grow", "people", "--until", "missed = 0", "--seeds", "1..2", "-o", "out"],
            in: folder
        )
        #expect(other.exitCode == .invalidInput && other.errors.contains("other requirements"))
    }

    @Test func `a file that breaks it already, and a time that is over, are said`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(timeline: Self.busy), to: "tiny.json")
        let broken = try grow("rate", "--until", "latency.max <= 1s", "--seeds", "1..1", "--quiet", in: folder)
        #expect(broken.exitCode == .failed)
        #expect(
            broken.output.hasPrefix("latency.max <= 1.0 s breaks with the file as it is")
                || broken.output.contains("as it is")
        )
        let capped = try grow(
            "rate",
            "--until",
            "missed = 0",
            "--seeds",
            "1..1",
            "--largest",
            "100",
            "-o",
            "c",
            in: folder
        )
        #expect(capped.exitCode == .met)
        #expect(capped.output.contains("--largest 100"), "\(capped.output)")
    }

    @Test func `bad axes, bounds, sizes and places run nothing`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        try LiveFolder.make("\(folder.path)/mine")
        try folder.write("mine", to: "mine/notes.txt")
        let calls: [([String], String)] = [
            (["teams"], "people, items, rate"),
            (["item"], "--grow items"),
            (["people", "--until", "latency.p59 <= 60s"], "latency.p5"),
            (["people", "--until", "latency.p95 <= soon"], "latency.p95"),
            (["people", "--largest", "0"], "--largest"),
            (["people", "--want", "latency.p95 <= 60s"], "--until says"),
            (["people", "--shard", "1/2"], "depends on"),
            (["people", "--vary", "notifier.perPage=20", "--vary", "notifier.perPage=50"], "one value"),
            (["people", "--vary", "notifier.sweepInterval=2h", "--until", "missed = 0"], "from 5s to 1h"),
            (["rate", "--until", "missed = 0"], "could make more of"),
            (["people", "--until", "missed = 0", "-o", "mine"], "notes.txt"),
        ]
        for (arguments, words) in calls {
            let result = try SimctlProcess.run(["sweep", "tiny.json", "--grow"] + arguments, in: folder)
            #expect(result.exitCode == .usage, "\(arguments): \(result.errors)")
            #expect(result.errors.contains(words), "\(arguments): \(result.errors)")
        }
        let alone = try SimctlProcess.run(["sweep", "tiny.json", "--until", "missed = 0"], in: folder)
        #expect(alone.exitCode == .usage && alone.errors.contains("goes with --grow"))
        #expect(folder.names == ["mine", "tiny.json"])
    }

    @Test func `interrupted, it tells what it knows`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(timeline: Self.busy), to: "tiny.json")
        let process = try SimctlProcess(
            [
                "sweep", "tiny.json", "--grow", "people", "--until", "missed = 0", "--seeds", "1..500", "--jobs", "1",
                "-o", "out",
            ],
            in: folder
        )
        _ = try process.busyWorkers(1)
        kill(process.process.identifier, SIGTERM)
        let result = process.finish()
        #expect(result.exitCode == .interrupted)
        #expect(result.output.contains("the search was cut short: interrupted"), "\(result.output)\(result.errors)")
        #expect(try folder.read("out/growth.json").contains("\"cutShort\": \"interrupted\""))
    }
}
