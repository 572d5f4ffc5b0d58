import Testing

@testable import Live

struct LaneWindowTests {
    @Test func `a lane begins with one exchange and adds one with each answer`() {
        var window = LaneWindow(limit: 4, connectionLimit: 2)
        var sizes = [window.size]
        for _ in 0..<5 {
            window.answered(isMultiplexed: true)
            sizes.append(window.size)
        }
        #expect(sizes == [1, 2, 3, 4, 4, 4])
    }

    @Test func `over HTTP/1.1 each connection carries one`() {
        var window = LaneWindow(limit: 20, connectionLimit: 4)
        for _ in 0..<9 { window.answered(isMultiplexed: false) }
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
        var window = makeGrown(to: 120)
        window.met(started: 100)
        #expect(window.size == 100)
        for _ in 1..<LaneWindow.probeInterval { window.answered(isMultiplexed: true) }
        #expect(window.size == 100)
        window.answered(isMultiplexed: true)
        #expect(window.size == 101, "one more than could start is tried")
    }

    @Test func `where none starts it is the connection that they wait for, and it begins with one again`() {
        var window = makeGrown(to: 20)
        window.met(started: 0)
        #expect(window.size == 1)
        window.answered(isMultiplexed: true)
        #expect(window.size == 2)
    }

    @Test func `a connection that was lost is replaced by one that carries one at a time, for longer each time`() {
        var window = makeGrown(to: 20)
        window.lostConnection()
        #expect(window.size == 1)
        #expect(answersUntilGrowth(of: &window) == LaneWindow.caution)
        window.lostConnection()
        #expect(answersUntilGrowth(of: &window) == 4 * LaneWindow.caution)
        for _ in 0..<16 * LaneWindow.caution { window.answered(isMultiplexed: true) }
        window.lostConnection()
        window.lostConnection()
        #expect(answersUntilGrowth(of: &window) == LaneWindow.caution, "long ago counts no more")
    }

    @Test func `a connection that has carried much may end without a reason to be careful`() {
        var window = makeGrown(to: 20)
        for _ in 0..<LaneWindow.ordinaryLife { window.answered(isMultiplexed: true) }
        window.lostConnection()
        #expect(window.size == 1)
        #expect(answersUntilGrowth(of: &window) == 1)
    }

    @Test func `after a while without an exchange a new connection is nothing to wonder about`() {
        var window = makeGrown(to: 20)
        window.forget()
        window.lostConnection()
        #expect(window.size == 1)
        #expect(answersUntilGrowth(of: &window) == 1)
    }

    private func makeGrown(to size: Int) -> LaneWindow {
        var window = LaneWindow(limit: 200, connectionLimit: 4)
        while window.size < size { window.answered(isMultiplexed: true) }
        return window
    }

    private func answersUntilGrowth(of window: inout LaneWindow) -> Int {
        let size = window.size
        var answers = 0
        while window.size == size {
            window.answered(isMultiplexed: true)
            answers += 1
        }
        return answers
    }
}
