import HTTP
import Synchronization

/// A thread that carries exchanges with one origin. All handles of C libraries belong to that thread; others put work into the
/// inbox and wake it.
final class Lane<Work: LaneWork>: Sendable {
    private struct Inbox {
        var begun: [Work.Transfer] = []
        /// Kept alive, so that no other is taken for one of them.
        var cancelled: [Work.Transfer] = []
        var closing: LaneClosing?

        /// Whoever filled it first has woken the thread, or is about to.
        var isEmpty: Bool { begun.isEmpty && cancelled.isEmpty }
    }

    private let inbox = Mutex(Inbox())
    private let waker: any LaneWaker

    /// Nil when the system has no thread for it. `makeWork` runs on the thread.
    init?(waker: any LaneWaker, makeWork: @escaping @Sendable () -> Work) {
        self.waker = waker
        guard LiveThread.start({ [self] in run(makeWork()) }) else { return nil }
    }

    /// Takes an exchange over. A lane that is closing takes nothing, and says so at once by nil.
    func begin(_ transfer: Work.Transfer, _ continuation: PendingOutcome.Continuation) {
        transfer.pending.takeContinuation(continuation)
        let (isTaken, mustWake) = inbox.withLock { inbox in
            guard inbox.closing == nil else { return (false, false) }
            let isFirst = inbox.isEmpty
            inbox.begun.append(transfer)
            return (true, isFirst)
        }
        guard isTaken else { return transfer.pending.finish(nil) }
        if mustWake { waker.wake() }
    }

    /// Ends an exchange with the outcome `cancelled`, unless it has ended.
    func cancel(_ transfer: Work.Transfer) {
        transfer.pending.markCancelled()
        inbox.withLock { $0.cancelled.append(transfer) }
        waker.wake()
    }

    /// Ends the lane; a lane that is ending already can only be hurried.
    func close(_ closing: LaneClosing) {
        inbox.withLock { $0.closing = max($0.closing ?? closing, closing) }
        waker.wake()
    }

    // MARK: On the thread

    private func run(_ work: consuming Work) {
        var work = work
        while true {
            let (begun, cancelled, closing) = inbox.withLock { inbox in
                defer {
                    inbox.begun = []
                    inbox.cancelled = []
                }
                return (inbox.begun, inbox.cancelled, inbox.closing)
            }
            if !begun.isEmpty { work.enqueue(begun) }
            cancelled.forEach { work.cancel($0) }
            work.advance()
            if closing == .atOnce || closing == .whenIdle && work.isIdle { break }
            work.wait()
        }
        work.abandon()
        // Given to it before it was closed.
        let late = inbox.withLock { inbox in
            defer { inbox.begun = [] }
            return inbox.begun
        }
        late.forEach { $0.finish(.notSent(.cancelled)) }
    }
}

/// How a lane ends.
enum LaneClosing: Int, Comparable, Sendable {
    /// It carries out what it was given and takes nothing more.
    case whenIdle
    /// What is under way ends with an unknown outcome.
    case atOnce

    static func < (left: LaneClosing, right: LaneClosing) -> Bool { left.rawValue < right.rawValue }
}
