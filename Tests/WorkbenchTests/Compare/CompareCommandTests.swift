import ScenarioFixtures
import Testing
import Verdict

@testable import Scenarios
@testable import Workbench

/// `simctl compare` as a user meets it.
@Suite(.serialized) struct CompareCommandTests {
    /// Comments at any time of an hour, so that how often the notifier looks decides how late they are told.
    private static let busy =
        #"{ "rate": "40/h", "from": "5m", "until": "50m", "action": "comment", "on": "team/app!1", "by": "@bob" }"#

    private func simctl(_ arguments: String..., in folder: TestFolder) throws -> SimctlProcess.Result {
        try SimctlProcess.run(arguments, in: folder)
    }

    @Test func `two settings are told apart, two equal builds are not`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(timeline: Self.busy), to: "tiny.json")
        let worse = try simctl(
            "compare",
            "tiny.json",
            "--set",
            "notifier.sweepInterval=5m",
            "--seeds",
            "1..8",
            "--reports",
            "out",
            "-o",
            "c.json",
            in: folder
        )
        #expect(worse.exitCode == .failed, "\(worse.errors)")
        #expect(worse.output.contains("\nworse: excess latency p50 +"))
        #expect(worse.output.contains("notifier.sweepInterval=5m"))
        #expect(LiveReportPlace.entries(of: folder.path + "/out") == ["a", "b", "b.json"])
        #expect(try folder.read("c.json").hasPrefix(ComparisonFile.beginning + "\"worse\""))

        let back = try simctl("compare", "out/b", "out/a/summary.json", "--json", in: folder)
        #expect(back.exitCode == .failed, "it asks more")
        #expect(back.output.hasPrefix(#"{"schemaVersion":1,"conclusion":"worse","#))
        #expect(back.output.contains(#""worse":["requests to GitLab +"#))
        #expect(back.output.contains(#""better":["excess latency p50 -"#))

        let executable = try SimctlProcess.executable()
        let same = try simctl(
            "compare",
            "tiny.json",
            "--with-simctl",
            executable,
            "--seeds",
            "1..8",
            "--reports",
            "same",
            "--quiet",
            in: folder
        )
        #expect(same.exitCode == .met, "\(same.errors)")
        #expect(same.output.hasPrefix("no difference seen in 8 seeds, and all ran alike to the last event"))
    }

    @Test func `few seeds are too few, and other scenarios are refused`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        try folder.write(makeScenarioText(duration: "2h"), to: "longer.json")
        try folder.write(makeScenarioText(name: "other"), to: "other.json")
        for (file, seeds) in [("tiny", "1..3"), ("longer", "1..3"), ("other", "1..3")] {
            _ = try simctl("run", "\(file).json", "--seeds", seeds, "--out", file, in: folder)
        }
        let few = try simctl("compare", "tiny", "tiny", in: folder)
        #expect(few.exitCode == .insufficientEvidence)
        #expect(few.output.contains("too few seeds: 3 in both reports, which ran alike"))
        for other in ["other", "longer"] {
            let refused = try simctl("compare", "tiny", other, in: folder)
            #expect(refused.exitCode == .invalidInput)
            #expect(refused.errors.contains("[not-comparable]") && refused.errors.contains("hint:"))
            #expect(refused.output == "")
        }
    }

    @Test func `what is no report, half of one, a damaged or a newer one is refused`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        _ = try simctl("run", "tiny.json", "--seeds", "1..2", "--out", "good", in: folder)
        let (summary, seeds) = (try folder.read("good/summary.json"), try folder.read("good/seeds.jsonl"))
        let lines = seeds.split(separator: "\n")
        let broken: [(String, String?, String?)] = [
            ("nothing", nil, nil), ("half", summary, nil), ("cut", summary, String(lines[0])),
            ("spoilt", summary, seeds.replacing("\"buckets\":[[", with: "\"buckets\":[[-")),
            ("newer", summary.replacing("\"schemaVersion\": 1", with: "\"schemaVersion\": 2"), seeds),
        ]
        for (name, summary, seeds) in broken {
            try LiveFolder.make("\(folder.path)/\(name)")
            if let summary { try folder.write(summary, to: "\(name)/summary.json") }
            if let seeds { try folder.write(seeds, to: "\(name)/seeds.jsonl") }
            let result = try simctl("compare", "good", name, in: folder)
            #expect(result.exitCode == .invalidInput, "\(name): \(result.output)")
            #expect(result.errors.contains("hint:"))
        }
        #expect(try simctl("compare", "good", "good", in: folder).exitCode == .insufficientEvidence)
    }

    @Test func `nothing of somebody else's is replaced, and bad settings run nothing`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        try folder.write("mine", to: "notes.txt")
        try LiveFolder.make("\(folder.path)/mine")
        try folder.write("mine", to: "mine/notes.txt")
        let calls: [([String], String)] = [
            (["--set", "notifier.sweepIntervall=30s"], "did you mean notifier.sweepInterval?"),
            (["--set", "notifier.sweepInterval=1s"], "from 5s to 1h"),
            (["--set", "sweepInterval=30s"], "not a setting"),
            (["--set", "notifier.perPage=20", "--set", "notifier.perPage=30"], "set twice"),
            (["--with-simctl", "nowhere/simctl"], "no program"),
            (["--set", "notifier.perPage=20", "--reports", "mine"], "notes.txt"),
            (["--set", "notifier.perPage=20", "-o", "notes.txt"], "would be replaced"),
            ([], "only under another build"),
            (["--set", "notifier.perPage=20", "--seeds", "1..10001"], "at most 10000"),
        ]
        for (arguments, words) in calls {
            let result = try SimctlProcess.run(["compare", "tiny.json"] + arguments, in: folder)
            #expect(result.exitCode == .usage, "\(arguments): \(result.errors)")
            #expect(result.errors.contains(words), "\(result.errors)")
        }
        #expect(folder.names == ["mine", "notes.txt", "tiny.json"])
        #expect(try folder.read("notes.txt") == "mine\n")
    }
}
