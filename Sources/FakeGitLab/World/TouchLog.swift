import Platform

/// Which item was updated when, newest last, so that `updated_after` need not look at every item.
///
/// Entries that a later update made stale stay until they outnumber the rest.
struct TouchLog: Sendable {
    private struct Entry: Sendable {
        let updatedAt: WallTime
        let item: Int
    }

    private var entries: [Entry] = []
    private var latest: [WallTime] = []

    mutating func record(item: Int, updatedAt: WallTime) {
        while latest.count <= item { latest.append(.distantPast) }
        latest[item] = updatedAt
        let entry = Entry(updatedAt: updatedAt, item: item)
        if let last = entries.last, last.updatedAt > updatedAt {
            let place = entries.firstIndex { $0.updatedAt > updatedAt } ?? entries.count
            entries.insert(entry, at: place)
        } else {
            entries.append(entry)
        }
        if entries.count > 2 * latest.count + 1_024 { compact() }
    }

    /// Items updated at `bound` or later, without repetition, most recently updated first.
    func items(updatedFrom bound: WallTime) -> [Int] {
        var found: [Int] = []
        var seen: Set<Int> = []
        for entry in entries.reversed() {
            guard entry.updatedAt >= bound else { break }
            if latest[entry.item] == entry.updatedAt, seen.insert(entry.item).inserted { found.append(entry.item) }
        }
        return found
    }

    private mutating func compact() {
        entries.removeAll { latest[$0.item] != $0.updatedAt }
    }
}
