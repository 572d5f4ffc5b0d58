import Platform

/// The part of a vocabulary that one seed switches on, with uneven weights: a world of few kinds reaches combinations that
/// a world of all kinds, each of them rare, does not.
struct Swarm {
    private let weights: [String: UInt64]

    /// A quarter, half or three quarters of the vocabulary, each entry with a weight of 1 to 64.
    init(of vocabulary: [String], random: inout RandomStream) {
        let share = 1 + random.next(below: 3)
        var weights: [String: UInt64] = [:]
        for entry in vocabulary {
            let root = 1 + random.next(below: 8)
            if random.chance(share, in: 4) { weights[entry] = root * root }
        }
        self.weights = weights
    }

    /// Those that are switched on, in the order given.
    func active(of entries: [String]) -> [String] { entries.filter { weights[$0] != nil } }

    /// One of those that are switched on, by weight; nil when none is.
    func pick(of entries: [String], random: inout RandomStream) -> String? {
        let active = active(of: entries)
        let total = active.reduce(0) { $0 + (weights[$1] ?? 0) }
        guard total > 0 else { return nil }
        var place = random.next(below: total)
        for entry in active {
            let weight = weights[entry] ?? 0
            if place < weight { return entry }
            place -= weight
        }
        return active.last
    }
}
