import Configuration
import Platform

/// Tells people again that somebody waits for them. When, and whether at all, ``ReminderPolicy`` decides from what stands in the database
/// at that moment; a reminder and its notification are one transaction, so a crash neither loses nor doubles one.
struct ReminderService: Sendable {
    let store: StoreActor
    let outbox: Outbox
    let zones: any TimeZoneSource
    let time: any TimeSource
    /// Sent when a reminder was put into the outbox.
    let outboxSignal: WakeSignal
    /// Who has read what of GitLab.
    let status: PollingStatusBoard
    let log: Log
    let metrics: MetricsRegistry
    /// At least so often the service looks: reminders become due when a push is accepted, which rings no bell.
    let longestWait: Duration

    /// Asks of one transaction, so that deliveries need not wait long.
    static let batch = 50

    /// Works with what polling works with. Nil where nobody is to be reminded.
    init?(_ context: PollingContext, status: PollingStatusBoard) {
        guard context.configuration.remindersEnabled else { return nil }
        self.status = status
        longestWait = min(.minutes(1), ReminderPolicy(context.configuration).delays[0])
        store = context.store
        outbox = context.outbox
        zones = context.zones
        time = context.time
        outboxSignal = context.outboxSignal
        log = context.log
        metrics = context.metrics
    }

    /// Works until the task is cancelled.
    ///
    /// - Throws: `CancellationError` when cancelled.
    func run() async throws {
        while true {
            let pause = await work()
            try await time.sleep(for: pause)
        }
    }

    /// Does what is due. Returns how long until the next look.
    func work() async -> Duration {
        do {
            while true {
                let now = time.wallNow
                guard let next = try await store.read({ try $0.nextReminder() }) else { return longestWait }
                guard next <= now else { return min(now.duration(to: next), longestWait) }
                let pass = try await store.transaction { [outbox, zones, status] store in
                    try ReminderPass(at: now, outbox: outbox, zones: zones, status: status, in: store)
                }
                tell(pass)
            }
        } catch {
            // Nothing was changed, so the same is tried again.
            log.write(.remindersFailed, [("error", .text(String(describing: error)))])
            return longestWait
        }
    }

    private func tell(_ pass: ReminderPass) {
        if !pass.sent.isEmpty { outboxSignal.send() }
        for reminder in pass.sent {
            metrics.count(.remindersSent, 1, ["\(reminder.step)"], of: reminder.ask.account)
            log.write(
                .reminderQueued,
                [
                    ("account.id", .number(reminder.ask.account.rawValue)), ("ask.id", .text(reminder.ask.publicID)),
                    ("reminder.step", .count(reminder.step)), ("notification.id", .text(reminder.notification)),
                ]
            )
        }
        for ask in pass.held {
            metrics.count(.remindersHeld, 1, of: ask.account)
            log.write(.reminderHeld, [("account.id", .number(ask.account.rawValue)), ("ask.id", .text(ask.publicID))])
        }
        for (ask, reason) in pass.settled {
            log.write(
                .askSettled,
                [
                    ("account.id", .number(ask.account.rawValue)), ("ask.id", .text(ask.publicID)),
                    ("reason", .text(reason.rawValue)),
                ]
            )
        }
    }
}

/// One transaction's work: what was due of some asks.
private struct ReminderPass: Sendable {
    struct Sent: Sendable {
        var ask: Ask
        var step: Int
        /// The id that clients know.
        var notification: String
    }

    var sent: [Sent] = []
    /// What is put off from now on because GitLab cannot be read.
    var held: [Ask] = []
    var settled: [(Ask, Ask.Settlement)] = []

    init(
        at now: WallTime,
        outbox: Outbox,
        zones: any TimeZoneSource,
        status: PollingStatusBoard,
        in store: Store
    ) throws {
        // Whatever is due is so no more afterwards: each decision ends or moves it.
        let due = try store.asksWithDueReminders(at: now, limit: ReminderService.batch)
        for ask in due {
            let waiting = try store.waitingReminders(of: ask)
            let account = try store.account(ask.account)
            let settings = try store.settings(of: ask.account)
            let circumstances = ReminderPolicy.Circumstances(
                areWanted: settings.areRemindersOn,
                quietUntil: settings.quietHours(zones)?.end(at: now),
                // What a program asks is dealt with elsewhere than in GitLab.
                isInformed: ask.kind == .approvalNeeded
                    || account?.state == .active && account?.troubleSince == nil
                        && status[ask.account]?.todosReadAt != nil
            )
            switch ReminderPolicy.decide(ask, waiting, circumstances, at: now) {
            case .done, .wait: break
            case .hold(let instant):
                if waiting.allSatisfy({ $0.heldSince == nil }) { held.append(ask) }
                try store.postponeReminders(of: ask, dueBy: now, until: instant, isHeld: true)
            case .postpone(let instant): try store.postponeReminders(of: ask, dueBy: now, until: instant)
            case .settle(let reason):
                try store.settle(ask, by: reason, at: now)
                settled.append((ask, reason))
            case .skip(let steps): try store.finishReminders(of: ask, steps, as: .skipped)
            case .send(let step, let skipped):
                try store.finishReminders(of: ask, skipped, as: .skipped)
                let draft = NotificationDraft(
                    account: ask.account,
                    subject: .reminder(try store.reminderText(of: ask, step: step))
                )
                let enqueued = try outbox.enqueue(draft, at: now, in: store)
                try store.finishReminders(of: ask, [step], as: .sent, notification: enqueued.id)
                sent.append(Sent(ask: ask, step: step, notification: enqueued.publicID))
            }
        }
    }
}
