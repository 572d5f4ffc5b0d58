import Platform

/// One transaction's work: what of due dates had to be looked at.
struct DueDatePass: Sendable {
    struct Sent: Sendable {
        var due: DueWatch
        var step: DueStep
        /// The id that clients know.
        var notification: String
    }

    /// Items of one transaction, so that deliveries need not wait long.
    static let batch = 50

    private(set) var sent: [Sent] = []
    /// What is put off from now on because GitLab could not be read.
    private(set) var held: [DueWatch] = []
    /// How many items were looked at; each is to be looked at later, or no more.
    private(set) var count = 0

    init(
        at now: WallTime,
        leadTime: Duration,
        outbox: Outbox,
        zones: any TimeZoneSource,
        status: PollingStatusBoard,
        in store: Store
    ) throws {
        for due in try store.dueWatches(at: now, limit: Self.batch) {
            count += 1
            let settings = try store.settings(of: due.account)
            let policy = settings.dueDatePolicy(zones, leadTime: leadTime)
            let told = try store.toldSteps(of: due.item, due.day, to: due.account)
            let account = try store.account(due.account)
            let isReadable = account?.state == .active && account?.troubleSince == nil
            let muted = policy.slots(of: due.day).filter { slot in
                due.mute?.silences(max(slot.from, due.nextAt, due.plannedAt), at: now) ?? false
            }
            let circumstances = DueDatePolicy.Circumstances(
                isWanted: settings.areDueRemindersOn,
                muted: Set(muted.map(\.step)),
                quietUntil: settings.quietHours(zones)?.end(at: now),
                dueAt: due.nextAt,
                heldSince: due.heldSince,
                readAt: isReadable ? status[due.account]?.sweptAt : nil
            )
            let decision = policy.decide(due.day, told: told, circumstances, at: now)
            try carryOut(decision, due, told, policy, isReadable: isReadable, at: now, outbox: outbox, in: store)
        }
    }

    private mutating func carryOut(
        _ decision: DueDatePolicy.Decision,
        _ due: DueWatch,
        _ told: Set<DueStep>,
        _ policy: DueDatePolicy,
        isReadable: Bool,
        at now: WallTime,
        outbox: Outbox,
        in store: Store
    ) throws {
        switch decision {
        case .wait(let next): try store.lookAtDueDate(of: due.watch, at: next, now: now)
        case .postpone(let end): try store.lookAtDueDate(of: due.watch, at: end, now: now)
        case .hold(let next):
            // To wait for the next look at GitLab, which comes soon, is nothing remarkable.
            if due.heldSince == nil, !isReadable { held.append(due) }
            try store.lookAtDueDate(of: due.watch, at: next, isHeld: true, now: now)
        case .skip(let steps):
            for step in steps { try store.finish(step, of: due, by: policy, at: now) }
            try lookAgain(at: due, told.union(steps), policy, at: now, in: store)
        case .send(let step, let skipped):
            for step in skipped + [step] { try store.finish(step, of: due, by: policy, at: now) }
            try lookAgain(at: due, told.union(skipped).union([step]), policy, at: now, in: store)
            let text = DueText(
                item: due.item,
                itemTitle: due.description.title,
                projectPath: due.description.projectPath,
                webURL: due.description.webURL,
                day: due.day,
                step: step,
                today: DueDay(policy.zone.date(at: now))
            )
            let enqueued = try outbox.enqueue(
                NotificationDraft(account: due.account, subject: .due(text)),
                at: now,
                in: store
            )
            sent.append(Sent(due: due, step: step, notification: enqueued.publicID))
        }
    }

    private func lookAgain(
        at due: DueWatch,
        _ told: Set<DueStep>,
        _ policy: DueDatePolicy,
        at now: WallTime,
        in store: Store
    ) throws {
        try store.lookAtDueDate(of: due.watch, at: policy.next(due.day, told: told, at: now), now: now)
    }
}
