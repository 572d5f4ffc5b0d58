import Glibc

/// The signals by which a service is asked for something, as a stream.
///
/// They are blocked in the thread that makes this, so make it before any other thread starts: those inherit the block, and the
/// one thread that waits for the signals gets them all. No code runs inside a handler.
package struct LiveSignalStream: Sendable {
    /// What is asked for.
    package enum Request: Sendable, Equatable {
        /// End in order: SIGTERM, SIGINT.
        case stop
        /// Read again what can be read again: SIGHUP.
        case reload
    }

    package let requests: AsyncStream<Request>

    /// Blocks the signals and begins to wait for them.
    package init() {
        signal(SIGPIPE, SIG_IGN)
        var set = sigset_t()
        sigemptyset(&set)
        for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let (stream, continuation) = AsyncStream<Request>.makeStream(bufferingPolicy: .bufferingNewest(16))
        requests = stream
        let waited = set
        // Ends with the process.
        let isStarted = LiveThread.start {
            var set = waited
            var number: Int32 = 0
            while sigwait(&set, &number) == 0 { continuation.yield(number == SIGHUP ? .reload : .stop) }
        }
        precondition(isStarted, "a service has a thread for its signals")
    }
}
