import Configuration
import HTTP
import Platform

/// Polls GitLab for one account until it is removed or the task is cancelled. Carries out what the policies decide.
actor AccountPoller {
    let id: AccountID
    let context: PollingContext
    /// Sent when the account, its token or its watch list has changed.
    let wakeSignal: WakeSignal
    let gate: RequestGate
    let inbox: PollerInbox
    let status: PollingStatusBoard
    /// How others reach the account that share their looks with it.
    let watcher: LookWatcher?

    var polled: PolledAccount?
    var schedule: PollSchedule
    /// The cycle under way, or the last.
    var cycle: PollCycle
    var trouble: ServiceTrouble?
    var health = AccountHealth()
    /// When the to-dos are next read in full to forget old ones.
    var todoReviewAt: MonotonicInstant
    /// When the cycle began in which the to-dos were last read to the end and dealt with.
    var todosLookedAt: MonotonicInstant?
    /// Whether a limit has ended the last reading of the to-dos in the middle of the list.
    var wereTodosCutOff = false
    /// When the to-dos were last read to the end.
    var todosReadAt: WallTime?
    /// Whether the last list of to-dos left some out that somebody waits behind.
    var hasMissingAsks = false
    /// What the pages that were read of it last show of why nobody waits behind some.
    var todoEndings: [Int64: TodoEnding] = [:]
    /// What it left out of those that unread notifications came from.
    var missingTodos = MissingTodos()
    var clockCheck = ClockCheck()
    /// True when somebody may have tagged the person on an item that is to be watched for it.
    var mayHaveTags = true
    /// What was read of the baselines of such items, where a limit has ended the reading.
    var baselines: [AutoWatchRequest: BaselineProgress] = [:]
    /// How long each has waited.
    var taggedWait = PatientWait<AutoWatchRequest>()
    /// Whether a limit has kept the last full cycle from such an item, or from where an issue went, at its end.
    var wereTagsHeldBack = false
    /// When it was last written that the watch list is full.
    var listFullAt: MonotonicInstant?
    /// True when a watched issue may have been moved, and its watch not yet followed it.
    var mayHaveMoves = true
    /// What was read of where such issues went, where a limit has ended the reading.
    var successors: [MovedIssue: SuccessorProgress] = [:]
    /// How long each has waited.
    var movedWait = PatientWait<MovedIssue>()
    /// Deaths of the process while the account was read, since the last successful cycle.
    var deaths: PollDeaths?
    /// Until then GitLab is not read, whatever is planned.
    var restUntil: MonotonicInstant?
    var mustLoad = true
    /// Whether a limit has kept the last cycle from asking whether the token works, which GitLab had refused.
    var isTokenInDoubt = false
    /// True when a reading was given up since the person has chosen other kinds of activity, until they are known.
    var haveKindsChanged = false
    /// When it was so first since a cycle in which it was not; nil when the last was one.
    var givingUpSince: MonotonicInstant?
    /// False while the account's GitLab is not one of those that are served.
    var isServed = true

    init(
        _ id: AccountID,
        wakeSignal: WakeSignal,
        gate: RequestGate,
        inbox: PollerInbox,
        status: PollingStatusBoard,
        context: PollingContext
    ) {
        let now = context.time.monotonicNow
        self.id = id
        self.wakeSignal = wakeSignal
        self.gate = gate
        self.inbox = inbox
        self.status = status
        self.context = context
        watcher = context.looks?.makeWatcher(inbox, wakeSignal)
        todoReviewAt = now.advanced(by: Self.firstTodoReview)
        cycle = PollCycle(.probe, at: now)
        // After a restart the accounts begin one after the other.
        let delay = Jitter.below(.seconds(5), draw: context.entropy.nextUInt64())
        schedule = PollSchedule(pace: PollPolicy.Pace(context.configuration), firstAt: now.advanced(by: delay))
    }

    /// Polls. Returns when the account no longer exists or the task is cancelled.
    func run() async {
        context.log.write(.pollerStarted, [accountField])
        while !Task.isCancelled {
            do {
                guard try await load() else { break }
                try await waitAndAct()
            } catch is CancellationError {
                break
            } catch {
                await rest(after: error)
            }
        }
        leaveWatchers()
        measureEnd()
        context.log.write(.pollerStopped, [accountField])
    }

    /// What is done next, and when.
    var plan: PollPolicy.Plan { schedule.plan }

    var accountField: Log.Field { ("account.id", .number(id.rawValue)) }

    private var isActive: Bool { polled?.account.state == .active }

    /// Waits for the planned instant and does what is planned, unless an item is to be polled before. A signal means that
    /// something is in the inbox.
    private func waitAndAct() async throws {
        guard isServed else { return try await waitUntilServed() }
        let namedAt = namedAt()
        let at = namedAt ?? plan.at
        if try await wakeSignal.wait(until: restUntil.map { max(at, $0) } ?? at) == .signalled {
            if inbox.takeChange() { mustLoad = true }
            takeSeen()
            return
        }
        try await marked {
            guard namedAt == nil else { return try await runNamedItems() }
            guard isActive else { return try await recheckToken() }
            switch plan.action {
            case .cycle: try await runCycle()
            case .probe: try await runProbe()
            }
        }
    }

    /// Reads the account from the store when it may have changed; false when it is gone.
    func load() async throws -> Bool {
        guard mustLoad else { return true }
        defer { joinWatchers() }
        let known = polled?.items.map(\.watched.watch) ?? []
        let withTodos = polled == nil
        let stored = try await context.store.read { [id] store in
            try StoredAccount(id, polled: known, withTodos: withTodos, from: store)
        }
        guard let stored else { return false }
        guard mayAsk(stored.account) else { return true }
        if let polled, polled.isPolledLike(stored) {
            let wasActive = isActive
            polled.account = stored.account
            polled.takeActivities(stored, context: context)
            polled.takeWatches(stored, context: context)
            if isActive, !wasActive { schedule.set(.cycle, at: context.time.monotonicNow) }
        } else if polled != nil {
            // A new token, name or person: nothing that was remembered of GitLab's answers holds.
            polled = nil
            todosLookedAt = nil
            baselines = [:]
            isTokenInDoubt = false
            schedule.restart(at: context.time.monotonicNow)
            return try await load()
        } else {
            try start(stored)
        }
        mustLoad = false
        if haveKindsChanged { schedule.bringForward(to: context.time.monotonicNow) }
        haveKindsChanged = false
        return true
    }

    private func start(_ stored: StoredAccount) throws {
        let now = context.time.monotonicNow
        polled = try PolledAccount(stored, gate: gate, context: context)
        health = AccountHealth()
        takeDeaths(stored.deaths)
        trouble = ServiceTrouble(
            troubleAfter: context.configuration.troubleAfter,
            since: stored.account.troubleSince,
            isAnnounced: stored.account.isTroubleAnnounced,
            wallNow: context.time.wallNow,
            now: now
        )
        if !isActive { planRecheck(after: nil) }
    }

    /// The store or a token could not be read: nothing was changed, so the same is tried again.
    private func rest(after error: any Error) async {
        context.log.write(.pollStoreFailed, [accountField, ("error", .text("\(error)"))])
        mustLoad = true
        do { try await context.time.sleep(for: .seconds(10)) } catch {
            // Cancelled: the loop ends.
        }
    }
}
