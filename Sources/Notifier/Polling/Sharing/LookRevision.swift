import Synchronization

/// Counts how often what is known of an item has become other than it was. Whoever has found out something about it keeps a mark, and need not look
/// into it again while that is current: this is told without the lock of ``SharedLooks``, since every cycle asks it of every item.
final class LookRevision: Sendable {
    private let number = Atomic<Int>(0)

    /// What is known is not what it was.
    func rise() { number.wrappingAdd(1, ordering: .releasing) }

    /// The revision as it is now.
    var mark: Mark { Mark(revision: self, number: number.load(ordering: .acquiring)) }

    /// One revision of what is known.
    struct Mark: Sendable {
        fileprivate let revision: LookRevision
        fileprivate let number: Int

        /// True while what is known is still what it was.
        var isCurrent: Bool { revision.number.load(ordering: .acquiring) == number }
    }
}
