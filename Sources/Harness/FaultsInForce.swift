import Scenarios

/// Faults of one kind, which may overlap: the one that began last counts, and when it ends the one before it does again.
struct FaultsInForce<Value> {
    private var running: [(id: EntryID, value: Value)] = []

    /// What counts now; nil when none is in force.
    var current: Value? { running.last?.value }

    mutating func begin(_ id: EntryID, _ value: Value) {
        running.append((id, value))
    }

    mutating func end(_ id: EntryID) {
        running.removeAll { $0.id == id }
    }
}
