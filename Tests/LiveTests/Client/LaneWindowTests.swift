import Testing

@testable import Live

struct LaneWindowTests {
    @Test func `a lane begins with one exchange and doubles while all that it gives start`() {
        var window = LaneWindow(limit: 20, connectionLimit: 4)
        #expect(window.size == 1)
        window.filled()
        #expect(window.size == 1, "nothing has been answered yet")
        window.answered(isMultiplexed: true)
        var sizes = [window.size]
        for _ in 0..<5 {
            window.filled()
            sizes.append(window.size)
        }
        #expect(sizes == [2, 4, 8, 16, 20, 20])
    }

    @Test func `over HTTP/1.1 each connection carries one`() {
        var window = LaneWindow(limit: 20, connectionLimit: 4)
        window.answered(isMultiplexed: false)
        window.filled()
        #expect(window.size == 4)
    }

    @Test func `where nothing ever came back, others need not wait for their turn to fail`() {
        var window = LaneWindow(limit: 20, connectionLimit: 4)
        window.failed()
        #expect(window.size == 4)
        var multiplexed = LaneWindow(limit: 20, connectionLimit: 4)
        multiplexed.answered(isMultiplexed: true)
        multiplexed.failed()
        #expect(multiplexed.size == 2)
    }

    @Test func `what the server does not let start makes the window smaller until a while later`() {
        var window = LaneWindow(limit: 200, connectionLimit: 4)
        window.answered(isMultiplexed: true)
        for _ in 0..<7 { window.filled() }
        window.met(started: 100)
        #expect(window.size == 100)
        for _ in 1..<LaneWindow.probeInterval {
            window.filled()
            window.answered(isMultiplexed: true)
        }
        #expect(window.size == 100)
        window.answered(isMultiplexed: true)
        #expect(window.size == 101, "one more than could start is tried")
        window.filled()
        #expect(window.size == 200, "and all went")
    }

    @Test func `where none starts it is the connection that they wait for, and it begins with one again`() {
        var window = LaneWindow(limit: 200, connectionLimit: 4)
        window.answered(isMultiplexed: true)
        window.filled()
        window.met(started: 0)
        #expect(window.size == 1)
        window.answered(isMultiplexed: true)
        #expect(window.size == 2)
    }
}
