import Platform

/// Where a reading looks; the label `source` of its metrics.
enum ReadingSource: String, Sendable {
    case todos, notes, activity, events

    /// Counts new rows.
    var fetched: Metric {
        switch self {
        case .todos: .todosFetched
        case .notes: .notesFetched
        case .activity: .activityFetched
        case .events: .eventsFetched
        }
    }

    /// Counts failed readings.
    var failures: Metric {
        switch self {
        case .todos: .todosFailures
        case .notes: .notesFailures
        case .activity: .activityFailures
        case .events: .eventsFailures
        }
    }
}

/// Measures one account's readings.
struct ReadingMeter: Sendable {
    let metrics: MetricsRegistry
    let account: AccountID
    let time: any TimeSource

    /// A reading that began at `start` ended and found so many new rows.
    func finished(_ source: ReadingSource, since start: MonotonicInstant, found: Int) {
        metrics.observe(.pollDuration, start.duration(to: time.monotonicNow), [source.rawValue], of: account)
        metrics.count(source.fetched, found, of: account)
    }

    /// A reading failed.
    func failed(_ source: ReadingSource, _ error: GitLabError) {
        guard error != .notAsked, error != .spared else { return }
        metrics.count(source.failures, 1, [error.code], of: account)
        if case .unauthorized = error { metrics.count(.authFailures, of: account) }
    }
}
