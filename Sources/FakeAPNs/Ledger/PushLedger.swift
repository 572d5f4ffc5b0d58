import Platform

/// Every accepted push with its fate, oldest first. At the bound the oldest final ones make way and are counted.
struct PushLedger {
    private(set) var entries: [TrackedPush] = []
    private(set) var forgottenCount: Int64 = 0
    private let limit: Int
    private var nextID: Int64 = 0

    init(limit: Int) {
        precondition(limit > 0, "a ledger holds at least one entry")
        self.limit = limit
    }

    /// The id for the next push.
    var upcomingID: PushID { PushID(rawValue: nextID) }

    mutating func append(_ push: Push) {
        makeRoom()
        nextID = push.id.rawValue + 1
        entries.append(TrackedPush(push: push, fate: .inFlight))
    }

    subscript(id: PushID) -> TrackedPush? { index(of: id).map { entries[$0] } }

    mutating func settle(_ id: PushID, _ fate: PushFate) {
        guard let index = index(of: id) else { return }
        entries[index] = TrackedPush(push: entries[index].push, fate: fate)
    }

    private func index(of id: PushID) -> Int? {
        if forgottenCount == 0 {
            return entries.indices.contains(Int(id.rawValue)) ? Int(id.rawValue) : nil
        }
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].push.id < id { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].push.id == id ? low : nil
    }

    /// Drops final entries among the oldest quarter once full, so that the cost is spread; live ones are never lost.
    private mutating func makeRoom() {
        guard entries.count >= limit + Int(limit / 4) else { return }
        let before = entries.count
        var excess = before - limit
        entries.removeAll { entry in
            guard excess > 0, entry.fate.isFinal else { return false }
            excess -= 1
            return true
        }
        forgottenCount += Int64(before - entries.count)
    }
}
