#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a device keeps of what a person's devices keep alike, with every rule of it: the copy of what the server told, where the device is in
/// the server's changes, and the one queue of what the person chose since. A value without clock or network.
///
/// What is shown is the copy and over it what waits, so that nothing has to be remembered for taking a choice back.
public struct SyncState: Sendable, Equatable {
    /// How many changes may wait for the network.
    public static let pendingCapacity = 1_000
    /// How many reversals are kept until somebody is told of them; beyond it the oldest go.
    public static let reversalCapacity = 50

    /// Where the device is in the server's changes.
    public struct Place: Sendable, Equatable, Codable {
        /// What the last page came to; nil for a device that has nothing, or has to begin anew.
        public var revision: UInt64?
        /// The snapshot that the device is in the middle of.
        public var snapshot: UInt64?

        /// The beginning.
        public init() {}
    }

    /// What counts on.
    public struct Counters: Sendable, Equatable, Codable {
        /// Changes so far.
        public var changes = 0
        /// Changes that an envelope may have; fewer for a while behind one that was refused as a whole.
        public var envelopeLimit = SyncState.envelopeCapacity
        /// When the server last told everything up to then, by this device's clock; nil before it has.
        public var pulledAt: Date?
        /// Nothing that is chosen from now on is dated before it: the date of the last choice that the server has taken, as it took it.
        public var datedUpTo: Date?

        /// The beginning.
        public init() {}
    }

    /// As the server told it.
    public var copy = SyncCopy()
    /// What is to take the place of the copy once all of it has come: a snapshot comes in pages, and half of one shows a list that never was.
    public var incoming: SyncCopy?
    /// Where the device is.
    public var place = Place()
    /// What counts on.
    public var counters = Counters()
    /// What waits to be sent, oldest first.
    public var pending: [PendingChange] = []
    /// What was taken back and nobody was told of.
    public var reversals: [SyncReversal] = []

    /// Begins empty.
    public init() {}

    /// What to show.
    public var shown: SyncCopy {
        var shown = copy
        var mutes: [ItemReference: Date?] = [:]
        for change in pending { shown.apply(change, &mutes) }
        return shown
    }

    // MARK: Choosing

    /// The person chooses something; it shows at once. It takes the place of what waits and is overtaken by it, unless that is on its way.
    ///
    /// - Parameters:
    ///   - wanted: what.
    ///   - label: what to call the item.
    ///   - instant: by the device's clock.
    /// - Returns: nil, and nothing was changed, when as many changes wait as may.
    public mutating func choose(
        _ wanted: SyncChange.Wanted,
        label: ItemLabel? = nil,
        at instant: Date
    ) -> PendingChange? {
        var kept: [PendingChange] = []
        var last = max(instant, counters.datedUpTo ?? instant)
        for var change in pending {
            if change.envelope == nil {
                guard let rest = change.wanted.remainder(after: wanted) else { continue }
                change.wanted = rest
            }
            kept.append(change)
            // A clock that was set back does not make it the earlier choice.
            if change.wanted.meets(wanted) { last = max(last, change.changedAt) }
        }
        guard kept.count < Self.pendingCapacity else { return nil }
        counters.changes += 1
        let change = PendingChange(number: counters.changes, wanted: wanted, changedAt: last, label: label)
        pending = kept + [change]
        return change
    }

    /// The server has taken a choice: one that is made later is dated after it, although this device's clock was set back meanwhile.
    ///
    /// - Parameters:
    ///   - change: the choice.
    ///   - date: when it counts as made, as the server says. The device's own date may lie hours ahead, and is not taken for it.
    mutating func noteTaken(_ change: PendingChange, as date: Date) {
        // Of what the server compares, it tells the milliseconds; they are also what is written for it.
        let taken = date + 0.002
        // This device's clock was ahead, and the server has cut the date, as it has those of all that came before.
        let isCut = taken + 0.001 < change.changedAt
        counters.datedUpTo = isCut ? taken : max(taken, counters.datedUpTo ?? taken)
    }

    // MARK: Pulling

    /// The server has told a page. With `reset` it begins what is to take the copy's place; with the last page it does.
    ///
    /// - Parameters:
    ///   - page: what it told.
    ///   - asked: ``place`` as it was when it was asked.
    ///   - instant: when it came.
    /// - Returns: false, and nothing was changed, when the device has come to another place since: another process has asked, too.
    public mutating func take(_ page: SyncPage, askedAt asked: Place, at instant: Date) -> Bool {
        guard asked == place else { return false }
        if page.reset { incoming = SyncCopy() }
        if incoming == nil { copy.take(page) } else { incoming?.take(page) }
        (place.revision, place.snapshot) = (page.revision, page.snapshot)
        guard !page.hasMore else { return true }
        if let incoming { copy = incoming }
        incoming = nil
        counters.pulledAt = instant
        return true
    }

    /// The server knows less than this device: a backup was brought back. What is shown stays until all there is has come.
    public mutating func beginAnew() { (place, incoming) = (Place(), nil) }

    /// Everything is taken from `reversals` that `isMeant`.
    ///
    /// - Returns: that.
    mutating func takeReversals(where isMeant: (SyncReversal) -> Bool) -> [SyncReversal] {
        let taken = reversals.filter(isMeant)
        if !taken.isEmpty { reversals.removeAll(where: isMeant) }
        return taken
    }
}
