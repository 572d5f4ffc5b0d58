import Configuration
import Platform

/// Tells people again that somebody waits for them, and reminds them of what they have to have done by a day, and of their turns of duties. When,
/// and whether at all, ``ReminderPolicy``, ``DueDatePolicy`` and ``DutyReminderPolicy`` decide from what stands in the database at that moment;
/// a reminder and its notification are one transaction, so a crash neither loses nor doubles one.
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
    /// At least so often the service looks: reminders become due when a push is accepted, or a sweep shows a date, which rings no bell.
    let longestWait: Duration
    private let tellsAgain: Bool
    /// The standard of those who chose none; nil where nobody is reminded of due dates.
    private let dueLeadTime: Duration?
    private let duties: DutyReminders

    /// Asks of one transaction, so that deliveries need not wait long.
    static let batch = 50

    /// Works with what polling works with.
    init(_ context: PollingContext, status: PollingStatusBoard) {
        let configuration = context.configuration
        // Without sweeps nobody learns that a day was moved: what an earlier process had read is not to be relied on.
        let readsDueDates = configuration.dueRemindersEnabled && configuration.changeDetection == .sweep
        self.status = status
        tellsAgain = configuration.remindersEnabled
        dueLeadTime = readsDueDates ? configuration.dueLeadTime : nil
        duties = DutyReminders(
            outbox: context.outbox,
            zones: context.zones,
            asks: context.pipeline.asks,
            remindsAhead: configuration.dueRemindersEnabled
        )
        longestWait = min(.minutes(1), ReminderPolicy(configuration).delays[0])
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
        while await !beginAnew() { try await time.sleep(for: longestWait) }
        while await !planDueDates() { try await time.sleep(for: longestWait) }
        var clocks = (wall: time.wallNow, monotonic: time.monotonicNow)
        while true {
            clocks = await followClock(clocks)
            let pause = await work()
            try await time.sleep(for: pause)
        }
    }

    /// Does what is due. Returns how long until the next look.
    func work() async -> Duration {
        do {
            // What a duty asks for when it is due, asks are reminded of.
            return min(try await workOnDuties(), try await workOnAsks(), try await workOnDueDates())
        } catch {
            return note(error)
        }
    }

    /// Notices that the wall clock was set since both showed `clocks`, and moves what waits by as much: an hour is an hour, whatever the clock shows.
    /// What goes by the clock on the wall is looked at anew. Returns what both show.
    private func followClock(
        _ clocks: (wall: WallTime, monotonic: MonotonicInstant)
    ) async -> (wall: WallTime, monotonic: MonotonicInstant) {
        let now = (wall: time.wallNow, monotonic: time.monotonicNow)
        let passed = clocks.monotonic.duration(to: now.monotonic)
        let step = clocks.wall.duration(to: now.wall) - passed
        guard step > .seconds(1) || step < .seconds(-1) else { return now }
        do {
            try await store.transaction { store in
                try store.shiftReminders(by: step, noticedAfter: passed, at: now.wall)
                // A clock that is a little fast says nothing of a day that is not so.
                let wasFarOff = step > Store.clockLead || step < .zero - Store.clockLead
                try store.lookAtDueDates(at: now.wall, alsoOver: wasFarOff)
                try store.lookAtDuties(at: now.wall, alsoOver: wasFarOff)
            }
            return now
        } catch {
            // The next look notices it again.
            _ = note(error)
            return clocks
        }
    }

    private func workOnAsks() async throws -> Duration {
        guard tellsAgain else { return longestWait }
        while true {
            let now = time.wallNow
            guard let next = try await store.read({ try $0.nextReminder() }) else { return longestWait }
            guard next <= now else { return min(now.duration(to: next), longestWait) }
            let pass = try await store.transaction { [outbox, zones, status] store in
                try ReminderPass(at: now, outbox: outbox, zones: zones, status: status, in: store)
            }
            tell(pass)
        }
    }

    private func workOnDueDates() async throws -> Duration {
        guard let dueLeadTime else { return longestWait }
        while true {
            let now = time.wallNow
            guard let next = try await store.read({ try $0.nextDueDate() }) else { return longestWait }
            guard next <= now else { return min(now.duration(to: next), longestWait) }
            let pass = try await store.transaction { [outbox, zones, status] store in
                try DueDatePass(
                    at: now,
                    leadTime: dueLeadTime,
                    outbox: outbox,
                    zones: zones,
                    status: status,
                    in: store
                )
            }
            tell(pass)
        }
    }

    private func workOnDuties() async throws -> Duration {
        while true {
            let now = time.wallNow
            guard let next = try await store.read({ try $0.nextDutyLook() }) else { return longestWait }
            guard next <= now else { return min(now.duration(to: next), longestWait) }
            tell(try await store.transaction { [duties] in try DutyReminderPass(at: now, duties, in: $0) })
        }
    }

    /// What an earlier process held was not looked at since, and what it put off may go by a clock that was wrong. False when it has to be
    /// tried again.
    private func beginAnew() async -> Bool {
        do {
            try await store.transaction { [time] store in
                try store.forgetHeldReminders()
                try store.endFormerReminders(at: time.wallNow)
                try store.lookAtDuties(at: time.wallNow, alsoOver: true)
            }
            return true
        } catch {
            _ = note(error)
            return false
        }
    }

    /// The operator may have chosen another lead time since, and the rules of a zone may be others. False when it has to be tried again.
    private func planDueDates() async -> Bool {
        guard let dueLeadTime else { return true }
        do {
            var last = AccountID(rawValue: 0)
            while true {
                let now = time.wallNow
                let planned = try await store.transaction { [zones, last] store in
                    let accounts = try store.accountsWithDueDates(after: last, limit: ReminderService.batch)
                    for account in accounts {
                        let policy = try store.settings(of: account).dueDatePolicy(zones, leadTime: dueLeadTime)
                        try store.replanDueDates(of: account, by: policy, isNews: false, at: now)
                    }
                    return accounts.last
                }
                guard let planned else { return true }
                last = planned
            }
        } catch {
            _ = note(error)
            return false
        }
    }

    /// Nothing was changed, so the same is tried again.
    private func note(_ error: any Error) -> Duration {
        log.write(.remindersFailed, [("error", .text(String(describing: error)))])
        return longestWait
    }

    private func tell(_ pass: DueDatePass) {
        if !pass.sent.isEmpty { outboxSignal.send() }
        for reminder in pass.sent {
            metrics.count(
                .dueRemindersSent,
                1,
                [reminder.step == .ahead ? "ahead" : "overdue"],
                of: reminder.due.account
            )
            log.write(
                .dueReminderQueued,
                [
                    ("account.id", .number(reminder.due.account.rawValue)),
                    ("watch.id", .number(reminder.due.watch.rawValue)), ("due.on", .text(reminder.due.day.text)),
                    ("due.step", .count(reminder.step.rawValue)), ("notification.id", .text(reminder.notification)),
                ]
            )
        }
        for due in pass.held {
            metrics.count(.remindersHeld, 1, of: due.account)
            log.write(
                .dueReminderHeld,
                [("account.id", .number(due.account.rawValue)), ("watch.id", .number(due.watch.rawValue))]
            )
        }
    }

    private func tell(_ pass: DutyReminderPass) {
        if !pass.sent.isEmpty { outboxSignal.send() }
        for reminder in pass.sent {
            metrics.count(.dutyRemindersSent, 1, [reminder.step.rawValue], of: reminder.account)
            log.write(
                .dutyReminderQueued,
                [
                    ("account.id", .number(reminder.account.rawValue)), ("occurrence.id", .text(reminder.occurrence)),
                    ("duty.step", .text(reminder.step.rawValue)), ("notification.id", .text(reminder.notification)),
                ]
            )
        }
        for silenced in pass.silenced {
            silenced.reason.report(silenced.keys, to: log, ("account.id", .number(silenced.account.rawValue)))
            metrics.count(.factsSilenced, silenced.keys.count, [silenced.reason.rawValue], of: silenced.account)
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
    /// What is put off from now on because nobody knows whether it was dealt with.
    var held: [Ask] = []

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
            // "Later" was said of what no device has yet: its time counts from when one has.
            guard ask.toldAt != nil else {
                try store.unplanReminders(of: ask, dueBy: now)
                continue
            }
            let waiting = try store.waitingReminders(of: ask)
            let account = try store.account(ask.account)
            let settings = try store.settings(of: ask.account)
            let circumstances = ReminderPolicy.Circumstances(
                areWanted: settings.areRemindersOn,
                quietUntil: settings.quietHours(zones)?.end(at: now),
                isInformed: !ask.kind.isOfGitLab
                    || account?.state == .active && account?.troubleSince == nil
                        && status[ask.account]?.todosReadAt != nil
            )
            switch ReminderPolicy.decide(ask, waiting, circumstances, at: now) {
            case .done, .wait: break
            case .hold(let instant):
                if waiting.allSatisfy({ $0.heldSince == nil }) { held.append(ask) }
                try store.holdReminders(of: ask, dueBy: now, until: instant)
            case .postpone(let end): try store.postponeReminders(of: ask, dueBy: now, until: end)
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
