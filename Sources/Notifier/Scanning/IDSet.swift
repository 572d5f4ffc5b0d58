/// Row ids of one source, kept in order: eight bytes each, and new ids, which are nearly always the largest, go to the end.
struct IDSet: Hashable, Sendable {
    private(set) var sorted: [Int64]

    init(_ ids: some Sequence<Int64> = []) {
        sorted = ids.sorted()
        sorted = sorted.indices.filter { $0 == 0 || sorted[$0] != sorted[$0 - 1] }.map { sorted[$0] }
    }

    var count: Int { sorted.count }
    var isEmpty: Bool { sorted.isEmpty }
    var largest: Int64? { sorted.last }

    func contains(_ id: Int64) -> Bool {
        let index = position(of: id)
        return index < sorted.count && sorted[index] == id
    }

    /// Adds `id`; false when it was there already.
    @discardableResult
    mutating func insert(_ id: Int64) -> Bool {
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
