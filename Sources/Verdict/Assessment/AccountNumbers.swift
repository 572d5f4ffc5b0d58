import Scenarios

/// Who stands behind the notifier's numbers of accounts in its log: what devices were told proves it, and without such a proof accounts are
/// taken to be numbered in the order in which registrations were answered, from 1.
struct AccountNumbers {
    private var people: [Int64: Username] = [:]
    private let only: Username?

    init(_ record: RunRecord) {
        var order: [Username] = []
        let registrations = record.registrations.sorted { ($0.activeFrom, $0.person) < ($1.activeFrom, $1.person) }
        for registration in registrations where !order.contains(registration.person) {
            order.append(registration.person)
        }
        only = order.count == 1 ? order[0] : nil
        let proven = Self.proven(record)
        let placed = Set(proven.values)
        for (index, person) in order.enumerated() where !placed.contains(person) { people[Int64(index + 1)] = person }
        people.merge(proven) { _, proof in proof }
    }

    /// The person of an account; with no number the only person there is.
    func person(of number: Int64?) -> Username? {
        guard let number else { return only }
        return people[number]
    }

    /// From notifications of which the log says the account, and a push or a device whose they are.
    private static func proven(_ record: RunRecord) -> [Int64: Username] {
        var owners: [String: Username] = [:]
        for push in record.pushes { if let id = push.content?.notificationID { owners[id] = push.person } }
        for event in record.deviceEvents { if let id = event.content?.notificationID { owners[id] = event.person } }
        var numbers: [Int64: Username] = [:]
        for entry in record.log where entry.message == "notification.queued" || entry.message == "notification.enqueued"
        {
            guard let number = entry.accountNumber, numbers[number] == nil,
                let id = entry.identifier(.notificationID), let owner = owners[id]
            else { continue }
            numbers[number] = owner
        }
        return numbers
    }
}
