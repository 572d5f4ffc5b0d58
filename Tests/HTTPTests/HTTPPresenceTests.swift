import HTTP
import Testing

struct HTTPPresenceTests {
    /// Lets others run until it is cancelled, so many times at most; true when it was.
    private static func waitForCancellation() async -> Bool {
        for _ in 0..<100_000 {
            if Task.isCancelled { return true }
            await Task.yield()
        }
        return false
    }

    @Test func `work for who is gone is cancelled, whether they went before or meanwhile`() async {
        let gone = HTTPPresence()
        gone.leave()
        #expect(await gone.during { await Self.waitForCancellation() })
        let going = HTTPPresence()
        let wasCancelled = await going.during {
            going.leave()
            return await Self.waitForCancellation()
        }
        #expect(wasCancelled && going.isGone)
    }

    @Test func `work for who stays is done, and a departure behind it is heard by nobody`() async {
        let presence = HTTPPresence()
        #expect(await presence.during { Task.isCancelled ? 0 : 7 } == 7)
        presence.leave()
        presence.leave()
        #expect(presence.isGone)
    }
}
