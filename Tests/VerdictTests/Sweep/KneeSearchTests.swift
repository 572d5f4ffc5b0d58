import Testing

@testable import Verdict

/// How a search finds the size at which requirements break.
struct KneeSearchTests {
    /// Runs a search against a rule; the sizes that were tried, in their order.
    private func sizes(
        _ search: inout KneeSearch,
        probe: (Int) -> Verdict,
        again: (Int) -> Verdict = { _ in .pass }
    ) -> [Int] {
        var sizes: [Int] = []
        while let step = search.next {
            switch step {
            case .probe(let size):
                sizes.append(size)
                search.take(probe(size), of: step)
            case .confirm(let size):
                sizes.append(-size)
                search.take(again(size), of: step)
            }
        }
        return sizes
    }

    @Test func `it doubles, halves by ratio, and runs both ends again`() {
        var search = KneeSearch(start: 10, ceiling: 640, step: 1)
        let sizes = sizes(&search, probe: { $0 <= 50 ? .pass : .fail }, again: { $0 <= 50 ? .pass : .fail })
        #expect(sizes == [10, 20, 40, 80, 56, 47, 51, 48, 49, -49, -51])
        #expect(search.outcome == .between(49, 51))
    }

    @Test func `neighbours are as near as it gets`() {
        var search = KneeSearch(start: 1, ceiling: 64, step: 1, confirms: false)
        #expect(sizes(&search, probe: { $0 <= 2 ? .pass : .fail }) == [1, 2, 4, 3])
        #expect(search.outcome == .between(2, 3))
    }

    @Test func `sizes are multiples of a team`() {
        var search = KneeSearch(start: 12, ceiling: 1_000, step: 12, confirms: false)
        let sizes = sizes(&search, probe: { $0 <= 100 ? .pass : .fail })
        #expect(sizes.allSatisfy { $0 % 12 == 0 } && search.outcome == .between(96, 108))
    }

    @Test func `the file itself may break, and nothing may`() {
        var broken = KneeSearch(start: 10, ceiling: 640, step: 1)
        #expect(sizes(&broken, probe: { _ in .fail }) == [10] && broken.outcome == .failsAsItIs)
        var sound = KneeSearch(start: 10, ceiling: 30, step: 1)
        #expect(sizes(&sound, probe: { _ in .pass }) == [10, 20, 30] && sound.outcome == .neverBroke(30))
    }

    @Test func `what is not proven ends the halving and is never called the end`() {
        var search = KneeSearch(start: 10, ceiling: 640, step: 1, confirms: false)
        let sizes = sizes(&search, probe: { $0 <= 20 ? .pass : $0 < 50 ? .insufficient : .fail })
        #expect(sizes == [10, 20, 40, 80])
        #expect(search.outcome == .between(20, 80))
        var open = KneeSearch(start: 10, ceiling: 20, step: 1)
        _ = self.sizes(&open, probe: { _ in .insufficient })
        #expect(open.outcome == .unproven(breaksAt: nil))
    }

    @Test func `an end that other seeds contradict gives way to its neighbour`() {
        var search = KneeSearch(start: 10, ceiling: 640, step: 1)
        _ = sizes(&search, probe: { $0 <= 50 ? .pass : .fail }, again: { _ in .fail })
        #expect(search.outcome == .between(48, 51))
        var upper = KneeSearch(start: 10, ceiling: 640, step: 1)
        _ = sizes(&upper, probe: { $0 <= 50 ? .pass : .fail })
        #expect(upper.outcome == .between(49, 56))
    }

    @Test func `it is cut short without losing what is known, and never goes on for ever`() {
        var search = KneeSearch(start: 10, ceiling: 640, step: 1)
        #expect(search.outcome == nil)
        for _ in 0..<3 { if let step = search.next { search.take(.pass, of: step) } }
        #expect(search.outcome == .neverBroke(40))
        var endless = KneeSearch(start: 1, ceiling: .max / 4, step: 1)
        #expect(sizes(&endless, probe: { _ in .pass }).count == KneeSearch.mostProbes)
    }

    @Test func `a size that holds above one that breaks is told`() {
        var search = KneeSearch(start: 10, ceiling: 640, step: 1)
        for (size, verdict) in [(10, Verdict.pass), (20, .fail), (40, .pass)] { search.take(verdict, of: .probe(size)) }
        #expect(search.holdsAboveBreak == [40])
    }
}
