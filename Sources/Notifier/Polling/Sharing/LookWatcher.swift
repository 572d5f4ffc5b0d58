import Platform

/// An account as those know it who share looks with it: how it is told that somebody has seen a change.
struct LookWatcher: Sendable {
    /// Which one, among all who ever shared theirs.
    typealias ID = Int

    let id: ID
    let inbox: PollerInbox
    let wakeSignal: WakeSignal

    /// Somebody has seen that an item is not what it was.
    func wake(for item: ItemReference) {
        inbox.noteSeen(item)
        wakeSignal.send()
    }
}
