import Glibc
import Synchronization

/// The signals by which a service is asked for something, as a stream. One per process, for the whole of its life.
///
/// Their handler writes one byte to a pipe, which a thread reads. Blocking them and waiting with `sigwait` would not do: the thread
/// that libdispatch keeps for the program's main thread unblocks every signal.
package struct LiveSignalStream: Sendable {
    /// What is asked for.
    package enum Request: UInt8, Sendable, Equatable {
        /// End in order: SIGTERM, SIGINT.
        case stop = 1
        /// Read again what can be read again: SIGHUP.
        case reload
    }

    /// What is asked for and not yet taken: the newest requests. Behind one to stop nothing counts any more, so nothing takes its place there.
    struct Queue: Sendable {
        let requests: AsyncStream<Request>
        private let continuation: AsyncStream<Request>.Continuation
        private var isStopping = false

        init() {
            (requests, continuation) = AsyncStream<Request>.makeStream(bufferingPolicy: .bufferingNewest(16))
        }

        mutating func append(_ request: Request) {
            guard !isStopping else { return }
            isStopping = request == .stop
            continuation.yield(request)
        }
    }

    package let requests: AsyncStream<Request>

    /// Begins to listen. A pipe whose reader has gone becomes an error to handle instead of the program's end.
    package init() {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0, "a service has two descriptors for its signals")
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // A signal must never wait for whoever reads.
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        announcement.store(ends[1], ordering: .relaxed)
        signal(SIGPIPE, SIG_IGN)
        for number in [SIGTERM, SIGINT, SIGHUP] { Self.install(number) }
        let made = Queue()
        requests = made.requests
        let reading = ends[0]
        // Ends with the process.
        let isStarted = LiveThread.start {
            var queue = made
            var byte: UInt8 = 0
            while true {
                let count = read(reading, &byte, 1)
                if count == 1, let request = Request(rawValue: byte) { queue.append(request) }
                if count == 0 || count < 0 && errno != EINTR { return }
            }
        }
        precondition(isStarted, "a service has a thread for its signals")
    }

    private static func install(_ number: Int32) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { number in
            // Only what is safe inside a handler: an atomic and one write.
            let before = errno
            var byte = number == SIGHUP ? Request.reload.rawValue : Request.stop.rawValue
            write(announcement.load(ordering: .relaxed), &byte, 1)
            errno = before
        }
        action.sa_flags = SA_RESTART
        sigaction(number, &action, nil)
    }
}

private let announcement = Atomic<Int32>(-1)
