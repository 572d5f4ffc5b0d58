/// Who may wait for GitLab at the same time: so many requests in all, and so many of each.
///
/// Whoever is not known has half of the places, so that strangers at a GitLab which does not answer leave room for people who are
/// signed in; and a network of theirs, or an account, has a few, so that one of them leaves room for the others.
struct GitLabSlots: Sendable {
    /// Who waits.
    enum Waiter: Hashable, Sendable {
        /// Nobody that is known, from that network.
        case stranger(String)
        case person(AccountID)

        fileprivate var isStranger: Bool {
            guard case .stranger = self else { return false }
            return true
        }

        /// How many of theirs may wait.
        var share: Int { isStranger ? 4 : 8 }
    }

    /// Why somebody may not wait.
    enum Refusal: Equatable, Sendable {
        /// Too many wait.
        case full
        /// Too many of theirs wait.
        case share
    }

    static let total = 32
    static let strangers = 16

    private var waiting: [Waiter: Int] = [:]
    private var count = 0
    private var strangerCount = 0

    /// Takes a place, or says why there is none.
    mutating func enter(_ waiter: Waiter) -> Refusal? {
        let own = waiting[waiter] ?? 0
        guard own < waiter.share else { return .share }
        guard count < Self.total, !waiter.isStranger || strangerCount < Self.strangers else { return .full }
        waiting[waiter] = own + 1
        count += 1
        if waiter.isStranger { strangerCount += 1 }
        return nil
    }

    /// Gives a place back.
    mutating func leave(_ waiter: Waiter) {
        guard let own = waiting[waiter] else { preconditionFailure("who leaves had entered") }
        waiting[waiter] = own > 1 ? own - 1 : nil
        count -= 1
        if waiter.isStranger { strangerCount -= 1 }
    }
}
