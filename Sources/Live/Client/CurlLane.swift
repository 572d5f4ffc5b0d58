import CCurl
import HTTP
import Synchronization

/// A thread that carries exchanges with one origin. All of libcurl's handles belong to that thread; others put work into the
/// inbox and wake it.
///
/// A lane begins with a single exchange, also after a while without one: a server may allow no more on a connection that has proven
/// nothing yet, as APNs does (APNs facts §8, §17.2). The others follow when it has been answered.
final class CurlLane: Sendable {
    /// How a lane ends.
    enum Closing: Int, Comparable, Sendable {
        /// It carries out what it was given and takes nothing more.
        case whenIdle
        /// What is under way ends with an unknown outcome.
        case atOnce

        static func < (left: Closing, right: Closing) -> Bool { left.rawValue < right.rawValue }
    }

    typealias Continuation = CheckedContinuation<HTTPOutcome, Never>

    private struct Inbox {
        var begun: [CurlTransfer] = []
        var cancelled: [ObjectIdentifier] = []
        var closing: Closing?
        /// False once the thread looks into the inbox no more.
        var isOpen = true
    }

    private let inbox = Mutex(Inbox())
    private let multi: CurlMulti
    private let configuration: CurlClient.Configuration

    /// Nil when the system has no memory or thread for it.
    init?(_ configuration: CurlClient.Configuration) {
        guard
            let multi = CurlMulti(
                connectionLimit: configuration.connectionLimit,
                exchangeLimit: configuration.exchangeLimit
            )
        else { return nil }
        self.multi = multi
        self.configuration = configuration
        guard LiveThread.start({ [self] in run() }) else { return nil }
    }

    /// Takes an exchange over. A lane that has ended says at once that nothing was sent.
    func begin(_ transfer: CurlTransfer, _ continuation: Continuation) {
        transfer.takeContinuation(continuation)
        let isTaken = inbox.withLock { inbox in
            guard inbox.isOpen, inbox.closing != .atOnce else { return false }
            inbox.begun.append(transfer)
            return true
        }
        guard isTaken else { return transfer.finish(.notSent(.cancelled)) }
        multi.wake()
    }

    /// Ends an exchange with the outcome `cancelled`, unless it has ended.
    func cancel(_ transfer: CurlTransfer) {
        transfer.markCancelled()
        inbox.withLock { $0.cancelled.append(ObjectIdentifier(transfer)) }
        multi.wake()
    }

    /// Ends the lane; a lane that is ending already can only be hurried.
    func close(_ closing: Closing) {
        inbox.withLock { $0.closing = max($0.closing ?? closing, closing) }
        multi.wake()
    }

    // MARK: On the thread

    private func run() {
        var work = CurlWork(multi: multi, configuration: configuration)
        while true {
            let (begun, cancelled, closing) = inbox.withLock { inbox in
                defer {
                    inbox.begun = []
                    inbox.cancelled = []
                }
                return (inbox.begun, inbox.cancelled, inbox.closing)
            }
            work.enqueue(begun)
            cancelled.forEach { work.cancel($0) }
            work.advance()
            if closing == .atOnce || closing == .whenIdle && work.isIdle { break }
            work.wait()
        }
        work.abandon()
        let late = inbox.withLock { inbox in
            inbox.isOpen = false
            return inbox.begun
        }
        late.forEach { $0.finish(.notSent(.cancelled)) }
    }
}
