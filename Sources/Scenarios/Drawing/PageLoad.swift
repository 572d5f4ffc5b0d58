import JSON

/// How many rows come in again and again, or are there from the beginning, against how many of them fit into a page.
struct PageLoad {
    /// Pages an hour of which a drawn world may fill that many: each is read several times, and a person is allowed 6,000 requests an hour
    /// for everything (docs/settings.md).
    static let mostPagesAnHour: Int64 = 200

    /// How often an hour an item is read from end to end at most: `reconcileEvery` is a quarter of its default at least where it is drawn.
    static let readingsAnHour: Int64 = 4

    /// Rows an hour, all recurring entries together and old comments as often as they are read.
    let rowsAnHour: Int64

    init(_ timeline: [JSONValue], oldNotes: Int64 = 0) {
        rowsAnHour = timeline.reduce(oldNotes * Self.readingsAnHour) { $0 + Self.rowsAnHour(of: $1) }
    }

    /// The shortest pages that can be read in time.
    var leastPerPage: Int64 { max(1, (rowsAnHour + Self.mostPagesAnHour - 1) / Self.mostPagesAnHour) }

    /// Whether so short pages would have to be read faster than a person may ask: news would be late by the operator's own will.
    func exceeds(perPage: Int64) -> Bool { rowsAnHour > perPage * Self.mostPagesAnHour }

    private static func rowsAnHour(of entry: JSONValue) -> Int64 {
        guard case .string(let rate)? = entry["rate"], let times = Int64(rate.prefix { $0 != "/" }) else { return 0 }
        if case .array(let commands)? = entry["commands"] { return times * Int64(commands.count + 1) }
        guard case .number(let count)? = entry["count"] else { return times }
        return times * (Int64(count) ?? 1)
    }
}
