import Platform
import Testing

@testable import Live

struct StreamWindowTests {
    private static let start = MonotonicInstant(nanoseconds: 0)

    private static func after(_ seconds: Int64) -> MonotonicInstant { start.advanced(by: .seconds(seconds)) }

    private func makeWindow(limit: Int = 20) -> StreamWindow {
        StreamWindow(limit: limit, silence: HTTP2Client.Silence(), openedAt: Self.start)
    }

    @Test func `a connection that has answered nothing gets one stream`() {
        var window = makeWindow()
        #expect(window.room(open: 0, allowed: 100) == 1)
        #expect(window.room(open: 1, allowed: 100) == 0)
        #expect(window.room(open: 0, allowed: 0) == 0, "the server says when")
        window.answered(isSuccess: true)
        #expect(window.room(open: 1, allowed: 100) == 19)
    }

    @Test(arguments: [(1_000, 20), (7, 7), (1, 1), (0, 0)])
    func `afterwards the server's limit counts, and ours`(allowed: Int, room: Int) {
        var window = makeWindow()
        window.answered(isSuccess: true)
        #expect(window.room(open: 0, allowed: allowed) == room)
        #expect(window.room(open: 10, allowed: allowed) == max(0, room - 10), "a limit that fell below what is open")
    }

    @Test func `who was turned down has not proven anything yet`() {
        var window = makeWindow()
        window.answered(isSuccess: false)
        #expect(window.room(open: 0, allowed: 100) == 1)
        window.answered(isSuccess: true)
        window.answered(isSuccess: false)
        #expect(window.room(open: 0, allowed: 100) == 20, "afterwards the server says how many")
    }

    @Test func `after a refusal one goes, and one more with each that is answered`() {
        var window = makeWindow()
        window.answered(isSuccess: true)
        window.refused()
        #expect(window.room(open: 3, allowed: 100) == 0)
        #expect(window.room(open: 0, allowed: 100) == 1)
        #expect(window.isProven, "what was answered before was answered")
        window.answered(isSuccess: false)
        #expect(window.room(open: 0, allowed: 100) == 1)
        window.answered(isSuccess: true)
        #expect(window.room(open: 0, allowed: 100) == 2)
        for _ in 0..<40 { window.answered(isSuccess: true) }
        #expect(window.room(open: 0, allowed: 100) == 20)
        window.refused()
        #expect(window.room(open: 0, allowed: 100) == 1, "anew with each refusal")
    }

    @Test func `a connection that was silent is asked before it gets a request`() {
        var window = makeWindow()
        window.answered(isSuccess: true)
        #expect(!window.mustAsk(at: Self.after(10)))
        #expect(window.mustAsk(at: Self.after(11)))
        window.asked(at: Self.after(11))
        #expect(window.room(open: 0, allowed: 100) == 0)
        window.heard(at: Self.after(12))
        #expect(window.room(open: 0, allowed: 100) == 20)
        #expect(!window.mustAsk(at: Self.after(22)))
    }

    @Test func `a connection that does not answer in time is dead`() {
        var window = makeWindow()
        window.asked(at: Self.after(20))
        window.asked(at: Self.after(24))
        #expect(!window.isDead(at: Self.after(24)))
        #expect(window.nextLook == Self.after(25), "the first question counts")
        #expect(window.isDead(at: Self.after(25)))
        window.heard(at: Self.after(25))
        #expect(!window.isDead(at: Self.after(60)))
    }

    @Test func `a connection that nobody uses is asked every hour`() {
        var window = makeWindow()
        #expect(window.nextLook == Self.after(3_600))
        #expect(!window.shouldAsk(at: Self.after(3_599)))
        #expect(window.shouldAsk(at: Self.after(3_600)))
        window.asked(at: Self.after(3_600))
        #expect(!window.shouldAsk(at: Self.after(3_604)))
        window.heard(at: Self.after(3_601))
        #expect(window.nextLook == Self.after(7_201))
    }
}
