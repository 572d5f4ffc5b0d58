import Platform

/// Decides when the next look at the queue may begin.
///
/// A commit costs nearly as much for one outcome as for fifty. So while more than half of the pushes that may be under way are, outcomes
/// and free places wait a moment for company; below that every one is taken at once, so that the connection never runs dry.
struct PassPace: Equatable, Sendable {
    /// From one look to the next while many pushes are under way.
    static let interval: Duration = .milliseconds(5)

    /// How many pushes may be under way to one host.
    let concurrency: Int
    private var lastBegin: MonotonicInstant?

    init(concurrency: Int) {
        self.concurrency = concurrency
    }

    /// A look begins.
    mutating func begin(at now: MonotonicInstant) {
        lastBegin = now
    }

    /// Whether so many are under way that company is worth a wait.
    func isCrowded(_ underWay: Int) -> Bool { underWay * 2 > concurrency }

    /// Until when to wait for company; nil when the look may begin.
    func pause(at now: MonotonicInstant, underWay: Int) -> MonotonicInstant? {
        guard isCrowded(underWay), let end = lastBegin?.advanced(by: Self.interval), now < end else { return nil }
        return end
    }
}
