import Platform

/// What sweeps showed of one item, and when it was read.
struct ItemAttention: Hashable, Sendable {
    /// How long after its `updated_at` an item may have notes that did not move it: GitLab touches an item once a minute
    /// at most (GitLab facts §7.1), a replica may be a minute behind (§16), and a long transaction shows its row late.
    static let settlingTime = Duration.seconds(60 + 60 + 60)

    let kind: ItemKind
    /// How the item looked when a sweep last showed it.
    private(set) var fingerprint: ItemFingerprint?
    /// True while a sweep has shown what no complete reading has followed.
    private(set) var isChanged = false
    /// True while the change may be a close, a reopening or a merge.
    private(set) var hasNewState = false
    /// Until a complete reading begins at this instant or later, notes may have come that the item's row does not show.
    private(set) var settlesAt: MonotonicInstant?
    /// When the last reading began, whatever came of it.
    private(set) var readAt: MonotonicInstant?
    /// Whether every list could be read since the poller started.
    private(set) var isRead = false
    /// When the item is looked at even though nothing points to it.
    private(set) var patrolAt: MonotonicInstant?

    /// An item of which nothing is known yet.
    init(kind: ItemKind) {
        self.kind = kind
    }

    /// Whether lists show the item; what is invisible or of a kind that lists leave out must be read by itself.
    var isListed: Bool { fingerprint != nil }

    /// Whether a note could be news and leave no other trace when its touch is lost. Comments are counted in the item's row; of
    /// system notes only those on open merge requests are told (GitLab facts §8.2).
    var needsPatrol: Bool { kind == .mergeRequest && fingerprint?.isOpen == true }

    /// A sweep showed the item; `age` is the time since its `updated_at` by the server's clock.
    mutating func appear(as seen: ItemFingerprint, age: Duration, at now: MonotonicInstant) {
        guard seen != fingerprint else { return }
        hasNewState = hasNewState || fingerprint?.state != seen.state
        fingerprint = seen
        isChanged = true
        let settles = now.advanced(by: Self.settlingTime - max(age, .zero))
        settlesAt = max(settlesAt ?? settles, settles)
    }

    /// A list of everything did not show the item.
    mutating func vanish() {
        fingerprint = nil
    }

    /// A reading that began at `start` has ended and what it brought is committed. It is complete when every list that its
    /// reason asks for could be read; then the next patrol is due after `patrol`.
    mutating func take(_ reason: DueReason, from start: MonotonicInstant, isComplete: Bool, patrol: Duration) {
        readAt = start
        guard isComplete else { return }
        isRead = true
        isChanged = false
        patrolAt = start.advanced(by: patrol)
        guard reason.readsEveryList, let settlesAt, start >= settlesAt else { return }
        self.settlesAt = nil
        hasNewState = false
    }
}
