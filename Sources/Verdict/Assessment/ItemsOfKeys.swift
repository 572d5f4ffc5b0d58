import Scenarios

/// The item that a fact key speaks of.
struct ItemsOfKeys {
    private struct Key: Hashable {
        var person: Int
        var text: String
    }

    private var items: [Key: ItemReference] = [:]

    init(_ record: RunRecord, _ truth: GroundTruth) {
        for pair in truth.pairs {
            guard let item = record.activities[pair.activity].item else { continue }
            for key in pair.keys.own { items[Key(person: pair.person, text: key)] = item }
        }
    }

    func item(of key: String, person: Int) -> ItemReference? { items[Key(person: person, text: key)] }
}
