import FoundationEssentials
import NotifierKit
import Synchronization

/// A clock that is set by hand. Waiting takes no time; after so many pauses it ends the run that waits.
final class ManualClock: KitClock {
    private let state: Mutex<(now: Date, pauses: [Duration])>
    private let limit: Int

    init(_ now: Date = .start, pauses limit: Int = .max) {
        state = Mutex((now, []))
        self.limit = limit
    }

    var now: Date { state.withLock { $0.now } }

    /// How long was waited, one after the other.
    var pauses: [Duration] { state.withLock { $0.pauses } }

    func advance(by seconds: Double) { state.withLock { $0.now += seconds } }

    func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        let count = state.withLock { state in
            state.pauses.append(duration)
            state.now += Double(duration.components.seconds)
            return state.pauses.count
        }
        if count >= limit { throw CancellationError() }
    }
}

/// The same number every time.
struct FixedChance: ChanceSource {
    var number = 0.0

    func next() async -> Double { number }
}

/// Another number each time.
actor CountingChance: ChanceSource {
    static let shared = CountingChance()
    private var count = 0.0

    func next() -> Double {
        count += 1
        return count / 4_294_967_296
    }
}

struct NoNetwork: Reachability {
    var isOnline: Bool { false }
}

/// Opens once; who waits before goes on then.
actor Latch {
    private var isOpen = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    func open() {
        isOpen = true
        for waiter in waiters { waiter.resume() }
        waiters = []
    }

    func wait() async {
        guard !isOpen else { return }
        await withCheckedContinuation { waiters.append($0) }
    }
}

extension Date {
    /// 2026-03-02T09:00:00Z.
    static let start = (try? Date.ISO8601FormatStyle().parse("2026-03-02T09:00:00Z")) ?? .distantPast

    static func at(_ seconds: Double) -> Date { start + seconds }
}
