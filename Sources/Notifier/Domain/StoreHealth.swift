import Platform

/// Whether the database takes what is written, told from the outcomes of real work on it and, where there is none, of small writes made
/// for nothing else.
///
/// `working` and `failing` follow each other as often as they like. `damaged` is final: a file does not mend itself, and what is
/// read from it must not be trusted because a later write happened to pass.
struct StoreHealth: Equatable {
    /// Why nothing can be written: a word of `/health/ready`, of the metrics and of the log.
    enum Reason: String, Sendable, CaseIterable {
        /// No room on the disk.
        case full
        /// The disk, or the way to it, fails.
        case ioError = "io_error"
        /// The file, or the file system, may only be read.
        case readOnly = "read_only"
        /// Another program has the database for itself.
        case locked
        /// The file's structure is broken.
        case damaged
        /// A code of SQLite's for which there is no better word.
        case other
    }

    enum State: Equatable {
        case working
        case failing(Reason, since: MonotonicInstant)
    }

    /// What an outcome changed.
    enum Change: Equatable {
        /// It fails from now on, or for another reason than before.
        case failing(Reason)
        /// It works again, after so long.
        case recovered(after: Duration)
    }

    /// Without any other write for so long, one is made to see whether it passes.
    static let probeAfter: Duration = .seconds(60)
    /// The same while writing fails.
    static let probeAgainAfter: Duration = .seconds(15)
    /// Nothing must have failed for so long before it counts as working again: on a disk that is nearly full small writes pass
    /// between large ones that do not.
    static let calm: Duration = .seconds(60)

    private(set) var state = State.working
    private var lastOutcome: MonotonicInstant
    private var lastFailure: MonotonicInstant?

    init(at now: MonotonicInstant) {
        lastOutcome = now
    }

    /// When to try a write, unless another has an outcome before.
    var nextProbe: MonotonicInstant {
        lastOutcome.advanced(by: state == .working ? Self.probeAfter : Self.probeAgainAfter)
    }

    /// What stands in the way of writing; nil while nothing does.
    var reason: Reason? {
        guard case .failing(let reason, _) = state else { return nil }
        return reason
    }

    /// Whether what is written now is likely to be kept. A file once found damaged is called so until the next start, and may take
    /// writes all the same.
    func takesWrites(at now: MonotonicInstant) -> Bool {
        guard case .failing(let reason, _) = state else { return true }
        guard reason == .damaged, let lastFailure, lastFailure < lastOutcome else { return false }
        return lastFailure.duration(to: now) >= Self.calm
    }

    /// Something was committed that the disk had to take.
    mutating func committed(at now: MonotonicInstant) -> Change? {
        lastOutcome = now
        guard case .failing(let reason, let since) = state, reason != .damaged else { return nil }
        if let lastFailure, lastFailure.duration(to: now) < Self.calm { return nil }
        state = .working
        return .recovered(after: since.duration(to: now))
    }

    /// A statement or a commit failed for a reason that lies with the file or the disk.
    mutating func failed(_ reason: Reason, at now: MonotonicInstant) -> Change? {
        lastOutcome = now
        lastFailure = now
        switch state {
        case .failing(.damaged, _): return nil
        case .failing(let known, _) where known == reason: return nil
        case .failing(_, let since): state = .failing(reason, since: since)
        case .working: state = .failing(reason, since: now)
        }
        return .failing(reason)
    }
}
