/// Asks the server every ten seconds whether anything is new, as long as the app is in the foreground, and fetches what is.
///
/// An app runs ``run()`` while it is in the foreground, and calls ``stop()`` when it leaves: nothing is asked in the background.
public actor VersionMonitor {
    /// Fetches; what it throws is shown and tried again.
    public typealias Fetcher = @Sendable () async throws(NotifierError) -> Void

    private let client: NotifierClient
    private let clock: any KitClock
    private let chance: any ChanceSource
    private let reachability: any Reachability
    private let board: StatusBoard
    private let notifications: Fetcher
    private let data: Fetcher
    private let isWaiting: @Sendable () async throws(NotifierError) -> Bool
    private let nothingNew: @Sendable () async -> Void
    /// Whether this run has had no answer yet.
    private var isFirst = true
    private var policy = VersionPolicy()
    /// Why data could not be fetched, or something of it not be sent, when that was last tried.
    private var dataFailure: NotifierError?
    private var lastPing: Ping?
    /// Counts the runs, so that a stopped one ends although another has begun.
    private var generation = 0

    /// - Parameters:
    ///   - client: asks.
    ///   - clock: waits.
    ///   - chance: stretches pauses.
    ///   - reachability: whether there is a network at all.
    ///   - board: hears how it goes.
    ///   - notifications: fetches what is new of notifications.
    ///   - data: fetches read marks, watch list and whatever else the app shows, and sends what waits.
    ///   - isWaiting: whether something waits on this device to be sent, also when nothing has happened at the server.
    ///   - nothingNew: called when the first answer of a run leads to no fetch: what the app knew when it left the foreground holds still.
    public init(
        client: NotifierClient,
        clock: any KitClock,
        chance: any ChanceSource,
        reachability: any Reachability = AlwaysOnline(),
        board: StatusBoard,
        notifications: @escaping Fetcher,
        data: @escaping Fetcher,
        isWaiting: @escaping @Sendable () async throws(NotifierError) -> Bool = { () async throws(NotifierError) in
            false
        },
        nothingNew: @escaping @Sendable () async -> Void = {}
    ) {
        (self.client, self.clock, self.chance, self.reachability) = (client, clock, chance, reachability)
        (self.board, self.notifications, self.data) = (board, notifications, data)
        (self.isWaiting, self.nothingNew) = (isWaiting, nothingNew)
    }

    /// Asks and fetches until ``stop()``, until another run begins, until the task is cancelled, or until the session is over.
    ///
    /// - Throws: the error that ended the session.
    public func run() async throws(NotifierError) {
        generation += 1
        isFirst = true
        policy.begun()
        let mine = generation
        while mine == generation, !Task.isCancelled {
            let pause = try await round(mine)
            guard mine == generation, (try? await clock.sleep(for: pause)) != nil else { return }
        }
    }

    /// Ends the present run: a question that is under way counts no more, and no other is asked.
    public func stop() { generation += 1 }

    /// Ends the present run, and forgets what was known: somebody else signs in.
    public func forget() {
        generation += 1
        (policy, lastPing, dataFailure) = (VersionPolicy(), nil, nil)
    }

    /// One question and what follows; how long to wait before the next.
    private func round(_ mine: Int) async throws(NotifierError) -> Duration {
        let isOnline = await reachability.isOnline
        await board.network(isOnline: isOnline)
        guard isOnline else {
            policy.lostNetwork()
            return VersionPolicy.interval
        }
        do {
            let ping = try await client.ping(known: lastPing)
            guard mine == generation else { return .zero }
            lastPing = ping
            let isWaiting = await hasWaiting()
            guard mine == generation else { return .zero }
            if case .fetch(let fetch) = policy.answered(ping, isWaiting: isWaiting) {
                try await carryOut(fetch, because: ping, mine)
                guard mine == generation else { return .zero }
            } else if isFirst {
                await nothingNew()
            }
            isFirst = false
            // A quiet answer tells, too, that the server is there again.
            if let failure = dataFailure {
                try? await board.during { () async throws(NotifierError) in throw failure }
            } else {
                try await board.during { () async throws(NotifierError) in }
            }
            return policy.succeeded()
        } catch let error where error.kind == .signedOut {
            try await board.during { () async throws(NotifierError) in throw error }
            throw error
        } catch {
            guard mine == generation else { return .zero }
            try? await board.during { () async throws(NotifierError) in throw error }
            return policy.failed(retryAfter: error.retryAfter, chance: await chance.next())
        }
    }

    /// Whether something waits to be sent. Where that cannot be told, fetching data says why.
    private func hasWaiting() async -> Bool {
        do throws(NotifierError) {
            return try await isWaiting()
        } catch {
            // That what was kept is lost is said once.
            try? await board.during { () async throws(NotifierError) in throw error }
            return true
        }
    }

    /// Fetches one after the other. What has arrived is remembered even when the other fails. What fails of data delays no notifications: whether
    /// the server is there at all the next question tells.
    private func carryOut(
        _ fetch: VersionPolicy.Fetch,
        because ping: Ping,
        _ mine: Int
    ) async throws(NotifierError) {
        if fetch.notifications {
            try await notifications()
            remember(.init(notifications: true, data: false), because: ping, mine)
        }
        if fetch.data {
            do throws(NotifierError) {
                try await data()
                if mine == generation { dataFailure = nil }
                remember(.init(notifications: false, data: true), because: ping, mine)
            } catch {
                guard ![.signedOut, .cancelled].contains(error.kind), error.retryAfter == nil else { throw error }
                let drawn = await chance.next()
                guard mine == generation else { return }
                dataFailure = error
                policy.dataFailed(because: ping, chance: drawn)
            }
        }
    }

    /// What a run has fetched that was ended meanwhile may be another person's.
    private func remember(_ fetch: VersionPolicy.Fetch, because ping: Ping, _ mine: Int) {
        if mine == generation { policy.fetched(fetch, because: ping) }
    }
}
