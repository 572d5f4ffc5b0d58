import Platform

/// Decides whether another's look stands for one that has waited for its turn: when it began after this one had come to ask, and showed what
/// is known already. Nobody could have been fresher, however long the queue is.
struct TurnSubstitute: Hashable, Sendable {
    /// When the account came to ask.
    let askedAt: MonotonicInstant

    /// Whether `standing`, of all that was seen since the account's own last look, makes the look needless.
    func take(_ standing: ListLooks.Standing) -> Bool {
        guard case .current(let look) = standing else { return false }
        return look.at >= askedAt
    }
}
