import Glibc
import Verdict

/// The hidden command `worker`: requests from standard input, answers to standard output, until the input ends.
enum LiveWorkerLoop {
    static func run() -> ExitCode {
        LiveSignals.ignoreBrokenPipes()
        watchLifeline()
        guard send(.ready) else { return .internalError }
        var worker = Worker()
        var lines = LineBuffer()
        while true {
            var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            poll(&input, 1, -1)
            guard let bytes = LivePipe.read(STDIN_FILENO) else { continue }
            guard !bytes.isEmpty else { return .met }
            lines.append(bytes)
            guard lines.pendingBytes <= WorkerLine.limitBytes else { return .internalError }
            while let line = lines.next() {
                guard let request = try? WorkerLine.decode(WorkerRequest.self, from: line) else {
                    return .invalidInput
                }
                if let answer = worker.answer(request), !send(answer) { return .internalError }
            }
        }
    }

    private static func send(_ answer: WorkerResponse) -> Bool {
        guard let line = try? WorkerLine.encode(answer) else { return false }
        return LiveFile.writeAll(line, to: STDOUT_FILENO)
    }

    /// Ends this process as soon as the one that gives it work is gone, even in the middle of a run. A thread that only
    /// waits: it touches nothing of the simulation.
    private static func watchLifeline() {
        var thread = pthread_t()
        pthread_create(
            &thread,
            nil,
            { _ in
                var lifeline = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
                while lifeline.revents & Int16(POLLHUP | POLLERR) == 0 { poll(&lifeline, 1, -1) }
                _exit(0)
            },
            nil
        )
    }
}
