import HTTP
import Platform

/// What the poller does with results: commits facts, looks into a 401, tells of trouble.
extension AccountPoller {
    /// Commits; false when the store refused, which leaves everything to be read again.
    func store(_ commit: FactCommit) async -> Bool {
        guard !commit.isEmpty else { return true }
        let now = context.time.wallNow
        do {
            let outcome = try await context.store.transaction { [pipeline = context.pipeline] store in
                try pipeline.take(commit, at: now, in: store)
            }
            polled?.todos.seen.insert(commit.todoIDs, at: context.time.monotonicNow)
            if !outcome.notifications.isEmpty { context.outboxBell.ring() }
            if !outcome.ruling.held.isEmpty { context.digestBell.ring() }
            if !outcome.ruling.tagged.isEmpty { mayHaveTags = true }
            outcome.write(to: context.log, accountField)
            if commit.droppedSystemNotes > 0 {
                let count: Log.Field = ("fact.count", .count(commit.droppedSystemNotes))
                context.log.write(.factSystemNote, [accountField, count])
            }
            outcome.measure(in: context.metrics, of: id, at: now)
            return true
        } catch is NotificationPipeline.WatchRemoved {
            return false
        } catch {
            context.log.write(.pollStoreFailed, [accountField, ("error", .text("\(error)"))])
            return false
        }
    }

    /// Counts a finished reading and says what was remarkable about it.
    func note<Scan: ListScan>(_ reading: ListReading<Scan>, of list: PolledList, watch: WatchID?) {
        tally.countRead()
        compareClocks(reading.serverTime)
        let log = context.log
        if reading.isUnchanged { log.write(.scanNotModified, fields(watch)) }
        if reading.requests > 1 {
            log.write(.scanPageFollowed, fields(watch) + [("scan.requests", .count(reading.requests))])
        }
        if reading.scan.restarts > 0 {
            log.write(.scanRestarted, fields(watch) + [("scan.restarts", .count(reading.scan.restarts))])
        }
        guard !reading.scan.found.isEmpty, let largest = list.seen.ids.largest else { return }
        let late = reading.scan.found.count { $0.id < largest }
        if late > 0 { log.write(.scanLateRow, fields(watch) + [("scan.rows", .count(late))]) }
    }

    /// Counts a failed reading; a 401 is looked into at once.
    func take(_ error: GitLabError, watch: WatchID?) async {
        guard !Task.isCancelled else { return }
        tally.count(error)
        if case .notFound(isRoute: true) = error { polled?.capabilityWatch.noteMissingRoute() }
        if error != .notAsked { context.log.write(.scanFailed, fields(watch) + [("error", .text(error.code))]) }
        if case .unauthorized = error { await confirmToken() }
    }

    func fields(_ watch: WatchID?) -> [Log.Field] {
        guard let watch else { return [accountField] }
        return [accountField, ("watch.id", .number(watch.rawValue))]
    }

    /// Asks whether the token works, once per cycle; if it does not, the cycle's other questions are pointless.
    private func confirmToken() async {
        guard tally.verdict == nil, !isConfirming, let client = polled?.reader.client else { return }
        isConfirming = true
        defer { isConfirming = false }
        context.log.write(.authConfirming, [accountField])
        // A store that cannot be read now can be at the next cycle.
        guard (try? await replaceAccess()) == true else { return }
        let verdict = health.judge(await tokenError(client), at: context.time.monotonicNow)
        tally.verdict = verdict
        switch verdict {
        case .tokenWorks: context.log.write(.authWorks, [accountField])
        case .undecided: break
        case .askAgain, .tokenDead: gate.close()
        }
    }

    private func tokenError(_ client: GitLabClient) async -> GitLabError? {
        do throws(GitLabError) {
            try await gate.admit()
            _ = try await client.currentUser()
            gate.noteSuccess()
            return nil
        } catch {
            gate.noteFailure(error)
            return error
        }
    }

    /// A token that counts as dead is tried now and then: it may have been a mistake of GitLab's.
    func recheckToken() async throws {
        guard let client = polled?.reader.client else { return }
        gate.openCycle(patience: .max)
        let hasAccess = try await renewAccess()
        let error = hasAccess ? await tokenError(client) : .unauthorized(.revoked)
        try Task.checkCancellation()
        guard error == nil else { return planRecheck(after: error) }
        health = AccountHealth()
        _ = try await context.store.transaction { [id] in try $0.setState(.active, of: id) }
        polled?.account.state = .active
        context.log.write(.authRestored, [accountField])
        planNow(.cycle)
    }

    /// Tells each item's health how its reading went. A failure during an outage says nothing about the item.
    func settleItems(_ outcome: PollPolicy.Outcome, interval: Duration) async throws {
        let now = context.time.monotonicNow
        for (item, reading) in readings where reading != .failed || outcome == .answered {
            let change = item.health.take(reading, at: now, interval: interval)
            if change != .none { try await record(change, of: item) }
        }
    }

    private func record(_ change: ItemHealth.Change, of item: PolledItem) async throws {
        let watch = item.watched.watch
        let count: Int
        switch change {
        case .none: return
        case .missing(let misses):
            item.missingSince = item.missingSince ?? context.time.wallNow
            count = misses
            context.log.write(.watchMissing, fields(watch))
        case .paused(let misses):
            count = misses
            context.log.write(.watchPaused, fields(watch))
        case .returned:
            item.missingSince = nil
            count = 0
            context.log.write(.watchReturned, fields(watch))
        }
        let since = item.missingSince
        try await context.store.transaction { try $0.setMissing(since: since, count: count, of: watch) }
    }

    /// Draws the account's conclusions from a cycle or probe.
    func settle(_ outcome: PollPolicy.Outcome, action: PollPolicy.Action) async throws {
        switch tally.verdict {
        case .tokenDead(let rejection): return try await expire(rejection)
        case .askAgain(let at): return plan = PollPolicy.Plan(action: .probe, at: at)
        case .tokenWorks, .undecided, nil: break
        }
        switch outcome {
        case .failed, .refused: try await settleTrouble(isAnswered: false)
        case .answered where action == .cycle && tally.read > 0:
            try await clearDeaths()
            try await settleTrouble(isAnswered: !areTodosBeyondBounds)
            try await settlePoll()
        case .answered, .rateLimited: break
        }
    }

    private func expire(_ rejection: GitLabError.TokenRejection) async throws {
        let now = context.time.wallNow
        try await context.store.transaction { [id, outbox = context.outbox] store in
            guard try store.setState(.authExpired, of: id) else { return }
            try outbox.enqueue(NotificationDraft(account: id, subject: .authExpired), at: now, in: store)
        }
        polled?.account.state = .authExpired
        context.outboxBell.ring()
        measureNotice()
        measureEnd()
        context.log.write(.authExpired, [accountField, ("auth.rejection", .text(rejection.rawValue))])
        planRecheck(after: .unauthorized(rejection))
    }

    func planRecheck(after error: GitLabError?) {
        let at = health.nextRecheck(after: error, at: context.time.monotonicNow)
        plan = PollPolicy.Plan(action: .probe, at: at)
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
            context.outboxBell.ring()
            measureNotice()
            context.log.write(.serviceTrouble, [accountField])
        case .announceRecovery:
            context.outboxBell.ring()
            measureNotice()
            context.log.write(.serviceRecovered, [accountField])
        }
    }

    /// How often the store learns that polling goes well; who asks in between is told from memory.
    private static let storedPollInterval = Duration.minutes(5)

    private func settlePoll() async throws {
        let now = context.time.monotonicNow
        let wallNow = context.time.wallNow
        status.note(pollingStatus(at: wallNow), of: id)
        if let stored = polled?.storedPollAt, stored.duration(to: now) < Self.storedPollInterval { return }
        try await context.store.transaction { [id] in try $0.setLastPoll(wallNow, of: id) }
        polled?.storedPollAt = now
    }

    private func pollingStatus(at wallNow: WallTime) -> PollingStatus {
        let now = context.time.monotonicNow
        return PollingStatus(
            lastPollAt: wallNow,
            nextPollAt: plan.at,
            todosReadAt: todosReadAt,
            itemsReadAt: polled?.items.map { item in
                let age = item.completeAt.duration(to: now)
                return PollingStatus.ItemReading(item: item.watched.item, at: wallNow.advanced(by: .zero - age))
            } ?? []
        )
    }
}
