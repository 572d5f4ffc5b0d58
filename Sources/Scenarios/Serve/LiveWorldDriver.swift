import Glibc
import HTTP
import Live
import Platform
import Synchronization

/// Lets a world's time pass as the machine's does, and hands it what others ask of it.
///
/// The world lives on the thread that calls ``run(_:until:)``, and on no other. Isolation of the rest: any thread.
final class LiveWorldDriver: Sendable {
    /// The world has ended.
    struct Ended: Error {}

    private struct State {
        var errands: [@Sendable (ServedWorld?) -> Void] = []
        /// How far the world was moved ahead of the machine.
        var lead = Duration.zero
        var hasEnded = false
    }

    let speed: Int64
    private let state = Mutex(State())
    private let wakeup: LivePipe
    private let start = LiveTime().monotonicNow

    /// - Parameter speed: how many seconds of the world pass in one of the machine's, at least 1.
    /// - Throws: `SystemFailure` without descriptors for it.
    init(speed: Int64) throws(SystemFailure) {
        self.speed = speed
        wakeup = try LivePipe()
        LivePipe.makeNonBlocking(wakeup.reading)
        LivePipe.makeNonBlocking(wakeup.writing)
    }

    deinit {
        wakeup.closeBoth()
    }

    /// Does something in the world, at its present instant.
    ///
    /// - Throws: `Ended`, or what `errand` throws.
    func perform<Result: Sendable>(_ errand: @escaping @Sendable (ServedWorld) throws -> Result) async throws -> Result
    {
        try await withCheckedThrowingContinuation { continuation in
            let isTaken = state.withLock { state in
                guard !state.hasEnded else { return false }
                state.errands.append { world in
                    guard let world else { return continuation.resume(throwing: Ended()) }
                    continuation.resume(with: Swift.Result { try errand(world) })
                }
                return true
            }
            isTaken ? wake() : continuation.resume(throwing: Ended())
        }
    }

    /// Moves the world ahead, beside what passes anyway.
    func advance(by length: Duration) {
        state.withLock { $0.lead += length }
        wake()
    }

    /// Answers a request in the world, and lets the time pass that its service takes.
    func reply(_ service: ServedWorld.Service, _ request: HTTPRequest, _ peer: HTTPPeer) async -> HTTPReply {
        let reply = try? await perform { $0.respond(service, request, peer) }
        guard let reply else { return HTTPReply(HTTPResponse(status: 503), travel: .reset) }
        // Cancelled only when the server ends, and then nobody waits for the answer.
        if reply.serviceTime > .zero { try? await LiveTime().sleep(for: reply.serviceTime / Int(speed)) }
        return reply
    }

    private func wake() {
        var byte: UInt8 = 1
        // A pipe that is full wakes the thread as well.
        _ = write(wakeup.writing, &byte, 1)
    }

    // MARK: On the world's thread

    /// Runs the world until a signal asks for the end.
    func run(_ world: ServedWorld, until signals: LiveSignals, afterEachTurn: () -> Void) {
        while !signals.isInterrupted {
            let (errands, lead) = state.withLock { state in
                defer { state.errands = [] }
                return (state.errands, state.lead)
            }
            let instant = elapsed * Int(speed) + lead
            world.advance(to: instant)
            if speed > 1 || lead > .zero { world.setServiceClock(to: LiveTime().wallNow) }
            for errand in errands { errand(world) }
            afterEachTurn()
            wait(for: signals, atMost: pause(of: world, at: instant))
        }
        let left = state.withLock { state in
            state.hasEnded = true
            return state.errands
        }
        for errand in left { errand(nil) }
    }

    private var elapsed: Duration { start.duration(to: LiveTime().monotonicNow) }

    /// How long nothing is to happen in the world, in milliseconds of the machine.
    private func pause(of world: ServedWorld, at instant: Duration) -> Int32 {
        guard let next = world.nextInstant else { return 60_000 }
        let milliseconds = ((next - instant) / Int(speed)).wholeMilliseconds + 1
        return Int32(clamping: min(60_000, max(0, milliseconds)))
    }

    private func wait(for signals: LiveSignals, atMost milliseconds: Int32) {
        var set = [
            pollfd(fd: wakeup.reading, events: Int16(POLLIN), revents: 0),
            pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        poll(&set, nfds_t(set.count), milliseconds)
        while let bytes = LivePipe.read(wakeup.reading), bytes.count == 65_536 {}
    }
}
