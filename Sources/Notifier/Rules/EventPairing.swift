import Platform

/// Which rows of one source tell of which known events, where several of both lie close together: so that what is told of in all is
/// least, and each row tells of what lies next to it.
///
/// Rows that are taken one by one, each for what is nearest to it, can go wrong: the note of a request of 10:00:00 would be taken for the to-do item of
/// 10:00:06, which was read first, and the note of 10:00:06 tell of that request again.
struct EventPairing: Sendable {
    /// A row of this reading.
    struct Row: Hashable, Sendable {
        var report: EventReport
        var occurredAt: WallTime
    }

    /// Finds the event that the first of `rows` tells of.
    ///
    /// Rows and events are in the order of time: of two rows the later never tells of the earlier event. The sum of distances is least, a row
    /// without an event counting as much as the farthest one that it could have.
    ///
    /// - Parameters:
    ///   - rows: of one source and key, at least one.
    ///   - events: positions with the times of what they may tell of.
    ///   - tolerance: how far apart a row and its event may lie.
    ///   - distance: of a row from an event.
    /// - Returns: the place of the event; nil for a row that tells of none.
    static func place(
        ofFirst rows: [Row],
        among events: [(place: Int, occurredAt: WallTime)],
        tolerance: Duration,
        distance: (Row, Int) -> Duration
    ) -> Int? {
        let order = rows.indices.sorted { (rows[$0].occurredAt, $0) < (rows[$1].occurredAt, $1) }
        let places = events.sorted { ($0.occurredAt, $0.place) < ($1.occurredAt, $1.place) }.map { $0.place }
        // The least sum for the first rows and the first events.
        let none = [Duration](repeating: .zero, count: places.count + 1)
        var sums = [[Duration]](repeating: none, count: order.count + 1)
        for row in 1...order.count {
            sums[row][0] = sums[row - 1][0] + tolerance
            for event in places.indices {
                let apart = distance(rows[order[row - 1]], places[event])
                let pair = apart <= tolerance ? sums[row - 1][event] + apart : .seconds(Int64.max)
                sums[row][event + 1] = min(pair, sums[row][event], sums[row - 1][event + 1] + tolerance)
            }
        }
        var (row, event) = (order.count, places.count)
        while row > 0, event > 0 {
            let apart = distance(rows[order[row - 1]], places[event - 1])
            if apart <= tolerance, sums[row][event] == sums[row - 1][event - 1] + apart {
                if order[row - 1] == 0 { return places[event - 1] }
                (row, event) = (row - 1, event - 1)
            } else if sums[row][event] == sums[row][event - 1] {
                event -= 1
            } else {
                row -= 1
            }
        }
        return nil
    }
}
