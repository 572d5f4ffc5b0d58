import Platform

/// Decides when a person hears that GitLab cannot be read, and that it can again: by time, not by count, since every upgrade
/// of GitLab brings minutes of 502 (GitLab facts §18, trap 32).
struct ServiceTrouble: Sendable {
    /// What to record, and what to tell.
    enum Change: Hashable, Sendable {
        case none
        /// The first failure: record when.
        case began(WallTime)
        /// It has lasted: tell, and record that it was told.
        case announceTrouble(since: WallTime)
        /// It is over before anybody heard of it: record that.
        case ended
        /// It is over: tell, and record that.
        case announceRecovery(since: WallTime)
    }

    let troubleAfter: Duration
    private(set) var since: WallTime?
    private(set) var isAnnounced: Bool
    /// Elapsed time is measured on the clock that does not step.
    private var beganAt: MonotonicInstant

    /// Goes on where the store left off.
    init(
        troubleAfter: Duration,
        since: WallTime?,
        isAnnounced: Bool,
        wallNow: WallTime,
        now: MonotonicInstant
    ) {
        self.troubleAfter = troubleAfter
        self.since = since
        self.isAnnounced = isAnnounced
        let elapsed = since.map { max($0.duration(to: wallNow), .zero) } ?? .zero
        beganAt = now.advanced(by: .zero - elapsed)
    }

    /// What a failed cycle or probe calls for. It becomes true with ``commit(_:at:)`` only, once it is stored.
    func change(failedAt now: MonotonicInstant, wallNow: WallTime) -> Change {
        guard let since else { return .began(wallNow) }
        let isLong = beganAt.duration(to: now) >= troubleAfter
        return isLong && !isAnnounced ? .announceTrouble(since: since) : .none
    }

    /// What a cycle that could read calls for.
    func changeAfterSuccess() -> Change {
        guard let since else { return .none }
        return isAnnounced ? .announceRecovery(since: since) : .ended
    }

    /// Takes over a change that has been stored.
    mutating func commit(_ change: Change, at now: MonotonicInstant) {
        switch change {
        case .none: break
        case .began(let wall):
            since = wall
            beganAt = now
        case .announceTrouble: isAnnounced = true
        case .ended, .announceRecovery:
            since = nil
            isAnnounced = false
        }
    }
}
