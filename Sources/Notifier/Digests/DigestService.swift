import Platform

/// Tells what was held as soon as nobody's quiet hours keep it back any more.
///
/// What is held stands in the database, so a restart forgets nothing; when it is told, is decided anew from the settings
/// each time the service looks.
struct DigestService: Sendable {
    let store: StoreActor
    let outbox: Outbox
    let zones: any TimeZoneSource
    let time: any TimeSource
    /// Sent when something was held, or when somebody changed their settings.
    let wakeSignal: WakeSignal
    /// Sent when a digest was put into the outbox.
    let outboxSignal: WakeSignal
    let log: Log
    let metrics: MetricsRegistry

    /// While something is held the service looks at least so often: wall clocks may be set.
    static let longestWait = Duration.minutes(10)
    private static let pauseAfterFailure = Duration.seconds(10)

    /// Works with what polling works with.
    init(_ context: PollingContext) {
        store = context.store
        outbox = context.outbox
        zones = context.zones
        time = context.time
        wakeSignal = context.digestSignal
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
            _ = try await wakeSignal.wait(until: pause.map { time.monotonicNow.advanced(by: $0) })
        }
    }

    /// Tells what may be told. Returns how long until the next look; nil when nothing is held.
    func work() async -> Duration? {
        do {
            var next: Duration?
            for account in try await store.read({ try $0.accountsWithHeldFacts() }) {
                guard let pause = try await release(account) else { continue }
                next = min(next ?? pause, pause)
            }
            return next
        } catch {
            // Nothing was changed, so the same is tried again.
            log.write(.digestFailed, [("error", .text(String(describing: error)))])
            return Self.pauseAfterFailure
        }
    }

    private func release(_ account: AccountID) async throws -> Duration? {
        while true {
            let now = time.wallNow
            let release = try await store.transaction { [outbox, zones] store in
                try DigestRelease(account, at: now, outbox: outbox, zones: zones, in: store)
            }
            if let enqueued = release.enqueued {
                outboxSignal.send()
                tell(release, enqueued, account)
            }
            if release.dropped > 0 {
                log.write(.digestDropped, [field(account), ("fact.count", .count(release.dropped))])
            }
            if release.isDone { return release.next.map { min(now.duration(to: $0), Self.longestWait) } }
        }
    }

    private func field(_ account: AccountID) -> Log.Field { ("account.id", .number(account.rawValue)) }

    private func tell(_ release: DigestRelease, _ enqueued: Outbox.Enqueued, _ account: AccountID) {
        metrics.count(.notificationsQueued, 1, ["digest"], of: account)
        log.write(.digestQueued, [field(account), ("fact.count", .count(release.keys.count))])
        log.write(
            .notificationQueued,
            [
                field(account), ("notification.id", .text(enqueued.publicID)),
                ("fact.count", .count(release.keys.count)), ("facts", .text(release.keys.joined(separator: ","))),
                ("deliveries", .count(enqueued.deliveries)),
            ]
        )
    }
}

/// One transaction's work on one account's held facts: all told and forgotten, or nothing.
private struct DigestRelease: Sendable {
    var enqueued: Outbox.Enqueued?
    /// Told by the digest.
    var keys: [String] = []
    /// Held facts that the person has silenced since, or that nobody waits behind any more.
    var dropped = 0
    /// When to look again; nil when nothing is held any more.
    var next: WallTime?
    var isDone = true

    init(
        _ account: AccountID,
        at now: WallTime,
        outbox: Outbox,
        zones: any TimeZoneSource,
        in store: Store
    ) throws {
        let held = try store.heldFacts(of: account, limit: Digest.mostFacts)
        guard !held.isEmpty else { return }
        let rules = try store.notificationRules(of: account, on: held.compactMap(\.item), zones: zones, at: now)
        if let end = rules.quietUntil {
            next = end
            return
        }
        var facts: [HeldFact] = []
        for fact in held {
            if let reason = rules.suppression(item: fact.item, actor: fact.actorID, duty: fact.duty) {
                try store.silenceFact(fact.key, of: account, for: reason)
                if reason == .deniedActor, fact.action == .dutyTurn {
                    try store.forgetToldTurn(fact, to: account, at: now)
                }
            } else if try !Self.isOver(fact, of: account, in: store) {
                facts.append(fact)
            }
        }
        if !facts.isEmpty {
            let draft = NotificationDraft(account: account, subject: .digest(Digest(facts: facts)))
            let told = try outbox.enqueue(draft, at: now, in: store)
            try store.linkAsks(facts.map(\.key), of: account, toldBy: told.id)
            enqueued = told
        }
        try store.deleteHeldFacts(held.map(\.key), of: account)
        keys = facts.map(\.key)
        dropped = held.count - facts.count
        isDone = held.count < Digest.mostFacts
    }

    /// Whether a program that asked for an approval goes on without it: that one had been needed is no news. What people asked stays news.
    private static func isOver(_ fact: HeldFact, of account: AccountID, in store: Store) throws -> Bool {
        try fact.action == .approvalNeeded && store.isOver(fact.key, of: account)
    }
}
