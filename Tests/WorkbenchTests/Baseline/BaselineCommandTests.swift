import ScenarioFixtures
import Testing
import Verdict

@testable import Scenarios
@testable import Workbench

/// `simctl run --baseline` as a pipeline meets it.
@Suite(.serialized) struct BaselineCommandTests {
    private static let busy =
        #"{ "rate": "40/h", "from": "5m", "until": "50m", "action": "comment", "on": "team/app!1", "by": "@bob" }"#

    private func scenario(_ notifier: String = "{}") -> String {
        makeScenarioText(timeline: Self.busy).replacing(
            "\"timeline\":",
            with: "\"notifier\": \(notifier), \"timeline\":"
        )
    }

    private func simctl(_ arguments: String..., in folder: TestFolder) throws -> SimctlProcess.Result {
        try SimctlProcess.run(arguments, in: folder)
    }

    @Test func `a slower notifier fails against its baseline, the same one does not, five seeds prove nothing`() throws
    {
        let folder = try TestFolder()
        try folder.write(scenario(), to: "quick.json")
        try folder.write(scenario(#"{ "sweepInterval": "5m" }"#), to: "slow.json")
        _ = try simctl("run", "quick.json", "--seeds", "1..6", "-o", "base", in: folder)
        let same = try simctl(
            "run",
            "quick.json",
            "--seeds",
            "1..6",
            "-o",
            "same",
            "--baseline",
            "base/summary.json",
            in: folder
        )
        #expect(same.exitCode == .met, "\(same.errors)")
        #expect(same.output.contains("\nno worse than the baseline\nexit 0 (by itself: all requirements met)\n"))

        let slow = try simctl("run", "slow.json", "--seeds", "1..6", "-o", "slow", "--baseline", "base", in: folder)
        #expect(slow.exitCode == .failed)
        #expect(slow.output.contains("\nworse than the baseline: excess latency p50 by more than "))
        #expect(slow.output.contains("exit 1 (by itself: all requirements met)"))
        #expect(!slow.output.contains("exit 0"))

        let tolerant = try simctl(
            "run",
            "slow.json",
            "--seeds",
            "1..6",
            "-o",
            "slow",
            "--baseline",
            "base",
            "--tolerance",
            "5%,excessLatency.p50=10m,excessLatency.p95=10m",
            "--json",
            in: folder
        )
        #expect(tolerant.exitCode == .met, "\(tolerant.output)")
        #expect(tolerant.output.contains(#""baseline":{"baseline":"base","#))

        let few = try simctl(
            "run",
            "quick.json",
            "--seeds",
            "1..5",
            "-o",
            "few",
            "--baseline",
            "base",
            "--quiet",
            in: folder
        )
        #expect(few.exitCode == .insufficientEvidence)
        #expect(few.output.hasSuffix("too few seeds to compare with the baseline: 5 in both, and 6 are needed\n"))
    }

    @Test func `a baseline that is none stops everything before anything runs`() throws {
        let folder = try TestFolder()
        try folder.write(scenario(), to: "tiny.json")
        try folder.write(makeScenarioText(name: "other"), to: "other.json")
        try folder.write(makeScenarioText(duration: "2h"), to: "longer.json")
        for name in ["other", "longer", "tiny"] {
            _ = try simctl("run", "\(name).json", "--seeds", "1..2", "-o", name, in: folder)
        }
        let calls: [([String], ExitCode, String)] = [
            (["--baseline", "other"], .invalidInput, "different scenarios"),
            (["--baseline", "longer"], .invalidInput, "different versions of the scenario"),
            (["--baseline", "nowhere"], .invalidInput, "cannot be read"),
            (["--baseline", "tiny", "--seeds", "7..9"], .invalidInput, "no seed in common"),
            (["--tolerance", "5%"], .usage, "needs --baseline"),
            (["--baseline", "tiny", "--tolerance", "five"], .usage, "not a tolerance"),
            (["--baseline", "tiny", "--tolerance", "excessLatencyp95=5s"], .usage, "did you mean excessLatency.p95?"),
            (["--baseline", "tiny", "--tolerance", "5%,6%"], .usage, "says twice"),
            (["--baseline", "tiny", "--seeds", "1..2", "--shard", "1/2"], .usage, "exclude each other"),
            (["other.json", "--baseline", "tiny"], .usage, "several files"),
            (["--baseline", "tiny/summary.json", "--seeds", "1..2", "-o", "tiny"], .usage, "would be replaced"),
        ]
        let before = try folder.read("tiny/summary.json")
        for (arguments, code, words) in calls {
            let out = arguments.contains("-o") ? [] : ["-o", "new"]
            let result = try SimctlProcess.run(["run", "tiny.json"] + arguments + out, in: folder)
            #expect(result.exitCode == code, "\(arguments): \(result.errors)")
            #expect(result.errors.contains(words), "\(arguments): \(result.errors)")
            #expect(result.output == "")
        }
        #expect(!folder.names.contains("new"))
        #expect(try folder.read("tiny/summary.json") == before)
    }
}
