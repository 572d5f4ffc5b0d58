/// Events of which it is open whether they are kept, and those that came after them: they leave in the order in which they came.
///
/// An exchange ends by its deadline at the latest, so no more stand here than happen in that time.
struct UndecidedEvents {
    private struct Place {
        /// Nil when it is not kept.
        var record: TraceRecord?
        var isDecided: Bool
    }

    private var places: [Place] = []
    private var head = 0
    /// How many places were given back before the first of `places`.
    private var forgotten = 0
    /// The places of exchanges under way, counted from the very first.
    private var open: [Int64: [Int]] = [:]

    /// So many places that have been left are given back together.
    private static let chunk = 4_096

    /// Puts an event at the end; one of an exchange stays undecided until ``decide(_:isKept:)`` is called for it.
    mutating func append(_ record: TraceRecord) {
        if let exchange = record.event.exchange { open[exchange, default: []].append(forgotten + places.count) }
        places.append(Place(record: record, isDecided: record.event.exchange == nil))
    }

    /// Decides about all events of an exchange.
    mutating func decide(_ exchange: Int64, isKept: Bool) {
        for place in open.removeValue(forKey: exchange) ?? [] {
            places[place - forgotten].isDecided = true
            if !isKept { places[place - forgotten].record = nil }
        }
    }

    /// Takes the first event away that is kept for certain and has nothing undecided before it; nil when there is none.
    mutating func popDecided() -> TraceRecord? {
        while head < places.count, places[head].isDecided {
            let record = places[head].record.take()
            head += 1
            if head == Self.chunk { giveBack() }
            if let record { return record }
        }
        return nil
    }

    /// All that is not dropped, in order.
    var rest: [TraceRecord] { places[head...].compactMap(\.record) }

    private mutating func giveBack() {
        places.removeFirst(head)
        forgotten += head
        head = 0
    }
}
