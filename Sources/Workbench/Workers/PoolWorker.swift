import Glibc
import Platform

/// One worker process as its pool sees it: what it does, what it still has to be told, what it has said so far.
final class PoolWorker {
    /// What reading its output brought.
    enum Event {
        case answer(WorkerRequest, [UInt8])
        /// The process has ended; with a request, that is what it died of.
        case ended(WorkerRequest?, ProcessEnd)
        case misbehaved(String)
    }

    let process: LiveProcess
    /// What it works on, and since when.
    private(set) var current: (request: WorkerRequest, since: MonotonicInstant)?
    private(set) var errors: [UInt8] = []
    /// Whether it has said that it is ready.
    private(set) var isReady = false
    /// Bytes that its input has not taken yet.
    private var outgoing: ArraySlice<UInt8>
    private var incoming = LineBuffer()
    private var isOpenOutput = true
    private var isOpenErrors = true

    /// Starts a worker that is first told `preamble`.
    init(_ launch: ProcessLaunch, preamble: [UInt8]) throws(SystemFailure) {
        process = try LiveProcess(launch)
        outgoing = preamble[...]
    }

    /// What to wait for on its behalf.
    var interests: [pollfd] {
        var interests: [pollfd] = []
        if isOpenOutput { interests.append(pollfd(fd: process.output, events: Int16(POLLIN), revents: 0)) }
        if isOpenErrors { interests.append(pollfd(fd: process.errors, events: Int16(POLLIN), revents: 0)) }
        if !outgoing.isEmpty { interests.append(pollfd(fd: process.input, events: Int16(POLLOUT), revents: 0)) }
        return interests
    }

    func assign(_ request: WorkerRequest, encoded: [UInt8], now: MonotonicInstant) {
        precondition(current == nil, "a worker does one thing at a time")
        current = (request, now)
        outgoing += encoded
        flush()
    }

    /// Moves bytes in both directions as far as they go, and says what came of it.
    func advance() -> [Event] {
        flush()
        readErrors()
        // A crash reporter whose subject was killed would wait for ever and keep the streams open.
        if process.hasEnded { process.endGroup() }
        var events = readOutput()
        if !isOpenOutput && !isOpenErrors { events.append(.ended(current?.request, process.end())) }
        return events
    }

    private func flush() {
        while !outgoing.isEmpty {
            let count = outgoing.withUnsafeBytes { write(process.input, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            outgoing = outgoing.dropFirst(count)
        }
        outgoing = []
    }

    private func readErrors() {
        while isOpenErrors, let bytes = LivePipe.read(process.errors) {
            isOpenErrors = !bytes.isEmpty
            errors += bytes
            if errors.count > 2 * WorkerCrash.textLimitBytes { errors.removeFirst(WorkerCrash.textLimitBytes) }
        }
    }

    private func readOutput() -> [Event] {
        var events: [Event] = []
        while isOpenOutput, let bytes = LivePipe.read(process.output) {
            isOpenOutput = !bytes.isEmpty
            incoming.append(bytes)
            while let line = incoming.next() { events += event(for: line) }
            if incoming.pendingBytes > WorkerLine.limitBytes { return events + [.misbehaved("its answer is too long")] }
        }
        return events
    }

    private func event(for line: [UInt8]) -> [Event] {
        guard isReady else {
            isReady = true
            return []
        }
        guard let request = current?.request else { return [.misbehaved("it spoke without being asked")] }
        current = nil
        return [.answer(request, line)]
    }
}
