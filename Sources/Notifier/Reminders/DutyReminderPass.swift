import Duties
import Platform

/// Tells people of their turns by the clock: with what, and whether ahead at all.
struct DutyReminders: Sendable {
    let outbox: Outbox
    let zones: any TimeZoneSource
    /// Makes asks of what is due; nil where nobody is told again.
    let asks: AskSource?
    /// Whether anybody is reminded before something is due.
    let remindsAhead: Bool
}

/// One transaction's work: what of duties had to be looked at.
struct DutyReminderPass: Sendable {
    struct Sent: Sendable {
        var account: AccountID
        var step: DutyStep
        var occurrence: String
        /// The id that clients know.
        var notification: String
    }

    /// Duties of one transaction, so that deliveries need not wait long.
    static let batch = 20

    /// What was due and is told to nobody.
    struct Silenced: Sendable {
        var account: AccountID
        var reason: Candidate.SuppressionReason
        var keys: [FactKey]
    }

    private(set) var sent: [Sent] = []
    private(set) var silenced: [Silenced] = []
    /// How many duties were looked at; each is to be looked at later, or no more.
    private(set) var count = 0
    private let reminders: DutyReminders
    private let now: WallTime
    /// When the duty at hand was to be looked at.
    private var planned: WallTime
    private var settings: [AccountID: PersonSettings] = [:]
    private var mutes: [AccountID: [String: MuteSpan]] = [:]

    init(at now: WallTime, _ reminders: DutyReminders, in store: Store) throws {
        (self.reminders, self.now, planned) = (reminders, now, now)
        for (number, instant) in try store.dutiesToLookAt(at: now, limit: Self.batch) {
            count += 1
            planned = instant
            guard let record = try store.duty(number: number) else { continue }
            try store.lookAtDuty(number, at: try look(at: record, in: store))
        }
    }

    /// Tells what is to be told of one duty; returns when it is looked at next.
    private mutating func look(at record: DutyRecord, in store: Store) throws -> WallTime? {
        let zone = TimeZone(record.duty.zone, from: reminders.zones) ?? .utc
        let policy = DutyReminderPolicy(duty: record.duty, zone: zone)
        let start = now.advanced(by: .zero - DutyReminderPolicy.longestDelay)
        var next: WallTime?
        for occurrence in try store.openOccurrences(of: record, from: start, limit: DutyPolicy.mostOpen) {
            guard let member = occurrence.assignee.flatMap(record.member), let account = member.account else {
                continue
            }
            guard let look = try look(at: occurrence, record, account, policy, in: store) else { continue }
            next = min(next ?? look, look)
        }
        return next
    }

    private mutating func look(
        at occurrence: Occurrence,
        _ record: DutyRecord,
        _ account: AccountID,
        _ policy: DutyReminderPolicy,
        in store: Store
    ) throws -> WallTime? {
        let slots = policy.slots(of: occurrence)
        // Most lie ahead.
        guard let first = slots.first else { return nil }
        guard first.from <= now else { return first.from }
        let circumstances = try circumstances(of: account, record.duty.id.description, slots, in: store)
        var told = try store.toldDutySteps(of: occurrence, to: account)
        func finish(_ steps: [DutyStep]) throws {
            told.formUnion(steps)
            for slot in slots where steps.contains(slot.step) {
                try store.finish(slot, of: occurrence, to: account, at: now)
            }
        }
        while true {
            switch policy.decide(occurrence, told: told, circumstances, at: now) {
            case .wait(let next): return next
            case .postpone(let end): return end
            case .skip(let steps): try finish(steps)
            case .silence(let steps, let reason):
                try finish(steps)
                let keys = steps.map { FactKey.duty(occurrence, $0) }
                silenced.append(Silenced(account: account, reason: reason, keys: keys))
            case .send(let step):
                try finish([step])
                try tell(step, occurrence, record, account, policy, in: store)
            }
        }
    }

    private mutating func circumstances(
        of account: AccountID,
        _ duty: String,
        _ slots: [DutyReminderPolicy.Slot],
        in store: Store
    ) throws -> DutyReminderPolicy.Circumstances {
        let known = try settings[account] ?? store.settings(of: account)
        settings[account] = known
        let own = try mutes[account] ?? store.dutyMutes(of: account)
        mutes[account] = own
        let mute = own[duty]
        let muted = slots.filter { slot in mute?.silences(max(slot.from, planned), at: now) ?? false }
        return DutyReminderPolicy.Circumstances(
            isReminded: reminders.remindsAhead && known.areDueRemindersOn,
            muted: Set(muted.map(\.step)),
            quietUntil: known.quietHours(reminders.zones)?.end(at: now)
        )
    }

    private mutating func tell(
        _ step: DutyStep,
        _ occurrence: Occurrence,
        _ record: DutyRecord,
        _ account: AccountID,
        _ policy: DutyReminderPolicy,
        in store: Store
    ) throws {
        var reference = DutyReference(record.duty, occurrence)
        if step == .due {
            reference.ask = reminders.asks?.entropy.uuidString()
            reference.collapseID = try store.formerDutyAsk(of: occurrence, to: account)
        }
        let fact = Fact(
            key: .duty(occurrence, step),
            action: step.action,
            actor: Actor(id: 0, username: "", name: ""),
            itemTitle: record.duty.title,
            body: DutyNews.due(occurrence, record.duty, policy.zone),
            occurredAt: now,
            source: .duty,
            sourceID: 0,
            duty: reference
        )
        let draft = NotificationDraft(account: account, subject: .activity([fact]))
        let enqueued = try reminders.outbox.enqueue(draft, at: now, in: store)
        if let source = reminders.asks {
            try AskRecord(account: account, source: source, now: now).raise([fact], toldBy: enqueued.id, in: store)
        }
        sent.append(
            Sent(
                account: account,
                step: step,
                occurrence: occurrence.id.description,
                notification: enqueued.publicID
            )
        )
    }
}
