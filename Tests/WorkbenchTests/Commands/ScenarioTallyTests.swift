import Testing

@testable import Verdict
@testable import Workbench

struct ScenarioTallyTests {
    @Test func `a scenario is complete when every seed is in, whatever became of it`() {
        var tally = ScenarioTally(seeds: 1...3)
        tally.add(makeResult(3, digest: "three"))
        tally.add(SeedCrash(seed: 1, message: "SIGILL", backtrace: ""))
        #expect(!tally.isComplete)
        #expect(tally.failure == nil)
        tally.lose(ProgramError(.workerFailed, "no disk"))
        #expect(tally.isComplete)
        #expect(tally.received == 3)
        #expect(tally.digest(of: 3) == "three")
        #expect(tally.digest(of: 1) == nil)
    }

    @Test func `the first reason for having no report stays`() {
        var tally = ScenarioTally(seeds: 1...2)
        tally.lose(ProgramError(.workerFailed, "first"))
        tally.fail(ProgramError(.notDeterministic, "second"))
        #expect(tally.failure?.message == "first")
    }

    private func makeResult(_ seed: UInt64, digest: String) -> SeedResult {
        SeedResult(seed: seed, digest: digest, steps: 1, simulatedMilliseconds: 1)
    }
}
