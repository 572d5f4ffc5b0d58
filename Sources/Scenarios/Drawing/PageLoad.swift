import JSON

/// How many rows come in again and again, against how many of them fit into a page.
struct PageLoad {
    /// Pages an hour of which a drawn world may fill that many: each is read several times, and a person is allowed 6,000 requests an hour
    /// for everything (docs/settings.md).
    static let mostPagesAnHour: Int64 = 200

    /// Rows an hour, all recurring entries together.
    let rowsAnHour: Int64

    init(_ timeline: [JSONValue]) {
        rowsAnHour = timeline.reduce(0) { $0 + Self.rowsAnHour(of: $1) }
    }

    /// Whether so short pages would have to be read faster than a person may ask: news would be late by the operator's own will.
    func exceeds(perPage: Int64) -> Bool { rowsAnHour > perPage * Self.mostPagesAnHour }

    private static func rowsAnHour(of entry: JSONValue) -> Int64 {
        guard case .string(let rate)? = entry["rate"], let times = Int64(rate.prefix { $0 != "/" }) else { return 0 }
        guard case .number(let count)? = entry["count"] else { return times }
        return times * (Int64(count) ?? 1)
    }
}
