import Platform

/// Draws the account's conclusions from a cycle: what its items, the person and the store learn of it.
extension AccountPoller {
    /// Carries out what the end of a cycle leads to.
    func draw(_ conclusion: PollCycle.Conclusion) async throws {
        switch conclusion {
        case .plan(let report, let count): plan(after: report, count)
        case .logNamed(let count): context.log.write(.pollNamed, [accountField, ("watch.count", .count(count))])
        case .settleItems(let verdicts): await settleItems(verdicts)
        case .expire(let rejection): try await expire(rejection)
        case .probeAgain(let at): schedule.set(.probe, at: at)
        case .clearDeaths: try await clearDeaths()
        case .settleTrouble(let isAnswered): try await settleTrouble(isAnswered: isAnswered)
        case .recordPoll: try await recordPoll()
        }
    }

    /// Tells each item's health how its reading went.
    private func settleItems(_ verdicts: [PollCycle.ItemVerdict]) async {
        let now = context.time.monotonicNow
        let interval = schedule.policy.pace.interval(items: polled?.items.count ?? 0)
        for verdict in verdicts {
            guard let item = polled?.item(verdict.watch) else { continue }
            note(item.health.take(verdict.reading, at: now, interval: interval), of: item)
            if item.missing != item.storedMissing { await storeMissing(of: item) }
        }
    }

    private func note(_ change: ItemHealth.Change, of item: PolledItem) {
        let watch = item.watched.watch
        switch change {
        case .none: return
        case .missing(let misses):
            item.missing = .init(since: item.missing.since ?? context.time.wallNow, count: misses)
            context.log.write(.watchMissing, fields(watch))
        case .paused(let misses):
            item.missing.count = misses
            context.log.write(.watchPaused, fields(watch))
        case .returned:
            item.missing = .init()
            context.log.write(.watchReturned, fields(watch))
        }
    }

    /// Where the store refuses, the item's next reading tries again.
    private func storeMissing(of item: PolledItem) async {
        let (missing, watch) = (item.missing, item.watched.watch)
        do {
            try await context.store.transaction {
                try $0.setMissing(since: missing.since, count: missing.count, of: watch)
            }
            item.storedMissing = missing
        } catch {
            context.log.write(.pollStoreFailed, fields(watch) + [("error", .text("\(error)"))])
        }
    }

    private func expire(_ rejection: GitLabError.TokenRejection) async throws {
        guard let judged = polled else { return }
        let (token, grantedAt) = (judged.account.token, judged.grantedAt)
        let now = context.time.wallNow
        let isHeld = try await context.store.transaction { [id, outbox = context.outbox] store in
            // The person may have signed in during the question: then the verdict is about what they had before.
            guard try store.holds(token, grantedAt: grantedAt, id) else { return false }
            guard try store.setState(.authExpired, of: id) else { return true }
            try outbox.enqueue(NotificationDraft(account: id, subject: .authExpired), at: now, in: store)
            return true
        }
        guard isHeld else {
            mustLoad = true
            return
        }
        polled?.account.state = .authExpired
        context.outboxSignal.send()
        measureNotice()
        measureEnd()
        context.log.write(.authExpired, [accountField, ("auth.rejection", .text(rejection.rawValue))])
        planRecheck(after: .unauthorized(rejection))
    }

    private func settleTrouble(isAnswered: Bool) async throws {
        guard let trouble else { return }
        let now = context.time.monotonicNow
        let wallNow = context.time.wallNow
        let change = isAnswered ? trouble.changeAfterSuccess() : trouble.change(failedAt: now, wallNow: wallNow)
        guard change != .none else { return }
        try await context.store.transaction { [id, outbox = context.outbox] store in
            try Self.write(change, of: id, at: wallNow, outbox: outbox, in: store)
        }
        self.trouble?.commit(change, at: now)
        log(change)
    }

    private static func write(
        _ change: ServiceTrouble.Change,
        of id: AccountID,
        at now: WallTime,
        outbox: Outbox,
        in store: Store
    ) throws {
        switch change {
        case .none: break
        case .began(let since): try store.setTrouble(since: since, isAnnounced: false, of: id)
        case .ended: try store.setTrouble(since: nil, isAnnounced: false, of: id)
        case .announceTrouble(let since):
            try store.setTrouble(since: since, isAnnounced: true, of: id)
            try outbox.enqueue(
                NotificationDraft(account: id, subject: .serviceTrouble(since: since)),
                at: now,
                in: store
            )
        case .announceRecovery(let since):
            try store.setTrouble(since: nil, isAnnounced: false, of: id)
            try outbox
                .enqueue(NotificationDraft(account: id, subject: .serviceRecovered(since: since)), at: now, in: store)
        }
    }

    private func log(_ change: ServiceTrouble.Change) {
        switch change {
        case .none, .ended: break
        case .began: context.log.write(.serviceFailing, [accountField])
        case .announceTrouble:
            context.outboxSignal.send()
            measureNotice()
            context.log.write(.serviceTrouble, [accountField])
        case .announceRecovery:
            context.outboxSignal.send()
            measureNotice()
            context.log.write(.serviceRecovered, [accountField])
        }
    }

    /// How often the store learns that polling goes well; who asks in between is told from memory.
    private static let storedPollInterval = Duration.minutes(5)

    private func recordPoll() async throws {
        if !haveKindsChanged { givingUpSince = nil }
        let now = context.time.monotonicNow
        let wallNow = context.time.wallNow
        status.note(pollingStatus(at: wallNow), of: id)
        if let stored = polled?.storedPollAt, stored.duration(to: now) < Self.storedPollInterval { return }
        let behind = polled?.completeAt(now).duration(to: now) ?? .zero
        // Whoever learns late that a watch's lists have been read tells no more than what came since it began.
        let begun = polled?.items.filter { $0.isRead && !$0.isReadStored } ?? []
        let watches = begun.map(\.watched.watch)
        try await context.store.transaction { [id] store in
            try store.setLastPoll(wallNow, completeAt: wallNow.advanced(by: .zero - behind), of: id)
            for watch in watches { try store.setRead(watch) }
        }
        for item in begun { item.isReadStored = true }
        polled?.storedPollAt = now
    }

    private func pollingStatus(at wallNow: WallTime) -> PollingStatus {
        let now = context.time.monotonicNow
        return PollingStatus(
            lastPollAt: wallNow,
            nextPollAt: plan.at,
            todosReadAt: todosReadAt,
            sweptAt: sweptAt,
            itemsReadAt: polled?.items.map { item in
                let age = item.completeAt.duration(to: now)
                return PollingStatus.ItemReading(item: item.watched.item, at: wallNow.advanced(by: .zero - age))
            } ?? []
        )
    }
}
