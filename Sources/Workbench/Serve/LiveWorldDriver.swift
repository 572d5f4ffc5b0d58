import FakeGitLab
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

    private struct Watched {
        var descriptor: Int32
        var onReadable: @Sendable () -> Void
    }

    private struct State {
        var jobs: [@Sendable (ServedWorld?) -> Void] = []
        /// How far the world was moved ahead of the machine.
        var lead = Duration.zero
        var watched: [Watched] = []
        var hasEnded = false
    }

    let speed: Int64
    private let state = Mutex(State())
    private let wakeup: LivePipe
    private let start = Atomic(LiveTime().monotonicNow.nanoseconds)

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
    /// - Throws: `Ended`, or what `job` throws.
    func perform<Result: Sendable>(_ job: @escaping @Sendable (ServedWorld) throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            post { world in
                guard let world else { return continuation.resume(throwing: Ended()) }
                continuation.resume(with: Swift.Result { try job(world) })
            }
        }
    }

    /// Does something in the world, at its present instant; `job` gets no world when it has ended.
    func post(_ job: @escaping @Sendable (ServedWorld?) -> Void) {
        let isTaken = state.withLock { state in
            guard !state.hasEnded else { return false }
            state.jobs.append(job)
            return true
        }
        isTaken ? wake() : job(nil)
    }

    /// Calls `onReadable` on the world's thread whenever there is something to read from `descriptor`, or its end.
    func watch(_ descriptor: Int32, _ onReadable: @escaping @Sendable () -> Void) {
        state.withLock { $0.watched.append(Watched(descriptor: descriptor, onReadable: onReadable)) }
        wake()
    }

    /// Ends what `watch` began; before the descriptor is closed.
    func unwatch(_ descriptor: Int32) {
        state.withLock { state in state.watched.removeAll { $0.descriptor == descriptor } }
    }

    /// Lets the world's time begin at this instant.
    func begin(at instant: MonotonicInstant) {
        start.store(instant.nanoseconds, ordering: .relaxed)
    }

    /// How far a world can be moved ahead in all: virtual time is counted in nanoseconds, which end after 292 years.
    static let furthestLead = Duration.days(10 * 366)

    /// Moves the world ahead, beside what passes anyway; false when that would be too far.
    func advance(by length: Duration) -> Bool {
        let isPossible = state.withLock { state in
            guard state.lead + length <= Self.furthestLead else { return false }
            state.lead += length
            return true
        }
        if isPossible { wake() }
        return isPossible
    }

    /// Answers a request in the world, and lets the time pass that its service takes, counted from here: what this program needs is
    /// part of it.
    func reply(_ service: ServedWorld.Service, _ request: HTTPRequest, _ peer: HTTPPeer) async -> SentResponse {
        let arrival = LiveTime().monotonicNow
        guard let answer = try? await perform({ $0.respond(service, request, peer) }) else {
            return SentResponse(HTTPResponse(status: 503), travel: .reset)
        }
        var reply = answer.reply
        if let time = answer.gitlabTime, speed > 1 || state.withLock({ $0.lead > .zero }) {
            reply.response.fields.stateLimits(by: LiveTime().wallNow, insteadOf: time, speed: speed)
        }
        // Cancelled only when the server ends, and then nobody waits for the answer.
        try? await LiveTime().sleep(until: arrival.advanced(by: reply.serviceTime / Int(speed)))
        post { $0?.answerLeft(answer) }
        return reply
    }

    private func wake() {
        var byte: UInt8 = 1
        // A pipe that is full wakes the thread as well.
        _ = write(wakeup.writing, &byte, 1)
    }

    // MARK: On the world's thread

    /// Runs the world until a signal asks for the end, or `goesOn` does; tells how late the machine let it act.
    @discardableResult
    func run(
        _ world: ServedWorld,
        until signals: LiveSignals,
        while goesOn: () -> Bool = { true },
        afterEachTurn: () -> Void
    ) -> Lateness {
        var lateness = Lateness(speed: speed)
        var due: Duration?
        var readable: [Watched] = []
        while !signals.isInterrupted, goesOn() {
            let (jobs, lead) = state.withLock { state in
                defer { state.jobs = [] }
                return (state.jobs, state.lead)
            }
            let instant = elapsed * Int(speed) + lead
            if let due, due <= instant { lateness.add((instant - due) / Int(speed)) }
            world.advance(to: instant)
            if !world.hasNotifier, speed > 1 || lead > .zero { world.setServiceClock(to: LiveTime().wallNow) }
            // After the world's time has come to here: what is read now was written while it stood still.
            for watched in readable where isWatched(watched.descriptor) { watched.onReadable() }
            for job in jobs { job(world) }
            afterEachTurn()
            due = world.nextInstant
            readable = wait(for: signals, atMost: pause(until: due, from: instant))
        }
        let left = state.withLock { state in
            state.hasEnded = true
            return state.jobs
        }
        for job in left { job(nil) }
        return lateness
    }

    private var elapsed: Duration {
        MonotonicInstant(nanoseconds: start.load(ordering: .relaxed)).duration(to: LiveTime().monotonicNow)
    }

    /// How long nothing is to happen in the world, in milliseconds of the machine.
    private func pause(until next: Duration?, from instant: Duration) -> Int32 {
        guard let next else { return 60_000 }
        let nanoseconds = ((next - instant) / Int(speed)).wholeNanoseconds
        return Int32(clamping: min(60_000, max(0, (nanoseconds + 999_999) / 1_000_000)))
    }

    private func isWatched(_ descriptor: Int32) -> Bool {
        state.withLock { state in state.watched.contains { $0.descriptor == descriptor } }
    }

    /// Which of the watched descriptors have something to be read.
    private func wait(for signals: LiveSignals, atMost milliseconds: Int32) -> [Watched] {
        let watched = state.withLock(\.watched)
        let descriptors = [wakeup.reading, signals.descriptor] + watched.map(\.descriptor)
        var set = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        poll(&set, nfds_t(set.count), milliseconds)
        while let bytes = LivePipe.read(wakeup.reading), bytes.count == 65_536 {}
        return zip(watched, set.dropFirst(2)).filter { $0.1.revents != 0 }.map(\.0)
    }
}
