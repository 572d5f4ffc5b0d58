import Platform
import Scenarios
import Testing

@testable import Verdict

/// What dominates what, and what to take.
struct SweepTests {
    /// Latency and requests of a setting, against those of the first.
    private func entry(
        _ name: String,
        shift: Int64,
        requests: Int,
        count: Int = 10,
        luck: Int64 = 0,
        gates: [ComparedSummary.Gate] = []
    ) -> Sweep.Entry {
        var seeds = MadeReports.seeds(count, shift: shift, luck: luck)
        for index in seeds.indices { seeds[index].requests += requests }
        return Sweep.Entry(settings: [name], report: MadeReports.make(seeds, gates: gates, path: "sweep/\(name)"))
    }

    private func sweep(_ entries: [Sweep.Entry], want: Int? = nil) throws -> Sweep {
        let figure = try #require(SweepFigure(.excessLatencyP95))
        let wants = try want.map { seconds in
            [try #require(SweepWant(figure, .seconds(seconds), text: "excessLatency.p95 <= \(seconds)s"))]
        }
        return try Sweep(keys: ["sweepInterval"], entries, wants: wants ?? [])
    }

    @Test func `quick and dear, slow and cheap are both on the front; slow and dear is dominated`() throws {
        let sweep = try sweep([
            entry("10s", shift: 0, requests: 2_000), entry("20s", shift: 5_000, requests: 1_000),
            entry("bad", shift: 6_000, requests: 1_500),
        ])
        for front in sweep.fronts { #expect(front.marks == [.onFront, .onFront, .dominated(by: 1)]) }
        #expect(sweep.exitCode == .met)
        #expect(sweep.recommended == nil)
        let text = SweepText.render(sweep, isQuiet: false)
        #expect(text.contains("<2 <2 <2"))
        #expect(text.contains("2 of 3 settings are on a front"))
    }

    @Test func `dominated by means alone is only perhaps`() throws {
        // Latencies of another luck and, seed by seed, as many requests more as less, but for one.
        var other = MadeReports.seeds(10)
        for index in other.indices { other[index].requests += index % 2 == 0 ? 40 : -38 }
        let sweep = try Sweep(
            keys: ["perPage"],
            [entry("20", shift: 0, requests: 0), Sweep.Entry(settings: ["50"], report: MadeReports.make(other))],
            wants: []
        )
        #expect(sweep.fronts[0].marks == [.onFront, .perhaps(by: 0)])
    }

    @Test func `equal settings are both on the front`() throws {
        let sweep = try sweep([entry("a", shift: 0, requests: 0), entry("b", shift: 0, requests: 0)])
        #expect(sweep.fronts[0].marks == [.onFront, .onFront])
    }

    @Test func `what fails a requirement is never on the front and never recommended`() throws {
        let failing = ComparedSummary.Gate(rule: "missed = 0", verdict: .fail)
        let sweep = try sweep(
            [entry("cheap", shift: 0, requests: -900, gates: [failing]), entry("dear", shift: 0, requests: 0)],
            want: 60
        )
        #expect(sweep.fronts[0].marks == [.infeasible, .onFront])
        #expect(sweep.recommended == 1)
        #expect(SweepText.render(sweep, isQuiet: false).contains("fails: missed = 0"))
        let all = try self.sweep([entry("cheap", shift: 0, requests: 0, gates: [failing])], want: 60)
        #expect(all.exitCode == .failed)
        #expect(all.sentence == "every setting fails a requirement of the scenario")
    }

    @Test func `the cheapest that is proven to keep the bound is recommended`() throws {
        let entries = [
            entry("10s", shift: 0, requests: 2_000), entry("20s", shift: 5_000, requests: 1_000),
            entry("90s", shift: 60_000, requests: 0),
        ]
        let kept = try sweep(entries, want: 60)
        #expect(kept.recommended == 1)
        #expect(kept.sentence.hasPrefix("recommended for excessLatency.p95 <= 60s: sweepInterval=20s"))
        #expect(kept.exitCode == .met)
        let broken = try sweep(entries, want: 10)
        #expect(broken.recommended == nil)
        #expect(broken.sentence == "no setting keeps excessLatency.p95 <= 10s")
        #expect(broken.exitCode == .failed)
    }

    /// All seeds together keep a minute; by themselves so many of ten do not.
    private func sweep(exceeding: Int, settings: Int) throws -> Sweep {
        var seeds = MadeReports.seeds(10)
        for seed in 0..<exceeding {
            for number in 0..<3 { seeds[seed].excess[number] += 80_000 }
        }
        let entries = (0..<settings).map { Sweep.Entry(settings: ["\($0)s"], report: MadeReports.make(seeds)) }
        return try sweep(entries, want: 60)
    }

    @Test func `a bound that is seen to be kept and not proven is too little evidence`() throws {
        let eight = try sweep(exceeding: 2, settings: 1)
        #expect(eight.standings == [.unproven])
        #expect(eight.exitCode == .insufficientEvidence)
        #expect(eight.sentence.hasPrefix("no setting is proven to keep excessLatency.p95 <= 60s; with more seeds"))
        #expect(eight.sentence.hasSuffix("perhaps: sweepInterval=0s"))
        #expect(try sweep(exceeding: 1, settings: 1).standings == [.kept])
    }

    @Test func `one of many settings is chosen, so that each needs more of a proof`() throws {
        #expect(try sweep(exceeding: 1, settings: 4).standings.allSatisfy { $0 == .kept })
        #expect(try sweep(exceeding: 1, settings: 5).standings.allSatisfy { $0 == .unproven })
        #expect(try sweep(exceeding: 0, settings: 51).standings.allSatisfy { $0 == .kept })
        #expect(try sweep(exceeding: 0, settings: 52).standings.allSatisfy { $0 == .unproven })
    }

    @Test func `settings that are not proven to ask more are named beside the recommended one`() throws {
        let sweep = try sweep(
            [
                entry("a", shift: 0, requests: 0), entry("b", shift: 0, requests: 0, luck: 2),
                entry("c", shift: 0, requests: 500),
            ],
            want: 60
        )
        let recommended = try #require(sweep.recommended)
        #expect(recommended < 2)
        #expect(sweep.asCheap == [1 - recommended])
    }

    @Test func `reports of other worlds do not make a sweep`() throws {
        let other = Sweep.Entry(
            settings: ["b"],
            report: MadeReports.make(MadeReports.seeds(10), scenario: "other")
        )
        #expect(throws: ComparisonError.differentScenarios("made", "other")) {
            try Sweep(keys: ["k"], [entry("a", shift: 0, requests: 0), other], wants: [])
        }
    }

    @Test func `every latency of gates can be wanted and nothing else`() {
        #expect(SweepFigure.metrics.count == 10)
        #expect(SweepFigure(.missed) == nil)
        #expect(SweepFigure.compared.count == 3)
    }
}
