import HTTP
import Platform
import Synchronization

/// Lets the accounts of one GitLab share their looks at its lists, so that a list that many watch is asked for as often as if one did.
///
/// What is shared decides *when* an account asks, never what it is told: content always comes by the account's own token, and nobody
/// learns of a list that they have not been shown themselves, since nobody asks about another.
final class SharedLooks: Sendable {
    /// A list, the same for all who may read it.
    struct List: Hashable, Sendable {
        var origin: HTTPOrigin
        /// The request target.
        var target: String
    }

    private struct State {
        var looks: [List: ListLooks] = [:]
        var sweptAt: MonotonicInstant?
    }

    /// Lists that are remembered at most; a look at another is not shared.
    private let limit: Int
    /// A list at which nobody has looked for so long is forgotten when there are too many.
    private static let memory = Duration.hours(1)
    /// They are not looked through more often.
    private static let sweepInterval = Duration.minutes(1)

    private let state = Mutex(State())

    init(limit: Int = 50_000) {
        self.limit = limit
    }

    /// Somebody whose look before had shown `previous` was shown `validator`.
    func take(_ validator: String, after previous: String?, _ look: ListLooks.Look, at list: List) {
        state.withLock { state in
            if state.looks[list] == nil, state.looks.count >= limit {
                Self.forget(at: look.at, in: &state)
                guard state.looks.count < limit else { return }
            }
            state.looks[list, default: ListLooks()].take(validator, after: previous, look)
        }
    }

    /// What others have seen of a list since a look that began at `instant` and showed `validator`.
    func standing(of validator: String, since instant: MonotonicInstant, at list: List) -> ListLooks.Standing {
        state.withLock { $0.looks[list]?.standing(of: validator, since: instant) } ?? .unknown
    }

    private static func forget(at now: MonotonicInstant, in state: inout State) {
        if let sweptAt = state.sweptAt, sweptAt.duration(to: now) < sweepInterval { return }
        state.sweptAt = now
        state.looks = state.looks.filter { _, looks in
            looks.lastAt.map { $0.duration(to: now) < memory } ?? false
        }
    }
}
