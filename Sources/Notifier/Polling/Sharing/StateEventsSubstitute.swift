import Platform

/// Decides whether another's look at the state events of an item that a sweep shows changed stands for this account's own.
///
/// It does when it showed what this account knows and began after somebody was shown the item as it is now: then the change left
/// nothing there. An item that was closed, reopened or merged, or of which an earlier change was not read, is looked at in any case.
struct StateEventsSubstitute: Hashable, Sendable {
    /// Looks that began then or later may stand for the account's own; nil when none may.
    let rowSeenAt: MonotonicInstant?

    /// - Parameters:
    ///   - reason: why the item is read.
    ///   - attention: what sweeps showed of it.
    ///   - rowSeenAt: when somebody was first shown its row as this account was shown it last; nil when nobody knows.
    init(reason: DueReason, attention: ItemAttention.State, rowSeenAt: MonotonicInstant?) {
        let isOneChange = reason == .changed && attention.isChanged && !attention.isChangedAgain
        self.rowSeenAt = isOneChange && !attention.hasNewState ? rowSeenAt : nil
    }

    /// When the look began; nil when the account must look itself.
    func take(_ standing: ListLooks.Standing) -> MonotonicInstant? {
        guard let rowSeenAt, case .current(let look) = standing, look.at >= rowSeenAt else { return nil }
        return look.at
    }
}
