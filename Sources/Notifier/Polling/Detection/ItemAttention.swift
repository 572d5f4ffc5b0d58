import Platform

/// What sweeps showed of one item, and when it was read.
struct ItemAttention: Hashable, Sendable {
    /// How long after its `updated_at` an item may have notes that did not move it: GitLab touches an item once a minute
    /// at most (GitLab facts §7.1), a replica may be a minute behind (§16), and a long transaction shows its row late.
    static let settlingTime = Duration.seconds(60 + 60 + 60)

    /// How long nothing must have happened to an item for it to be quiet.
    static let quietAfter = Duration.minutes(15)
    /// So many times longer a quiet item is left alone by the patrol. The touch of its next news cannot be one that GitLab throttles.
    static let quietPatience = 2

    let kind: ItemKind
    /// How the item looked when a sweep last showed it.
    private(set) var fingerprint: ItemFingerprint?
    /// Says of two rows whether they are the same; nil while no list shows the item. It may be one that only others were shown.
    private(set) var validator: String?
    /// Of the row as this account was shown it: what stays the same while only notes and commits come.
    private(set) var frame: String?
    /// When the row moved that this account was shown last, as far as its age tells.
    private(set) var movedAt: MonotonicInstant?
    /// What decides when the item is read.
    private(set) var state = State()

    /// All that ``DuePolicy`` looks at: every cycle asks it of every item, so it is plain data that copies at no cost.
    struct State: Hashable, Sendable {
        /// Whether lists show the item; what is invisible or of a kind that lists leave out must be read by itself.
        fileprivate(set) var isListed = false
        /// Whether a note could be news and leave no other trace when its touch is lost. Comments are counted in the item's row; of
        /// system notes only those on open merge requests are told (GitLab facts §8.2).
        fileprivate(set) var needsPatrol = false
        /// True while a sweep has shown what no complete reading has followed.
        fileprivate(set) var isChanged = false
        /// When a sweep, or another's, showed the last change.
        fileprivate(set) var changedAt: MonotonicInstant?
        /// True while others were shown the change, and this account was not.
        fileprivate(set) var isHinted = false
        /// True while that was more than one change.
        fileprivate(set) var isChangedAgain = false
        /// True while the change may be a close, a reopening or a merge.
        fileprivate(set) var hasNewState = false
        /// From when on it is quiet, when nothing happens until then.
        fileprivate(set) var quietFrom: MonotonicInstant?
        /// Until a complete reading begins at this instant or later, notes may have come that the item's row does not show.
        fileprivate(set) var settlesAt: MonotonicInstant?
        /// When the last reading began, whatever came of it, or another account's look that stands for one.
        fileprivate(set) var readAt: MonotonicInstant?
        /// When the last complete reading began, this account's or one that stands for it.
        fileprivate(set) var lookedAt: MonotonicInstant?
        /// Whether that look was another account's.
        fileprivate(set) var isLookShared = false
        /// Whether every list could be read since the poller started.
        fileprivate(set) var isRead = false
        /// When the item is looked at even though nothing points to it.
        fileprivate(set) var patrolAt: MonotonicInstant?
    }

    /// An item of which nothing is known yet.
    init(kind: ItemKind) {
        self.kind = kind
    }

    /// A sweep showed the item; `age` is the time since its `updated_at` by the server's clock.
    mutating func appear(as seen: ItemFingerprint, age: Duration, at now: MonotonicInstant) {
        // One that is ahead of the server's clock, which was set back, hides every touch until then.
        if seen != fingerprint || age < .zero { beQuiet(from: now.advanced(by: Self.quietAfter - age)) }
        guard seen != fingerprint else { return }
        let moved = now.advanced(by: .zero - max(age, .zero))
        movedAt = moved
        // What others were shown before is dealt with, or about to be.
        guard seen.validator != validator else { return show(seen) }
        state.isChangedAgain = state.isChanged
        state.hasNewState = state.hasNewState || fingerprint?.state != seen.state
        show(seen)
        (state.isChanged, state.changedAt) = (true, now)
        state.isHinted = false
        let settles = moved.advanced(by: Self.settlingTime)
        state.settlesAt = max(state.settlesAt ?? settles, settles)
    }

    /// Others were shown that the row has become `validator`, that it moved at `instant`, and that the item's notes tell why: those are to
    /// be read, as if a sweep had shown the row. What this account is shown later counts more.
    mutating func takeHint(_ validator: String, movedAt instant: MonotonicInstant, at now: MonotonicInstant) {
        guard state.isListed, validator != self.validator else { return }
        beQuiet(from: now.advanced(by: Self.quietAfter))
        state.isChangedAgain = state.isChanged
        state.isHinted = !state.isChanged || state.isHinted
        (state.isChanged, state.changedAt) = (true, now)
        self.validator = validator
        movedAt = instant
        // The same for all, also for who was shown the row, so that one look settles it for them.
        let settles = instant.advanced(by: Self.settlingTime)
        state.settlesAt = max(state.settlesAt ?? settles, settles)
    }

    /// GitLab does not show the item to this account: what others are shown of it is no concern of its own.
    mutating func refuseHints() {
        if state.isListed, fingerprint?.validator != validator { show(nil) }
    }

    /// News of it was found at `now`.
    mutating func stir(at now: MonotonicInstant) {
        beQuiet(from: now.advanced(by: Self.quietAfter))
    }

    /// A list of everything did not show the item.
    mutating func vanish() {
        show(nil)
    }

    /// A reading that began at `start` has ended and what it brought is committed. It is complete when every list that it was to
    /// ask for could be read; then the next patrol is due after `patrol`, twice that when it
    /// is quiet. `isOfEveryList`: that was both, the notes and the state events.
    mutating func take(from start: MonotonicInstant, isComplete: Bool, isOfEveryList: Bool, patrol: Duration) {
        state.readAt = start
        state.isLookShared = false
        guard isComplete else { return }
        state.isRead = true
        state.lookedAt = start
        state.isChanged = false
        state.isHinted = false
        state.isChangedAgain = false
        state.patrolAt = start.advanced(by: pause(from: start, patrol))
        if isOfEveryList { settle(from: start) }
    }

    /// Readings that had one list each, since a limit let through no more, have read both since `start`: they are as good as one that began then,
    /// unless the item has changed since.
    mutating func takeParts(from start: MonotonicInstant, patrol: Duration) {
        guard !state.isRead || state.isChanged || state.settlesAt != nil else { return }
        guard start >= max(state.changedAt ?? start, state.lookedAt ?? start) else { return }
        let readAt = state.readAt
        take(from: start, isComplete: true, isOfEveryList: true, patrol: patrol)
        state.readAt = readAt
    }

    /// Somebody else's look at the item's notes, which began at `start`, showed what this account's last did.
    mutating func takeLook(at start: MonotonicInstant, patrol: Duration) {
        guard state.isRead, !state.isChanged else { return }
        state.readAt = max(state.readAt ?? start, start)
        state.isLookShared = true
        state.lookedAt = max(state.lookedAt ?? start, start)
        let patrolAt = start.advanced(by: pause(from: start, patrol))
        state.patrolAt = max(state.patrolAt ?? patrolAt, patrolAt)
    }

    /// As ``takeLook(at:patrol:)``, and the other lists showed nothing else either.
    mutating func takeWholeLook(at start: MonotonicInstant) {
        guard state.isRead, !state.isChanged else { return }
        settle(from: start)
    }

    private mutating func beQuiet(from instant: MonotonicInstant) {
        state.quietFrom = max(state.quietFrom ?? instant, instant)
    }

    private func pause(from start: MonotonicInstant, _ patrol: Duration) -> Duration {
        guard let quietFrom = state.quietFrom, start >= quietFrom else { return patrol }
        return patrol * Self.quietPatience
    }

    private mutating func settle(from start: MonotonicInstant) {
        guard let settlesAt = state.settlesAt, start >= settlesAt else { return }
        state.settlesAt = nil
        state.hasNewState = false
    }

    private mutating func show(_ fingerprint: ItemFingerprint?) {
        self.fingerprint = fingerprint
        validator = fingerprint?.validator
        frame = fingerprint?.frame
        state.isListed = fingerprint != nil
        state.needsPatrol = kind == .mergeRequest && fingerprint?.isOpen == true
    }
}
