import Platform

/// The rows of one list in ascending id, with the clock that says when the list looks different.
struct Table<Value: Sendable>: Sendable {
    private(set) var rows: [Row<Value>] = []
    private(set) var clock = ListClock()
    /// From this instant on every row is visible, so that a page is a plain slice.
    private var settledFrom = WallTime.distantPast
    private var hasDeletions = false

    mutating func append(id: Int64, value: Value, visibleFrom: WallTime, now: WallTime) {
        sweep(now: now)
        rows.append(Row(id: id, visibleFrom: visibleFrom, value: value))
        settledFrom = max(settledFrom, visibleFrom)
        clock.changed(at: visibleFrom, now: now)
    }

    /// Changes the row; false when there is none.
    @discardableResult
    mutating func change(_ id: Int64, at now: WallTime, _ body: (inout Value) -> Void) -> Bool {
        guard let index = index(of: id) else { return false }
        let instant = rows[index].change(at: now, body)
        clock.changed(at: instant, now: now)
        return true
    }

    /// Deletes the row at `instant`, which may lie in the future; `distantFuture` takes a planned deletion back.
    mutating func remove(_ id: Int64, at instant: WallTime, now: WallTime) {
        guard let index = index(of: id) else { return }
        rows[index].visibleUntil = instant
        hasDeletions = true
        clock.changed(at: instant == .distantFuture ? now : instant, now: now)
    }

    /// Notes that something the rows refer to looks different from `instant` on.
    mutating func touch(at instant: WallTime, now: WallTime) {
        clock.changed(at: instant, now: now)
    }

    mutating func forgetJSON() {
        for index in rows.indices { rows[index].json = [] }
    }

    mutating func cacheJSON(_ json: [UInt8], at index: Int) {
        rows[index].json = json
    }

    func index(of id: Int64) -> Int? {
        var low = 0
        var high = rows.count
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low < rows.count && rows[low].id == id ? low : nil
    }

    func value(_ id: Int64, at instant: WallTime) -> Value? {
        index(of: id).flatMap { rows[$0].value(at: instant) }
    }

    /// Which rows exist at `instant`, ascending. Costs nothing while no row is pending or deleted.
    func indices(at instant: WallTime) -> RowIndices {
        if instant >= settledFrom, !hasDeletions { return .all(rows.count) }
        return .some(rows.indices.filter { rows[$0].exists(at: instant) })
    }

    /// Drops rows deleted so long ago that no replica shows them.
    private mutating func sweep(now: WallTime) {
        guard hasDeletions else { return }
        let horizon = now.advanced(by: .zero - Row<Value>.replicaHorizon)
        rows.removeAll { $0.visibleUntil < horizon }
        hasDeletions = rows.contains { $0.visibleUntil != .distantFuture }
    }
}

/// Places in a table, ascending.
enum RowIndices: Sendable {
    case all(Int)
    case some([Int])

    var count: Int {
        switch self {
        case .all(let count): count
        case .some(let indices): indices.count
        }
    }

    /// The place of the `position`th row, counted from the oldest or from the newest.
    func place(_ position: Int, newestFirst: Bool) -> Int {
        let ascending = newestFirst ? count - 1 - position : position
        return switch self {
        case .all: ascending
        case .some(let indices): indices[ascending]
        }
    }
}
