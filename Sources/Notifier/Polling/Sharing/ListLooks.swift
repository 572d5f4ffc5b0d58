import Platform

/// What looks at one list have shown, whoever's they were: nothing of what GitLab answered, only its validators (RFC 9110 §8.8), and when.
///
/// Two people of whom GitLab's last answers had the same validator were told the same; what the next answer of one of them says of
/// that state holds for the other.
struct ListLooks: Hashable, Sendable {
    /// A look at the list.
    struct Look: Hashable, Sendable {
        /// When it began.
        var at: MonotonicInstant
        /// When the answer was there: what it shows may have been done as late as that.
        var answeredAt: MonotonicInstant
        /// By GitLab's clock, where the looker has asked for it.
        var gitlabTime: WallTime?
        /// Whose it was; nil where that does not matter.
        var watcher: LookWatcher.ID?
        /// When the last look began, before this one, that was another watcher's than this and showed the same; or this or another whose answer
        /// held the row.
        fileprivate(set) var secondedAt: MonotonicInstant?

        init(
            at: MonotonicInstant,
            answeredAt: MonotonicInstant,
            gitlabTime: WallTime? = nil,
            watcher: LookWatcher.ID? = nil
        ) {
            self.at = at
            self.answeredAt = answeredAt
            self.gitlabTime = gitlabTime
            self.watcher = watcher
        }
    }

    /// What others have seen since somebody looked.
    enum Standing: Hashable, Sendable {
        /// Nothing that concerns what they saw.
        case unknown
        /// The list was still as they saw it.
        case current(Look)
        /// It has changed.
        case outdated
    }

    private struct State: Hashable, Sendable {
        var validator: String
        var confirmed: Look
        var outdatedAt: MonotonicInstant?
        /// Of a row: what stays the same while only notes and commits come.
        var frame: String?
        /// Of a row: when it moved to this state.
        var movedAt: MonotonicInstant?
        /// When the last look began whose answer held the row; others only held nothing against it.
        var shownAt: MonotonicInstant?
        /// What somebody was shown who had seen this state, last.
        var successor: String?
        /// When it was there the first time, or again after it was over.
        var firstAt: MonotonicInstant

        init(validator: String, seenBy look: Look) {
            self.validator = validator
            confirmed = look
            firstAt = look.answeredAt
        }

        /// True while nobody has told those who saw it that it is over.
        var isUntold: Bool { outdatedAt.map { $0 < confirmed.at } ?? true }

        mutating func confirm(by look: Look) {
            if let outdatedAt, look.at > outdatedAt { firstAt = max(firstAt, look.answeredAt) }
            let isLate = look.at < confirmed.at
            let earlier = isLate ? look : confirmed
            var later = isLate ? confirmed : look
            let seconded = earlier.watcher == later.watcher ? nil : earlier.at
            later.secondedAt = ListLooks.latest(confirmed.secondedAt, seconded)
            confirmed = later
        }
    }

    /// Different states that are remembered: by what people may see of a list, and by what was before a change.
    static let limit = 4

    /// The one seen last is last.
    private var states: [State] = []

    /// A look showed `validator` to somebody whose look before had shown `previous`; true when that is a change of which nobody has told.
    mutating func take(
        _ validator: String,
        after previous: String?,
        _ look: Look,
        frame: String? = nil,
        movedAt: MonotonicInstant? = nil,
        isShown: Bool = false
    ) -> Bool {
        let isNews = previous.map { $0 != validator && outdate($0, by: validator, at: look.answeredAt) } ?? false
        var state = remove(validator) ?? State(validator: validator, seenBy: look)
        state.confirm(by: look)
        state.frame = frame ?? state.frame
        state.movedAt = state.movedAt ?? movedAt
        if isShown { state.shownAt = max(state.shownAt ?? look.at, look.at) }
        states.append(state)
        if states.count > Self.limit { states.removeFirst() }
        return isNews
    }

    /// Whether a look that showed `validator` to somebody whose look before had shown `previous` tells nothing but that it is still there.
    func areConfirmed(by validator: String, after previous: String?) -> Bool {
        (previous ?? validator) == validator && states.contains { $0.validator == validator }
    }

    /// What others have seen since a look that began at `instant` and showed `validator`. A change counts more than any look that did not
    /// show it: that may have been a replica's, which was behind (GitLab facts §16).
    func standing(of validator: String, since instant: MonotonicInstant) -> Standing {
        guard let index = states.lastIndex(where: { $0.validator == validator }) else { return .unknown }
        if let outdatedAt = states[index].outdatedAt, outdatedAt > instant { return .outdated }
        guard states[index].confirmed.at > instant else { return .unknown }
        var look = states[index].confirmed
        look.secondedAt = Self.latest(look.secondedAt, states[index].shownAt)
        return .current(look)
    }

    /// When the row moved to `validator`, as the first knew who was shown it; nil when nobody was.
    func movedAt(_ validator: String) -> MonotonicInstant? {
        states.last { $0.validator == validator }?.movedAt
    }

    /// When the last look began whose answer showed `validator` itself; nil when none did, or it is over.
    func shownAt(_ validator: String) -> MonotonicInstant? {
        states.last { $0.validator == validator && $0.isUntold }?.shownAt
    }

    /// What the row of an item has become for those who were shown it as `validator`, in a look that began at `instant`, when nothing but
    /// its notes and commits have changed since; nil otherwise, and where nobody knows.
    func successor(of validator: String, since instant: MonotonicInstant) -> String? {
        guard standing(of: validator, since: instant) == .outdated,
            let frame = states.last(where: { $0.validator == validator })?.frame
        else { return nil }
        var current = validator
        for _ in 1..<Self.limit {
            guard let next = states.last(where: { $0.validator == current })?.successor, next != validator,
                let state = states.last(where: { $0.validator == next }), state.frame == frame
            else { return nil }
            if state.isUntold { return next }
            current = next
        }
        return nil
    }

    /// When somebody was first shown `validator`; nil when nobody was, or it is forgotten.
    func firstSight(of validator: String) -> MonotonicInstant? {
        states.last { $0.validator == validator }?.firstAt
    }

    /// True when nobody had seen that it is over.
    private mutating func outdate(_ validator: String, by successor: String, at instant: MonotonicInstant) -> Bool {
        guard let index = states.firstIndex(where: { $0.validator == validator }) else { return false }
        let isUntold = states[index].isUntold
        states[index].successor = successor
        states[index].outdatedAt = max(states[index].outdatedAt ?? instant, instant)
        return isUntold
    }

    private static func latest(_ first: MonotonicInstant?, _ second: MonotonicInstant?) -> MonotonicInstant? {
        guard let first, let second else { return first ?? second }
        return max(first, second)
    }

    private mutating func remove(_ validator: String) -> State? {
        states.firstIndex { $0.validator == validator }.map { states.remove(at: $0) }
    }
}
