import Platform
import SQLite
import Synchronization

/// Keeps ``StoreHealth`` for everybody who asks, and tells of its changes: the log once for each, the metrics always.
final class StoreMonitor: Sendable {
    private struct State {
        var health: StoreHealth
        /// Messages that were written since the trouble began; see ``admits(_:)``.
        var reported: Set<String> = []
    }

    private let state: Mutex<State>
    private let time: any TimeSource
    private let sink: any LogSink
    private let metrics: MetricsRegistry

    init(time: any TimeSource, sink: any LogSink, metrics: MetricsRegistry) {
        (self.time, self.sink, self.metrics) = (time, sink, metrics)
        state = Mutex(State(health: StoreHealth(at: time.monotonicNow)))
        measure(nil)
    }

    /// Why nothing can be written at the moment; nil while it can.
    var reason: StoreHealth.Reason? { state.withLock { $0.health.reason } }

    /// See ``StoreHealth/takesWrites(at:)``.
    var takesWrites: Bool {
        let now = time.monotonicNow
        return state.withLock { $0.health.takesWrites(at: now) }
    }

    /// When a write is to be tried, unless there is one before.
    var nextProbe: MonotonicInstant { state.withLock { $0.health.nextProbe } }

    /// A transaction that changed rows was committed.
    func committed() {
        let now = time.monotonicNow
        metrics.set(.databaseLastWrite, to: time.wallNow)
        report(state.withLock { $0.health.committed(at: now) })
    }

    /// Work on the database failed. What lies with the work itself says nothing of the database.
    func failed(_ error: SQLiteError) {
        guard let reason = error.storeTrouble else { return }
        let now = time.monotonicNow
        metrics.count(.databaseFailures, 1, [reason.rawValue])
        report(state.withLock { $0.health.failed(reason, at: now) })
    }

    /// Whether a message that comes with every failure is to be written: each once, until the trouble is over.
    func admits(_ message: LogMessage) -> Bool {
        state.withLock { state in
            guard state.health.reason != nil else { return true }
            return state.reported.insert(message.text.description).inserted
        }
    }

    private func report(_ change: StoreHealth.Change?) {
        guard let change else { return }
        let log = Log(sink: sink)
        switch change {
        case .failing(let reason):
            measure(reason)
            log.write(reason == .damaged ? .storeDamaged : .storeFailing, [("reason", .text(reason.rawValue))])
        case .recovered(let length):
            state.withLock { $0.reported = [] }
            measure(nil)
            log.write(.storeRecovered, [("failing_ms", .milliseconds(length))])
        }
    }

    private func measure(_ reason: StoreHealth.Reason?) {
        for known in StoreHealth.Reason.allCases {
            metrics.set(.databaseFailing, to: known == reason ? 1 : 0, [known.rawValue])
        }
    }
}
