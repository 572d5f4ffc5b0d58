import Platform
import Scenarios

/// What the verdict reads from the notifier's log. It is a help, never a proof: each reading has a fallback for a log that
/// is silent, and who must learn of what never comes from here. One deadline does: a wait that GitLab asked for puts it off, as far as
/// a fault in force excuses that wait.
struct NotifierLog {
    struct Enqueue {
        var at: Duration
        var notificationID: String
        /// Nil when the entry does not say for whom.
        var person: Username?
        var factKeys: [String]
        /// How many devices it goes to; nil when the entry does not say.
        var deliveries: Int64?
    }

    /// What the log says of the end of a delivery that APNs did not take.
    struct End {
        /// Whether it was given up, grew too old, or nobody needed it any more.
        enum Kind { case dead, expired, moot, other }

        var at: Duration
        var kind: Kind
        /// Whether it grows too old only before it could be tried again.
        var isAhead = false
        /// Nil when no entry says which notification it was of; in the same way the others.
        var notificationID: String?
        /// The apns-id, in lower case.
        var deliveryID: String?
        var deviceNumber: Int64?
    }

    /// Notifications put into the outbox, in order.
    private(set) var enqueues: [Enqueue] = []
    /// When reminders were put into the outbox, by the notification's id.
    private(set) var reminders: [String: Duration] = [:]
    /// Of these the ones about turns of duties, in order: they count as unread, also where nothing is pushed.
    private(set) var turns: [(at: Duration, notificationID: String, person: Username?)] = []
    /// When facts that wait for the end of quiet hours were read, in order.
    private(set) var holds: [(at: Duration, person: Username?, factKeys: [String])] = []
    /// Facts that were read and are told to nobody, in order.
    private(set) var silences: [(person: Username?, reason: String, factKeys: [String])] = []
    /// When somebody was told that GitLab refuses their token, in order. The person is nil where it is not proven who it was.
    private(set) var refusals: [(at: Duration, person: Username?)] = []
    /// When somebody was told that GitLab cannot be read, in order; the person as above.
    private(set) var troubles: [(at: Duration, person: Username?)] = []
    /// Ends of deliveries, in order; ``DeliveryEnds`` says which are believed.
    private(set) var ends: [End] = []
    /// True when a delivery ended of which the log does not say whose it was, so that its silence proves nothing.
    private(set) var hasUnknownEnd = false
    /// Spans in which a person's polls waited after a refusal by the limiter, or after another failure. A nil person is
    /// everybody.
    private(set) var waits: [(person: Username?, owner: LatencyOwner, span: Span)] = []

    /// What entries say.
    private enum Kind {
        case enqueue, reminder, turn, hold, silence, refusal, trouble
        case end(End.Kind)
        case wait(LatencyOwner)
    }

    private static let kinds: [String: Kind] = [
        "notification.enqueued": .enqueue, "notification.queued": .enqueue,
        "reminder.queued": .reminder, "due.queued": .reminder, "duty.reminder_queued": .turn,
        "fact.held": .hold,
        "fact.own_action": .silence, "fact.backdated": .silence, "fact.muted": .silence, "fact.muted_duty": .silence,
        "fact.denied_actor": .silence, "fact.dismissed": .silence, "fact.covered": .silence,
        "fact.switched_off": .silence,
        "auth.expired": .refusal,
        "service.trouble": .trouble,
        "delivery.dead": .end(.dead), "delivery.expired": .end(.expired), "delivery.moot": .end(.moot),
        "delivery.rejected": .end(.other), "delivery.dropped": .end(.other),
        "poll.rate_limited": .wait(.rateLimit),
        "poll.backoff": .wait(.backoff), "poll.failed": .wait(.backoff), "poll.given_up": .wait(.backoff),
        "poll.refused": .wait(.backoff),
    ]
    /// How messages about one delivery begin: each may say which notification it is of.
    static let deliveryPrefix = "delivery."
    /// Nothing is known of a wait's length: it ends with the person's next poll, at the latest after so long.
    private static let unknownWait = Duration.seconds(60)

    init(_ record: RunRecord) {
        let accounts = AccountNumbers(record)
        var deliveries: [Int64: LogRecord] = [:]
        for entry in record.log {
            let message = entry.message
            if message.hasPrefix(Self.deliveryPrefix), let number = entry.number(.deliveryID),
                entry.identifier(.apnsID) != nil
            {
                deliveries[number] = entry
            }
            switch Self.kinds[message] {
            case .enqueue: addEnqueue(entry, accounts)
            case .reminder: addReminder(entry)
            case .turn:
                addReminder(entry)
                guard let id = entry.identifier(.notificationID) else { continue }
                turns.append((entry.at, id, entry.person(among: accounts)))
            case .hold: holds.append((entry.at, entry.person(among: accounts), entry.factKeys))
            case .silence: silences.append((entry.person(among: accounts), message, entry.factKeys))
            case .refusal: refusals.append((entry.at, entry.provenPerson(among: accounts)))
            case .trouble: troubles.append((entry.at, entry.provenPerson(among: accounts)))
            case .end(let kind): addEnd(entry, kind, earlier: entry.number(.deliveryID).flatMap { deliveries[$0] })
            case .wait(let owner): addWait(entry, owner, accounts)
            case nil: continue
            }
        }
    }

    /// Whether anything is read from entries of that message.
    fileprivate static func reads(_ message: String) -> Bool {
        kinds[message] != nil || message.hasPrefix(deliveryPrefix) || AccountNumbers.reads(message)
    }

    private mutating func addReminder(_ entry: LogRecord) {
        guard let id = entry.identifier(.notificationID) else { return }
        reminders[id] = reminders[id] ?? entry.at
    }

    private mutating func addEnqueue(_ entry: LogRecord, _ accounts: AccountNumbers) {
        guard let id = entry.identifier(.notificationID) else { return }
        let keys = entry.factKeys
        guard !keys.isEmpty else { return }
        enqueues.append(
            Enqueue(
                at: entry.at,
                notificationID: id,
                person: entry.person(among: accounts),
                factKeys: keys,
                deliveries: entry.number(.deliveries)
            )
        )
    }

    /// Each may say of itself which delivery it is about, or an earlier entry did.
    private mutating func addEnd(_ entry: LogRecord, _ kind: End.Kind, earlier: LogRecord?) {
        var end = End(at: entry.at, kind: kind)
        end.deliveryID = (entry.identifier(.apnsID) ?? earlier?.identifier(.apnsID))?.lowercased()
        end.notificationID = entry.identifier(.notificationID) ?? earlier?.identifier(.notificationID)
        end.deviceNumber = entry.number(.deviceID) ?? earlier?.number(.deviceID)
        if kind == .dead, entry.text(.reason) == "expired" { (end.kind, end.isAhead) = (.expired, true) }
        ends.append(end)
        if end.deliveryID == nil && end.notificationID == nil { hasUnknownEnd = true }
    }

    private mutating func addWait(_ entry: LogRecord, _ owner: LatencyOwner, _ accounts: AccountNumbers) {
        let span = Span(from: entry.at, until: entry.at + (entry.wait ?? Self.unknownWait))
        waits.append((entry.person(among: accounts), owner, span))
    }
}

extension LogRecord {
    /// Whether the verdict reads such entries. A large team's notifier writes a million others in a day, which need not be kept.
    package var isRead: Bool { NotifierLog.reads(message) }

    /// An identifier, whether it was logged as text or as number.
    func identifier(_ field: LogField) -> String? { text(field) ?? number(field).map(String.init) }

    /// The facts the entry is about.
    fileprivate var factKeys: [String] { (text(.facts) ?? "").split(separator: ",").map(String.init) }

    /// The person the entry is about; nil when it does not say.
    fileprivate func person(among accounts: AccountNumbers) -> Username? {
        if let name = text(.person) ?? text(.username) { return Username(name) }
        return accounts.person(of: accountNumber)
    }

    /// The same where it is proven: what is said of the wrong one would be held against the notifier.
    fileprivate func provenPerson(among accounts: AccountNumbers) -> Username? {
        let isNamed = text(.person) != nil || text(.username) != nil
        return isNamed || accounts.isProven(accountNumber) ? person(among: accounts) : nil
    }

    /// How the notifier numbers the account that the entry is about; nil when it does not say.
    var accountNumber: Int64? { number(.accountID) ?? number(.account) }

    /// How long the entry says that will be waited, a year at most: a log may say anything.
    fileprivate var wait: Duration? {
        for field in LogField.milliseconds {
            if let number = number(field), number >= 0 { return min(.milliseconds(number), .days(365)) }
        }
        for field in LogField.seconds {
            if let number = number(field), number >= 0 { return min(.seconds(number), .days(365)) }
        }
        return nil
    }
}
