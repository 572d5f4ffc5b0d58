import Platform

/// Draws the conclusions from how the process before this one ended.
struct InterruptedPolls {
    let context: PollingContext

    /// What one account's death came to.
    private struct Conclusion {
        var account: AccountID
        var deaths: PollDeaths
    }

    /// Counts a death for each of the accounts, which were being read, and tells those who are set aside from now on.
    ///
    /// - Throws: what the store throws; then nothing was counted.
    func settle(_ accounts: [AccountID]) async throws {
        guard !accounts.isEmpty else { return }
        let now = context.time.wallNow
        let conclusions = try await context.store.transaction { [outbox = context.outbox] store in
            try accounts.compactMap { try Self.settle($0, at: now, outbox: outbox, in: store) }
        }
        for conclusion in conclusions { report(conclusion) }
        if conclusions.contains(where: \.deaths.isNewlySetAside) { context.outboxSignal.send() }
    }

    private static func settle(
        _ id: AccountID,
        at now: WallTime,
        outbox: Outbox,
        in store: Store
    ) throws -> Conclusion? {
        guard let account = try store.account(id) else { return nil }
        var deaths = PollDeaths(lastAt: now)
        if let known = try store.pollDeaths(of: id) {
            deaths = known
            deaths.add(at: now)
        }
        try store.setPollDeaths(deaths, of: id)
        if deaths.isNewlySetAside, !account.isTroubleAnnounced {
            let since = account.troubleSince ?? now
            try store.setTrouble(since: since, isAnnounced: true, of: id)
            try outbox.enqueue(
                NotificationDraft(account: id, subject: .serviceTrouble(since: since)),
                at: now,
                in: store
            )
        }
        return Conclusion(account: id, deaths: deaths)
    }

    private func report(_ conclusion: Conclusion) {
        let (account, deaths) = (conclusion.account, conclusion.deaths)
        let message: LogMessage = deaths.isSetAside ? .pollSetAside : .pollInterrupted
        context.log.write(
            message,
            [
                ("account.id", .number(account.rawValue)), ("poll.deaths", .count(deaths.count)),
                ("wait.ms", .milliseconds(deaths.pause)),
            ]
        )
        if deaths.isNewlySetAside { context.metrics.count(.notificationsQueued, 1, ["service"], of: account) }
    }
}
