import Glibc
import Synchronization

/// Requests to end (Ctrl-C, SIGTERM, SIGHUP) as a descriptor to wait for and a question to ask, instead of a sudden death
/// that would leave workers and half a report behind.
///
/// One at a time per process: signal handlers belong to the process. `deinit` gives the signals their former meaning back.
final class LiveSignals {
    static let handled = [SIGINT, SIGTERM, SIGHUP]

    /// Readable once a request has arrived.
    let descriptor: Int32
    private let pipe: LivePipe
    private var former: [(signal: Int32, action: sigaction)] = []

    init() throws(SystemFailure) {
        Self.ignoreBrokenPipes()
        pipe = try LivePipe()
        descriptor = pipe.reading
        LivePipe.makeNonBlocking(pipe.writing)
        arrived.store(0, ordering: .relaxed)
        announcement.store(pipe.writing, ordering: .relaxed)
        for signal in Self.handled { install(signal) }
    }

    deinit {
        for (signal, action) in former {
            var action = action
            sigaction(signal, &action, nil)
        }
        announcement.store(-1, ordering: .relaxed)
        pipe.closeBoth()
    }

    /// Whether a request has arrived.
    var isInterrupted: Bool { arrived.load(ordering: .relaxed) != 0 }

    /// Writing to a pipe whose reader has gone becomes an error to handle instead of the end of this program.
    static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }

    private func install(_ signal: Int32) {
        var action = sigaction()
        var old = sigaction()
        action.__sigaction_handler.sa_handler = { signal in
            // Only what is safe inside a handler: two atomics and one write.
            let number = errno
            arrived.store(signal, ordering: .relaxed)
            var byte: UInt8 = 1
            write(announcement.load(ordering: .relaxed), &byte, 1)
            errno = number
        }
        action.sa_flags = SA_RESTART
        sigaction(signal, &action, &old)
        former.append((signal, old))
    }
}

private let arrived = Atomic<Int32>(0)
private let announcement = Atomic<Int32>(-1)
