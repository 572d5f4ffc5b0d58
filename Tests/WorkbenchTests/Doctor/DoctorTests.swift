import ScenarioFixtures
import Testing
import Verdict

@testable import Workbench

struct DoctorTests {
    @Test func `two traces that are the same have no difference`() {
        #expect(TraceDifference.find(["a", "b"], ["a", "b"]) == nil)
        #expect(TraceDifference.find([String](), [String]()) == nil)
    }

    @Test func `the first differing event stands between five lines of context`() {
        let left = (1...20).map { "event \($0)" }
        var right = left
        right[11] = "another"
        let difference = TraceDifference.find(left, right)
        #expect(difference?.event == 12)
        let before = (7...11).map { "  event \($0)" }
        let after = (13...17).map { "  event \($0)" }
        #expect(difference?.left == before + ["> event 12"] + after)
        #expect(difference?.right == before + ["> another"] + after)
    }

    @Test func `a trace that ends early differs where it ends`() {
        let difference = TraceDifference.find(["a", "b"], ["a"])
        #expect(
            difference == TraceDifference(event: 2, left: ["  a", "> b"], right: ["  a", "> (the trace ends here)"])
        )
    }

    @Test func `equal digests in every process are a clean finding`() {
        var finding = makeFinding()
        for process in DoctorPlan.processes.indices {
            finding.take(makeDigests(process, digest: "d1"), process: process)
        }
        #expect(finding.exitCode == .met)
        #expect(finding.digest == "d1")
        #expect(finding.differences.isEmpty)
    }

    @Test(arguments: DoctorPlan.processes.indices)
    func `one other digest anywhere is not deterministic`(odd: Int) {
        var finding = makeFinding()
        for process in DoctorPlan.processes.indices {
            var digests = makeDigests(process, digest: "d1")
            if process == odd { digests[digests.count - 1].digest = "d2" }
            finding.take(digests, process: process)
        }
        #expect(finding.exitCode == .notDeterministic)
        #expect(finding.differences.map(\.process) == [odd])
        #expect(finding.differences.first?.found == "d2")
        #expect(finding.text.contains("NOT DETERMINISTIC"))
        #expect(finding.text.contains(DoctorPlan.processes[odd].circumstance))
    }

    @Test func `a job that left the queue breaks an invariant even when digests agree`() {
        var finding = makeFinding()
        var digests = makeDigests(0, digest: "d1")
        digests[0].strayJobs = ["a job ran on the global pool"]
        finding.take(digests, process: 0)
        #expect(finding.exitCode == .invariantBroken)
        #expect(finding.text.contains("a job ran on the global pool"))
    }

    @Test func `the plan runs a seed twice in one process, in two more, and after another`() {
        #expect(DoctorPlan.order(0, scenario: 0, seed: 7).seeds == [7, 7])
        #expect(DoctorPlan.order(3, scenario: 0, seed: 7).seeds == [8, 7])
        #expect(
            DoctorPlan.order(3, scenario: 0, seed: SeedSelection.maximumSeed).seeds.first == SeedSelection.maximumSeed
                - 1
        )
        #expect(Set(DoctorPlan.processes.map(\.environment)).count == 3)
        for text in [\DoctorPlan.Environment.zone, \.language, \.home] {
            #expect(Set(DoctorPlan.environments.map { $0[keyPath: text] }).count == 3)
        }
    }

    @Test func `the real program finds a sound scenario sound`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        let result = try SimctlProcess.run(["doctor", "tiny.json"], in: folder)
        #expect(result.exitCode == .met, "\(result.output)\(result.errors)")
        #expect(result.output.hasPrefix("tiny  deterministic"))
    }

    @Test func `without scenarios there is nothing to prove`() throws {
        let result = try SimctlProcess.run(["doctor"], in: try TestFolder())
        #expect(result.exitCode == .invalidInput)
        #expect(result.errors.contains("[no-scenarios]"))
    }

    private func makeFinding() -> DoctorFinding {
        DoctorFinding(file: "f.json", name: "f", seed: 7)
    }

    private func makeDigests(_ process: Int, digest: String) -> [RunDigest] {
        DoctorPlan.order(process, scenario: 0, seed: 7).seeds.map { seed in
            RunDigest(seed: seed, digest: seed == 7 ? digest : "other", strayJobs: [])
        }
    }
}
