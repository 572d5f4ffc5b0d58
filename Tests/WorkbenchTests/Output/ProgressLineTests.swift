import Platform
import Testing

@testable import Workbench

struct ProgressLineTests {
    @Test func `a run that ends within a second shows no progress`() {
        var line = ProgressLine(total: 3, start: instant(5_000))
        #expect(line.text(now: instant(5_999), done: 1, crashes: 0) == nil)
        #expect(!line.isShown)
    }

    @Test func `later a line replaces the one before it, five times a second`() {
        var line = ProgressLine(total: 3, start: instant(5_000))
        #expect(line.text(now: instant(6_000), done: 1, crashes: 0) == "\r\u{1B}[K1 of 3 seeds, 1 s")
        #expect(line.text(now: instant(6_199), done: 2, crashes: 0) == nil)
        #expect(line.text(now: instant(6_200), done: 2, crashes: 1) == "\r\u{1B}[K2 of 3 seeds, 1 crashed, 1 s")
        #expect(line.isShown)
    }

    private func instant(_ milliseconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: milliseconds * 1_000_000)
    }
}
