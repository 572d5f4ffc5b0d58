/// Keeps this device alike with the person's others: a copy of watch list, deny-list, settings and read marks, and the queue of what they
/// chose here, also over days without a network and over a restart of the app.
///
/// Rules are a ``SyncState``; this carries them out. An app has one; several processes may share its store: an envelope that two of them
/// send means the same, and of two pages the first is taken.
public actor SyncEngine {
    /// How long the system lets an app work when a silent push has woken it.
    public static let wakeBudget = Duration.seconds(30)
    /// Envelopes of one go; what is left goes with the next.
    private static let mostEnvelopes = 50
    /// Pages of one go; a device that is not at the end goes on with the next.
    private static let mostPages = 200

    private let client: NotifierClient
    private let store: any LocalStore
    private let clock: any KitClock
    private let chance: any ChanceSource
    private let board: StatusBoard
    private let turn = Turn()

    /// Works for the sign-in of `client`, and keeps what it knows in `store`.
    public init(
        client: NotifierClient,
        store: any LocalStore,
        clock: any KitClock,
        chance: any ChanceSource,
        board: StatusBoard
    ) {
        (self.client, self.store, self.clock, self.chance) = (client, store, clock, chance)
        self.board = board
    }

    /// What is known at the moment: also without a network.
    public func state() async throws(NotifierError) -> SyncState {
        do { return try await store.state() } catch { throw NotifierError(error) }
    }

    /// Whether something waits to be sent, from whichever process of the device it comes.
    public func hasPending() async throws(NotifierError) -> Bool {
        do { return try await store.hasPending() } catch { throw NotifierError(error) }
    }

    // MARK: Choosing

    /// The person chooses something. It shows at once and waits to be sent; nothing is sent here.
    ///
    /// - Parameters:
    ///   - wanted: what.
    ///   - label: what to call the item until the server says so.
    /// - Returns: what waits now.
    /// - Throws: `too_many_waiting`, or why nothing can be kept.
    @discardableResult
    public func choose(
        _ wanted: SyncChange.Wanted,
        label: ItemLabel? = nil
    ) async throws(NotifierError) -> PendingChange {
        let now = clock.now
        guard let change = try await update({ $0.choose(wanted, label: label, at: now) }) else {
            throw NotifierError(
                .refused,
                code: "too_many_waiting",
                "Too many changes wait for the network.",
                hint: "They are sent once the server answers."
            )
        }
        return change
    }

    // MARK: Exchanging

    /// Sends what waits and fetches what others changed: after a choice, when the app comes to the foreground, when ``VersionMonitor`` says
    /// that something has changed.
    ///
    /// - Throws: why that could not be done now. What waits goes on waiting; nothing is lost.
    public func sync() async throws(NotifierError) {
        try await exchange(client, isPushing: true)
    }

    /// As ``sync()``, right after a choice.
    ///
    /// - Parameter change: what ``choose(_:label:)`` gave.
    /// - Returns: whether the server has it; false while it waits.
    /// - Throws: the reversal when the server will not have it, `state_lost` when it was lost with all that was kept here, or why nothing can be
    ///   sent. That something else cannot be kept or read now is none: the choice is kept, and waits.
    public func send(_ change: PendingChange) async throws -> Bool {
        do throws(NotifierError) {
            try await sync()
        } catch {
            guard error.isTemporary, !error.hasLostStore else { throw error }
        }
        do {
            let own = try await takeReversals { $0.change.number == change.number }
            if let reversal = own.first { throw reversal }
            return try await !state().pending.contains { $0.number == change.number }
        } catch let error as NotifierError where error.leavesStore {
            return false
        }
    }

    /// Fetches what others changed, in the wake of a silent push, and has ended after `budget`.
    ///
    /// - Throws: why that could not be done in time.
    public func pull(within budget: Duration = wakeBudget) async throws(NotifierError) {
        try await exchange(client.within(budget, clock), isPushing: false)
    }

    /// As ``sync()`` where nobody looks, and has ended after `budget`. It goes on as long as the server takes some of what it has no time for at
    /// once, as the next time is far away; in the foreground that is left to the next question, which other things come before.
    public func sync(within budget: Duration) async throws(NotifierError) {
        try await exchange(client.within(budget, clock), isPushing: true, goesOn: true)
    }

    private func exchange(
        _ client: NotifierClient,
        isPushing: Bool,
        goesOn: Bool = false
    ) async throws(NotifierError) {
        try await turn.take { () async throws(NotifierError) in
            try await board.during { () async throws(NotifierError) in
                let delay = isPushing ? try await self.sendAll(client, goesOn) : nil
                try await self.fetchAll(client)
                if let delay { throw delay }
            }
        }
    }

    /// Sends envelope after envelope. Each is kept before it is sent, so that whoever is cut off sends the same again.
    ///
    /// - Parameters:
    ///   - client: sends.
    ///   - goesOn: whether an envelope goes again at once of which the server has taken a part, and had no time for the rest.
    /// - Returns: why something of it stays; nil when nothing does.
    /// - Throws: what keeps all of it back.
    private func sendAll(_ client: NotifierClient, _ goesOn: Bool) async throws(NotifierError) -> NotifierError? {
        var done: Set<String> = []
        var delay: NotifierError?
        for _ in 0..<Self.mostEnvelopes {
            let (isDone, hasDelay) = (done, delay != nil)
            let isLeft = try await state().pending.contains { $0.envelope.map { !isDone.contains($0) } ?? true }
            guard isLeft else { break }
            let id = await envelopeID()
            let next = try await update { $0.nextEnvelope(id, except: isDone, includingDelayed: !hasDelay) }
            guard let next else { break }
            do throws(NotifierError) {
                let receipt = try await send(next, client)
                let reason = try await update { $0.settle(receipt, of: next.id) }
                if goesOn, receipt.leavesForLater { continue }
                done.insert(next.id)
                delay = delay ?? reason
            } catch let error where error.kind == .refused {
                try await update { $0.refuse(next, error) }
            } catch let error where error.wasNotSent {
                try await update { $0.open(next) }
                throw error
            }
        }
        return delay
    }

    /// Sends an envelope; to a server that knows less than this device as one that has nothing.
    private func send(
        _ envelope: SyncState.Envelope,
        _ client: NotifierClient
    ) async throws(NotifierError) -> SyncReceipt {
        let changes = envelope.changes.map(\.change)
        do throws(NotifierError) {
            return try await client.send(changes, id: envelope.id, baseRevision: envelope.baseRevision)
        } catch let error where error.code == "revision_ahead" && envelope.baseRevision != nil {
            try await update { $0.beginAnew() }
            return try await client.send(changes, id: envelope.id, baseRevision: nil)
        }
    }

    private func fetchAll(_ client: NotifierClient) async throws(NotifierError) {
        for _ in 0..<Self.mostPages {
            let place = try await state().place
            let page = try await client.changes(since: place.revision, snapshot: place.snapshot)
            let now = clock.now
            let isTaken = try await update { $0.take(page, askedAt: place, at: now) }
            if isTaken, !page.hasMore { return }
        }
    }

    /// No other envelope of this device has it, whatever was forgotten here: the server takes one that it knows for the same again.
    private func envelopeID() async -> String {
        var id = ""
        for _ in 0..<3 {
            let digits = String(UInt64(await chance.next() * 4_294_967_296), radix: 16)
            id += String(repeating: "0", count: 8 - digits.count) + digits
        }
        return id
    }

    // MARK: Telling

    /// What was taken back and nobody was told of, each once.
    public func takeReversals(
        where isMeant: @Sendable (SyncReversal) -> Bool = { _ in true }
    ) async throws(NotifierError) -> [SyncReversal] {
        guard try await state().reversals.contains(where: isMeant) else { return [] }
        return try await update { $0.takeReversals(where: isMeant) }
    }

    /// Forgets the copy and what waits: somebody else signs in.
    public func forget() async throws(NotifierError) {
        try await turn.take { () async throws(NotifierError) in try await self.update { $0 = SyncState() } }
    }

    @discardableResult
    private func update<Result: Sendable>(
        _ change: @Sendable (inout SyncState) -> Result
    ) async throws(NotifierError) -> Result {
        do { return try await store.update(change) } catch { throw NotifierError(error) }
    }
}
