import Platform
import Testing

@testable import Notifier

@Suite(.timeLimit(.minutes(1)))
struct WakeSignalTests {
    private let time = ManualTime()

    @Test func `a signal ends the wait`() async throws {
        let wakeSignal = WakeSignal(time: time)
        async let wake = wakeSignal.wait(until: time.monotonicNow.advanced(by: .hours(1)))
        await time.sleepers(1)
        wakeSignal.send()
        #expect(try await wake == .signalled)
        #expect(time.sleeperCount == 0)
    }

    @Test func `the instant ends the wait`() async throws {
        let wakeSignal = WakeSignal(time: time)
        async let wake = wakeSignal.wait(until: time.monotonicNow.advanced(by: .hours(1)))
        await time.sleepers(1)
        time.advance(by: .hours(1))
        #expect(try await wake == .elapsed)
    }

    @Test func `a signal while nobody waits is kept, once`() async throws {
        let wakeSignal = WakeSignal(time: time)
        wakeSignal.send()
        wakeSignal.send()
        #expect(try await wakeSignal.wait(until: nil) == .signalled)
        #expect(try await wakeSignal.wait(until: time.monotonicNow) == .elapsed)
    }

    @Test func `a signal wakes who waits for it alone`() async throws {
        let wakeSignal = WakeSignal(time: time)
        async let wake = wakeSignal.wait(until: nil)
        wakeSignal.send()
        #expect(try await wake == .signalled)
    }

    @Test(arguments: [true, false])
    func `cancellation ends the wait and leaves nothing`(hasDeadline: Bool) async throws {
        let wakeSignal = WakeSignal(time: time)
        let deadline = hasDeadline ? time.monotonicNow.advanced(by: .hours(1)) : nil
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = try await wakeSignal.wait(until: deadline) }
            if hasDeadline { await time.sleepers(1) }
            group.cancelAll()
            await #expect(throws: CancellationError.self) { try await group.next() }
        }
        #expect(time.sleeperCount == 0)
    }
}
