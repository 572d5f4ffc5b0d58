import Platform
import Scenarios

/// What APNs, devices and feeds saw, found by person and fact key. Only keys that somebody may be notified of are kept, so
/// memory follows the truth and not the traffic.
struct Observations {
    /// Everything seen of one key, as positions in the record's arrays, rising.
    struct Trail {
        var pushes: [Int] = []
        var events: [Int] = []
        /// Device events of reminders, which say what they remind of once more.
        var reminders: [Int] = []
        var catchUps: [Int] = []
        var enqueues: [Int] = []
        /// In the log's holds.
        var holds: [Int] = []

        /// Joins two trails, each position once.
        mutating func merge(_ other: Trail) {
            reminders = Self.union(reminders, other.reminders)
            pushes = Self.union(pushes, other.pushes)
            events = Self.union(events, other.events)
            catchUps = Self.union(catchUps, other.catchUps)
            enqueues = Self.union(enqueues, other.enqueues)
            holds = Self.union(holds, other.holds)
        }

        private static func union(_ left: [Int], _ right: [Int]) -> [Int] {
            if right.isEmpty { return left }
            if left.isEmpty || left == right { return right }
            return Set(left).union(right).sorted()
        }
    }

    private struct Key: Hashable {
        var person: Int
        var text: String
    }

    private var trails: [Key: Trail] = [:]
    /// Positions in `RunRecord.pushes` by apns-id in lower case.
    private(set) var attempts: [String: [Int]] = [:]
    /// When a notification was first heard of: its log entry or its first push.
    private(set) var firstSeen: [String: Duration] = [:]
    /// When the log says that a notification was put into the outbox.
    private(set) var enqueuedAt: [String: Duration] = [:]
    /// Truncated notifications by person: positions in `RunRecord.pushes`.
    private(set) var truncated: [Int: [Int]] = [:]

    private let people: [Username: Int]
    private let approvals: ApprovalTurns
    /// When a fact was first heard of, as it is keyed on the wire: about when the notifier read it.
    private var readAt: [Key: Duration] = [:]

    init(_ record: RunRecord, truth: GroundTruth, log: NotifierLog) {
        people = Dictionary(uniqueKeysWithValues: truth.people.enumerated().map { ($1, $0) })
        approvals = truth.approvals
        for pair in truth.pairs where !pair.standing.isNotForThem {
            for key in pair.keys.own + pair.keys.shared { trails[Key(person: pair.person, text: key)] = Trail() }
        }
        readTimes(record, log)
        readPushes(record)
        readEvents(record)
        for (index, catchUp) in record.catchUps.enumerated() {
            add(catchUp.factKeys, of: catchUp.person) { $0.catchUps.append(index) }
        }
        readEnqueues(record, log)
        for (index, hold) in log.holds.enumerated() {
            if let person = hold.person { add(hold.factKeys, of: person) { $0.holds.append(index) } }
        }
    }

    private mutating func readTimes(_ record: RunRecord, _ log: NotifierLog) {
        for push in record.pushes {
            if let content = push.content, let person = push.person { heard(content.factKeys, by: person, at: push.at) }
        }
        for catchUp in record.catchUps { heard(catchUp.factKeys, by: catchUp.person, at: catchUp.at) }
        for enqueue in log.enqueues {
            if let person = enqueue.person { heard(enqueue.factKeys, by: person, at: enqueue.at) }
        }
        for hold in log.holds {
            if let person = hold.person { heard(hold.factKeys, by: person, at: hold.at) }
        }
    }

    private mutating func heard(_ keys: [String], by person: Username, at instant: Duration) {
        guard let number = people[person] else { return }
        for text in keys where ApprovalTurns.isListed(text) {
            let key = Key(person: number, text: text)
            readAt[key] = min(readAt[key] ?? instant, instant)
        }
    }

    /// The key under which what is told to a person is kept.
    private func key(_ text: String, of person: Int) -> Key {
        let key = Key(person: person, text: text)
        guard let instant = readAt[key] else { return key }
        return Key(person: person, text: approvals.canonical(text, readAt: instant))
    }

    private mutating func readPushes(_ record: RunRecord) {
        for (index, push) in record.pushes.enumerated() {
            attempts[push.apnsID.lowercased(), default: []].append(index)
            guard let content = push.content else { continue }
            if firstSeen[content.notificationID] == nil { firstSeen[content.notificationID] = push.at }
            guard content.type == nil, let person = push.person else { continue }
            add(content.factKeys, of: person) { $0.pushes.append(index) }
            if content.isTruncated, let number = people[person] { truncated[number, default: []].append(index) }
        }
    }

    private mutating func readEvents(_ record: RunRecord) {
        for (index, event) in record.deviceEvents.enumerated() {
            guard let content = content(of: event, in: record) else { continue }
            if content.reminder != nil { add(content.factKeys, of: event.person) { $0.reminders.append(index) } }
            guard content.type == nil else { continue }
            add(content.factKeys, of: event.person) { $0.events.append(index) }
        }
    }

    private mutating func readEnqueues(_ record: RunRecord, _ log: NotifierLog) {
        var owners: [String: Username] = [:]
        for push in record.pushes {
            if let content = push.content, let person = push.person { owners[content.notificationID] = person }
        }
        for (index, enqueue) in log.enqueues.enumerated() {
            if enqueuedAt[enqueue.notificationID] == nil { enqueuedAt[enqueue.notificationID] = enqueue.at }
            let seen = firstSeen[enqueue.notificationID] ?? enqueue.at
            firstSeen[enqueue.notificationID] = min(seen, enqueue.at)
            guard let person = owners[enqueue.notificationID] ?? enqueue.person else { continue }
            add(enqueue.factKeys, of: person) { $0.enqueues.append(index) }
        }
    }

    private mutating func add(_ keys: [String], of person: Username, _ change: (inout Trail) -> Void) {
        guard let number = people[person] else { return }
        for text in keys {
            guard let index = trails.index(forKey: key(text, of: number)) else {
                continue
            }
            change(&trails.values[index])
        }
    }

    /// What a device event was about; for an event without content that of its push.
    func content(of event: DeviceEventRecord, in record: RunRecord) -> PushContent? {
        if let content = event.content { return content }
        return attempts[event.apnsID.lowercased()]?.lazy.compactMap { record.pushes[$0].content }.first
    }

    /// Everything seen under these keys for one person.
    func trail(person: Int, keys: [String]) -> Trail {
        var trail = Trail()
        for text in keys {
            if let found = trails[Key(person: person, text: text)] { trail.merge(found) }
        }
        return trail
    }

    /// Whether somebody may be notified of that key.
    func isAllowed(_ key: String, for person: Username) -> Bool {
        people[person].map { trails[self.key(key, of: $0)] != nil } ?? false
    }
}
