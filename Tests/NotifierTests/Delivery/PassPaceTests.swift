import Platform
import Testing

@testable import Notifier

struct PassPaceTests {
    private let start = MonotonicInstant(nanoseconds: 1_000_000_000)

    @Test func `the first look waits for nobody`() {
        #expect(PassPace(concurrency: 20).pause(at: start, underWay: 20) == nil)
    }

    @Test(arguments: [(20, 10, false), (20, 11, true), (1, 0, false), (1, 1, true), (3, 1, false), (3, 2, true)])
    func `looks keep a distance while more than half of the pushes are under way`(
        _ concurrency: Int,
        _ underWay: Int,
        _ isPaced: Bool
    ) {
        var pace = PassPace(concurrency: concurrency)
        pace.begin(at: start)
        let end = start.advanced(by: PassPace.interval)
        #expect(pace.isCrowded(underWay) == isPaced)
        #expect(pace.pause(at: start, underWay: underWay) == (isPaced ? end : nil))
        #expect(pace.pause(at: end, underWay: underWay) == nil)
    }
}
