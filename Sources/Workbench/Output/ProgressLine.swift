import Platform

/// Decides when a line of progress is due and what it says.
struct ProgressLine {
    /// Runs that end sooner show none.
    static let patience = Duration.seconds(1)
    static let interval = Duration.milliseconds(200)
    /// Takes the line away.
    static let erase = "\r\u{1B}[K"

    private let start: MonotonicInstant
    private let total: Int
    private var lastShown: MonotonicInstant?

    init(total: Int, start: MonotonicInstant) {
        self.total = total
        self.start = start
    }

    /// Whether there is a line to take away.
    var isShown: Bool { lastShown != nil }

    /// The text to write now, which replaces the line before it; nil while nothing is due.
    mutating func text(now: MonotonicInstant, done: Int, crashes: Int) -> String? {
        let elapsed = start.duration(to: now)
        guard elapsed >= Self.patience else { return nil }
        if let lastShown, lastShown.duration(to: now) < Self.interval { return nil }
        lastShown = now
        let found = crashes > 0 ? ", \(crashes) crashed" : ""
        return "\(Self.erase)\(done) of \(total) seeds\(found), \(elapsed.components.seconds) s"
    }
}
