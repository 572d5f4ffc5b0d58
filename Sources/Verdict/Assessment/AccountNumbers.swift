import Scenarios

/// Who stands behind the notifier's numbers of accounts in its log: what devices were told proves it, and without such a proof accounts are
/// taken to be numbered in the order in which registrations were answered, from 1.
struct AccountNumbers {
    private var people: [Int64: Username] = [:]
    private let proven: Set<Int64>
    private let only: Username?

    /// Entries that name a device together with its account.
    private static let devices: Set<String> = ["device.registered", "device.revived", "device.moved"]

    init(_ record: RunRecord) {
        var order: [Username] = []
        // Of two that were answered at one instant the record names the first first.
        let registrations = record.registrations.enumerated().sorted {
            ($0.element.activeFrom, $0.offset) < ($1.element.activeFrom, $1.offset)
        }
        .map { $0.element }
        for registration in registrations where !order.contains(registration.person) {
            order.append(registration.person)
        }
        only = order.count == 1 ? order[0] : nil
        var proofs = Self.proofs(record)
        // Whoever left and came back has a second number: there may be as many as there were sign-ins.
        if proofs.count < registrations.count { Self.addDevices(record, to: &proofs) }
        proven = Set(proofs.keys)
        let placed = Set(proofs.values)
        // Requests of two may come in another order than their answers: whoever is left has what is left.
        var free = (Int64(1)...).lazy.filter { [proven] in !proven.contains($0) }.makeIterator()
        people = proofs
        for person in order where !placed.contains(person) { if let number = free.next() { people[number] = person } }
    }

    /// Whether anything is read from entries of that message here.
    static func reads(_ message: String) -> Bool { devices.contains(message) }

    /// Whether the account is known to be the person's, and not only taken to be.
    func isProven(_ number: Int64?) -> Bool { only != nil || (number.map { proven.contains($0) } ?? false) }

    /// The person of an account; the only person there is, whatever the number, or with none.
    func person(of number: Int64?) -> Username? { number.flatMap { people[$0] } ?? only }

    /// From notifications of which the log says the account, and a push or a device whose they are.
    private static func proofs(_ record: RunRecord) -> [Int64: Username] {
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

    /// From deliveries whose push was seen, to devices of which the log says the account: no entry says what news of the service it queues.
    private static func addDevices(_ record: RunRecord, to numbers: inout [Int64: Username]) {
        var accounts: [Int64: Int64] = [:]
        var deliveries: [String: Int64] = [:]
        for entry in record.log {
            guard let device = entry.number(.deviceID) else { continue }
            if devices.contains(entry.message) {
                if let number = entry.accountNumber { accounts[device] = number }
            } else if let number = accounts[device], numbers[number] == nil, let id = entry.identifier(.apnsID) {
                deliveries[id.lowercased()] = number
            }
        }
        guard !deliveries.isEmpty else { return }
        for push in record.pushes {
            guard let owner = push.person, let number = deliveries[push.apnsID.lowercased()], numbers[number] == nil
            else { continue }
            numbers[number] = owner
        }
    }
}
