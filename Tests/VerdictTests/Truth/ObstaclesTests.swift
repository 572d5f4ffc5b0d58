import Platform
import Testing

@testable import Verdict

struct ObstaclesTests {
    private func span(_ from: Int, _ until: Int) -> Span { Span(from: .nanoseconds(from), until: .nanoseconds(until)) }

    private func makeObstacles() -> Obstacles {
        Obstacles(
            [(.backoff, span(0, 100)), (.outage, span(20, 40)), (.outage, span(40, 50)), (.downtime, span(45, 60))],
            priority: [.outage, .downtime, .backoff]
        )
    }

    @Test func `overlapping spans go to the first owner and never overlap`() {
        let expected: [Obstacles.Segment] = [
            .init(from: 0, until: 20, owner: .backoff), .init(from: 20, until: 50, owner: .outage),
            .init(from: 50, until: 60, owner: .downtime), .init(from: 60, until: 100, owner: .backoff),
        ]
        #expect(makeObstacles().segments == expected)
    }

    @Test(arguments: [(0, 0), (20, 60), (49, 60), (60, 60), (200, 200)])
    func `the way is clear when the last obstacle in a row has ended`(from: Int64, clear: Int64) {
        #expect(makeObstacles().clear(from: from, ignoring: [.backoff]) == clear)
    }

    @Test(arguments: [(0, 20, 20), (0, 21, 61), (19, 2, 61), (30, 5, 65), (45, 10, 70), (60, 7, 67), (200, 1, 201)])
    func `time that somebody has does not count`(from: Int64, length: Int64, end: Int64) {
        #expect(makeObstacles().end(ofClear: length, from: from, ignoring: [.backoff]) == end)
    }

    @Test(arguments: [(0, 120), (10, 30), (55, 56), (100, 130), (-5, 5)])
    func `parts add up to the whole`(from: Int64, to: Int64) {
        var split = LatencySplit()
        makeObstacles().add(from: from, to: to, rest: .poll, into: &split)
        #expect(split.total == to - from)
    }

    @Test func `what nobody owns is left to the rest`() {
        var split = LatencySplit()
        makeObstacles().add(from: 10, to: 120, rest: .poll, into: &split)
        #expect(split[.backoff] == 50 && split[.outage] == 30 && split[.downtime] == 10 && split[.poll] == 20)
    }
}
