import Platform
import Synchronization
import Testing

/// The tests' clock. Tasks run on an executor that the test drains, so that their order is the clock's doing and nobody else's.
@Suite(.timeLimit(.minutes(1)))
struct ManualTimeTests {
    private let time = ManualTime()
    private let tasks = DeliveryWorld()
    private let woken = Woken()

    /// Who woke, in order.
    private final class Woken: Sendable {
        private let state = Mutex<[String]>([])
        var names: [String] { state.withLock { $0 } }
        func add(_ name: String) { state.withLock { $0.append(name) } }
    }

    /// A task that sleeps and then says so. Whoever does not cancel it lets it wake.
    @discardableResult
    private func sleep(_ name: String, for duration: Duration) -> Task<Void, any Error> {
        tasks.start { [time, woken] in
            do {
                try await time.sleep(for: duration)
                woken.add(name)
            } catch {
                woken.add("\(name) was cancelled")
            }
        }
    }

    private func advance(by duration: Duration) {
        time.advance(by: duration)
        tasks.drain()
    }

    @Test func `a sleep that is awaited is registered before the clock moves on`() async throws {
        // Nobody cancels it: it ends once it has slept.
        let sleeper = Task { [time] in try await time.sleep(for: .seconds(5)) }
        await time.sleepers(1)
        #expect(time.sleeperCount == 1)
        #expect(time.nextWake == time.monotonicNow.advanced(by: .seconds(5)))
        time.advance(by: .seconds(5))
        try await sleeper.value
        #expect(time.sleeperCount == 0)
        #expect(time.nextWake == nil)
    }

    @Test func `who awaits two sleeps goes on with the second`() {
        // Nobody cancels it: it ends once it has slept.
        tasks.start { [time, woken] in
            await time.sleepers(2)
            woken.add("both sleep")
        }
        sleep("a", for: .seconds(1))
        tasks.drain()
        #expect(woken.names == [])
        sleep("b", for: .seconds(1))
        tasks.drain()
        #expect(woken.names == ["both sleep"])
        advance(by: .seconds(1))
        #expect(woken.names == ["both sleep", "a", "b"])
    }

    @Test func `nobody wakes before their instant`() {
        sleep("a", for: .seconds(2))
        tasks.drain()
        advance(by: .nanoseconds(1_999_999_999))
        #expect(woken.names == [])
        advance(by: .nanoseconds(1))
        #expect(woken.names == ["a"])
    }

    @Test func `sleepers wake by their instants, and those of one instant as they went to sleep`() {
        for (name, seconds) in [("c", 3), ("a", 1), ("d", 3), ("b", 1), ("e", 3)] {
            sleep(name, for: .seconds(seconds))
        }
        tasks.drain()
        advance(by: .seconds(10))
        #expect(woken.names == ["a", "b", "c", "d", "e"])
    }

    @Test func `an instant that has come needs no sleep`() {
        sleep("a", for: .zero)
        tasks.drain()
        #expect(woken.names == ["a"])
        #expect(time.sleeperCount == 0)
    }

    @Test func `a cancelled sleep ends at once, and the others go on`() {
        let cancelled = sleep("a", for: .seconds(1))
        sleep("b", for: .seconds(1))
        tasks.drain()
        cancelled.cancel()
        tasks.drain()
        #expect(woken.names == ["a was cancelled"])
        #expect(time.sleeperCount == 1)
        advance(by: .seconds(1))
        #expect(woken.names == ["a was cancelled", "b"])
    }

    @Test func `who is cancelled before the sleep does not sleep`() {
        sleep("a", for: .seconds(1)).cancel()
        tasks.drain()
        #expect(woken.names == ["a was cancelled"])
        #expect(time.sleeperCount == 0)
    }

    @Test func `the calendar jumps without waking anybody, and goes with the clock`() {
        sleep("a", for: .seconds(1))
        tasks.drain()
        let before = time.wallNow
        time.stepWall(by: .hours(-3))
        tasks.drain()
        #expect(woken.names == [])
        advance(by: .seconds(1))
        #expect(woken.names == ["a"])
        #expect(time.wallNow == before.advanced(by: .seconds(1) - .hours(3)))
    }

    @Test func `to the next wake is no further than to the first sleeper`() async {
        sleep("b", for: .seconds(7))
        sleep("a", for: .seconds(4))
        tasks.drain()
        #expect(await time.advanceToNextWake() == .seconds(4))
        tasks.drain()
        #expect(woken.names == ["a"])
    }

    @Test func `the clock does not go back`() async {
        await #expect(processExitsWith: .failure) {
            ManualTime().advance(by: .nanoseconds(-1))
        }
    }
}
