import Platform
import Testing

@testable import Workbench

/// How late the machine let a live world act.
struct LatenessTests {
    private func makeLateness(_ late: [(count: Int, milliseconds: Int64)], speed: Int64 = 60) -> Lateness {
        var lateness = Lateness(speed: speed)
        for (count, milliseconds) in late {
            for _ in 0..<count { lateness.add(.milliseconds(milliseconds)) }
        }
        return lateness
    }

    @Test func `counts in the story's time`() {
        let lateness = makeLateness([(990, 1), (9, 2), (1, 50)])
        #expect(lateness.p99 == .milliseconds(60))
        #expect(lateness.longest == .seconds(3))
        #expect(!lateness.isStrained)
    }

    @Test func `one of a hundred makes a strain, one of a thousand does not`() {
        #expect(makeLateness([(980, 0), (20, 17)]).isStrained)
        #expect(!makeLateness([(999, 0), (1, 17)]).isStrained)
        #expect(!makeLateness([(980, 0), (20, 17)], speed: 1).isStrained)
    }

    @Test func `several runs count as one`() {
        var lateness = makeLateness([(99, 0)])
        lateness.merge(makeLateness([(1, 20), (100, 30)]))
        #expect(lateness == makeLateness([(99, 0), (1, 20), (100, 30)]))
    }

    @Test func `nothing that happened was not late`() {
        #expect(makeLateness([]).p99 == .zero)
        #expect(makeLateness([]).longest == .zero)
    }

    @Test func `what is early is not late, and what takes for ever has a bound`() {
        #expect(makeLateness([(1, -5)]).longest == .zero)
        #expect(makeLateness([(1, 3_600_000)], speed: 1).longest == .seconds(60))
    }
}
