import Synchronization

/// The list of a merge request's approvals, which a test changes.
final class ApprovalList: Sendable {
    private let people = Mutex<[Int64]>([])

    /// Those who approve, by their ids.
    func set(_ ids: [Int64]) { people.withLock { $0 = ids } }

    var body: String {
        let entries = people.withLock { $0 }.map { id in
            #"{"user":{"id":\#(id),"username":"user\#(id)","name":"User \#(id)"}}"#
        }
        return #"{"approved_by":[\#(entries.joined(separator: ","))]}"#
    }
}
