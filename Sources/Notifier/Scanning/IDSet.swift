/// Row ids of one source, kept in order: eight bytes each, and new ids, which are nearly always the largest, go to the end.
struct IDSet: Hashable, Sendable {
    private(set) var sorted: [Int64]
    /// Every id up to this one is contained, without being kept.
    private let everythingUpTo: Int64?

    /// The ids, and with `bound` every smaller one and the bound itself.
    init(_ ids: some Sequence<Int64> = [], andUpTo bound: Int64? = nil) {
        everythingUpTo = bound
        sorted = ids.sorted()
        sorted = sorted.indices.filter { $0 == 0 || sorted[$0] != sorted[$0 - 1] }.map { sorted[$0] }
    }

    /// How many are kept.
    var count: Int { sorted.count }
    var isEmpty: Bool { sorted.isEmpty && everythingUpTo == nil }
    var largest: Int64? { sorted.last ?? everythingUpTo }

    func contains(_ id: Int64) -> Bool {
        if let everythingUpTo, id <= everythingUpTo { return true }
        let index = position(of: id)
        return index < sorted.count && sorted[index] == id
    }

    /// Adds `id`; false when it was there already.
    @discardableResult
    mutating func insert(_ id: Int64) -> Bool {
        if let everythingUpTo, id <= everythingUpTo { return false }
        let index = position(of: id)
        if index < sorted.count && sorted[index] == id { return false }
        sorted.insert(id, at: index)
        return true
    }

    /// Where `id` stands or would stand.
    private func position(of id: Int64) -> Int {
        guard let last = sorted.last, last >= id else { return sorted.count }
        var low = 0
        var high = sorted.count
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
