/// Outcomes on their way into the database. A commit waits for the disk whether it holds one outcome or many, so those that come while
/// one is under way are committed together by the next.
///
/// While the queue is looked at, the looks lead: each commits what waits by then. Afterwards, when pushes under way are all that is
/// left, the first outcome to come leads: it commits what waits, itself included, and hands over to the next that waits. So no task of
/// its own is needed.
struct OutcomeQueue: Sendable {
    /// Committed together at most, so that no reader of the database waits for long.
    static let batchLimit = 128

    /// What one who waits is told.
    enum Turn: Sendable {
        /// To commit the next batch.
        case lead
        /// What became of its own outcome.
        case done(Result<DeliveryService.Recorded, any Error>)
    }

    /// One who waits; unsafe because a simulated crash drops the waiting task where it stands.
    struct Entry: Sendable {
        var outcome: DeliveryService.Concluded
        var waiter: UnsafeContinuation<Turn, Never>
    }

    /// True from the moment somebody leads until nobody waits.
    private(set) var isLed = false
    private var waiting: [Entry] = []

    /// True when nobody waits.
    var isEmpty: Bool { waiting.isEmpty }

    /// Takes the lead, unless somebody has it.
    mutating func tryToLead() -> Bool {
        guard !isLed else { return false }
        isLed = true
        return true
    }

    mutating func wait(_ entry: Entry) {
        waiting.append(entry)
    }

    /// Who joins the leader's batch, in the order of arrival.
    mutating func takeBatch() -> [Entry] {
        let batch = Array(waiting.prefix(Self.batchLimit - 1))
        waiting.removeFirst(batch.count)
        return batch
    }

    /// The leader's batch is committed: the next one that waits is to lead.
    mutating func handOver() -> UnsafeContinuation<Turn, Never>? {
        guard !waiting.isEmpty else {
            isLed = false
            return nil
        }
        return waiting.removeFirst().waiter
    }
}
