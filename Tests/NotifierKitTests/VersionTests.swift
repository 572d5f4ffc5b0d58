import Testing

@testable import NotifierKit

/// When the server is asked, and what is fetched.
struct VersionTests {
    private static let all = VersionPolicy.Fetch(notifications: true, data: true)

    private static func ping(_ data: UInt64, _ notifications: UInt64) -> Ping {
        Ping(dataVersion: data, notificationVersion: notifications, serverVersion: "0.1.0")
    }

    @Test func `the first answer fetches everything, an unchanged one nothing`() {
        var policy = VersionPolicy()
        #expect(policy.answered(Self.ping(5, 9)) == .fetch(Self.all))
        policy.fetched(Self.all, because: Self.ping(5, 9))
        #expect(policy.answered(Self.ping(5, 9)) == .pause(.seconds(10)))
    }

    @Test func `each version fetches what it tells of, in whichever direction it moves`() {
        var policy = VersionPolicy()
        policy.fetched(Self.all, because: Self.ping(5, 9))
        #expect(policy.answered(Self.ping(5, 10)) == .fetch(.init(notifications: true, data: false)))
        #expect(policy.answered(Self.ping(4, 9)) == .fetch(.init(notifications: false, data: true)))
    }

    @Test func `once the server is back data is fetched whatever the versions say, for what waits to be sent`() {
        var policy = VersionPolicy()
        policy.fetched(Self.all, because: Self.ping(5, 9))
        _ = policy.failed(retryAfter: nil, chance: 0)
        let data = VersionPolicy.Fetch(notifications: false, data: true)
        #expect(policy.answered(Self.ping(5, 9)) == .fetch(data))
        policy.fetched(data, because: Self.ping(5, 9))
        #expect(policy.answered(Self.ping(5, 9)) == .pause(.seconds(10)))
        policy.lostNetwork()
        #expect(policy.answered(Self.ping(5, 9)) == .fetch(data))
    }

    @Test func `data that fails has a pause of its own, which news does not wait for`() {
        var policy = VersionPolicy()
        policy.fetched(Self.all, because: Self.ping(5, 9))
        var tries: [Int] = []
        for round in 0..<40 {
            // Something is told each time.
            let ping = Self.ping(5, UInt64(round) + 10)
            guard case .fetch(let fetch) = policy.answered(ping, isWaiting: true) else {
                Issue.record("round \(round) fetches nothing")
                return
            }
            #expect(fetch.notifications)
            policy.fetched(.init(notifications: true, data: false), because: ping)
            if fetch.data {
                tries.append(round)
                policy.dataFailed(because: ping, chance: 0)
            }
            let pause = policy.succeeded()
            #expect(pause == .seconds(10))
        }
        #expect(tries == [0, 1, 3, 7, 15, 31])
    }

    @Test func `what has changed since data failed is fetched at once, and what failed when the server was away`() {
        var policy = VersionPolicy()
        let data = VersionPolicy.Fetch(notifications: false, data: true)
        policy.fetched(Self.all, because: Self.ping(5, 9))
        for _ in 0..<3 { policy.dataFailed(because: Self.ping(6, 9), chance: 0) }
        #expect(policy.answered(Self.ping(6, 9)) == .pause(.seconds(10)))
        #expect(policy.answered(Self.ping(7, 9)) == .fetch(data))
        policy.lostNetwork()
        #expect(policy.answered(Self.ping(6, 9)) == .fetch(data))
        policy.fetched(data, because: Self.ping(6, 9))
        #expect(policy.answered(Self.ping(6, 9)) == .pause(.seconds(10)))
        #expect(policy.answered(Self.ping(6, 9), isWaiting: true) == .fetch(data))
    }

    @Test func `a failed fetch does not advance what is remembered`() {
        var policy = VersionPolicy()
        policy.fetched(Self.all, because: Self.ping(5, 9))
        #expect(policy.answered(Self.ping(5, 10)) == .fetch(.init(notifications: true, data: false)))
        _ = policy.failed(retryAfter: nil, chance: 0)
        #expect(policy.answered(Self.ping(5, 10)) == .fetch(Self.all))
    }

    @Test func `pauses double up to five minutes and lie in their upper half`() {
        var (low, high) = (VersionPolicy(), VersionPolicy())
        let pauses = (0..<7).map { _ in
            (low.failed(retryAfter: nil, chance: 0), high.failed(retryAfter: nil, chance: 0.999))
        }
        #expect(pauses.map(\.0) == [10, 20, 40, 80, 160, 160, 160].map { .seconds($0) })
        #expect(pauses.map { $0.1.components.seconds } == [19, 39, 79, 159, 300, 300, 300])
        let result1 = low.succeeded()
        #expect(result1 == .seconds(10))
        let result2 = low.failed(retryAfter: nil, chance: 0)
        #expect(result2 == .seconds(10))
    }

    @Test func `a server that asks to wait is waited for, five minutes at most`() {
        var policy = VersionPolicy()
        let result3 = policy.failed(retryAfter: .seconds(60), chance: 0)
        #expect(result3 == .seconds(60))
        let result4 = policy.failed(retryAfter: .seconds(7_200), chance: 0)
        #expect(result4 == .seconds(300))
    }
}

/// The loop that carries it out.
struct VersionMonitorTests {
    private static func answer(_ data: Int, _ notifications: Int) -> Result<TransportResponse, TransportFailure> {
        .json(
            200,
            #"{"dataVersion":\#(data),"notificationVersion":\#(notifications),"serverVersion":"0.1.0","status":"ok"}"#
        )
    }

    /// Counts, and fails as often as it is told to.
    private actor Fetches {
        private(set) var count = 0
        private var failures: Int

        init(failing failures: Int = 0) { self.failures = failures }

        func fetch() throws(NotifierError) {
            count += 1
            guard failures > 0 else { return }
            failures -= 1
            throw NotifierError(.unreachable, code: "timed_out", "late")
        }
    }

    private static func monitor(
        _ device: SignedIn,
        _ notifications: Fetches,
        _ data: Fetches = Fetches(),
        nothingNew: Fetches = Fetches(),
        reachability: any Reachability = AlwaysOnline()
    ) -> VersionMonitor {
        VersionMonitor(
            client: device.client,
            clock: device.clock,
            chance: FixedChance(),
            reachability: reachability,
            board: device.board,
            notifications: { () async throws(NotifierError) in try await notifications.fetch() },
            data: { () async throws(NotifierError) in try await data.fetch() },
            nothingNew: { try? await nothingNew.fetch() }
        )
    }

    @Test func `it asks every ten seconds and fetches once for each change`() async throws {
        let device = try await SignedIn.make(clock: ManualClock(pauses: 4)) { _ in Self.answer(1, 1) }
        let (notifications, data) = (Fetches(), Fetches())
        try await Self.monitor(device, notifications, data).run()
        #expect(device.clock.pauses == [10, 10, 10, 10].map { .seconds($0) })
        #expect(await notifications.count == 1)
        #expect(await data.count == 1)
        #expect(await device.board.state == .connected)
    }

    @Test func `where the first answer of a run tells nothing new that is said once`() async throws {
        let device = try await SignedIn.make(clock: ManualClock(pauses: 3)) { _ in Self.answer(1, 1) }
        let nothingNew = Fetches()
        let monitor = Self.monitor(device, Fetches(), nothingNew: nothingNew)
        try await monitor.run()
        #expect(await nothingNew.count == 0, "the first run fetched")
        // The clock lets nobody wait any more: one round, and the run is over.
        try await monitor.run()
        #expect(await nothingNew.count == 1)
    }

    @Test func `a fetch that fails is repeated at the next answer although nothing new has come`() async throws {
        let device = try await SignedIn.make(clock: ManualClock(pauses: 4)) { _ in Self.answer(1, 1) }
        let (notifications, data) = (Fetches(failing: 2), Fetches())
        try await Self.monitor(device, notifications, data).run()
        #expect(await notifications.count == 3)
        #expect(await data.count == 1)
        #expect(device.clock.pauses == [10, 20, 10, 10].map { .seconds($0) })
    }

    @Test func `what has arrived is not fetched again because something else failed`() async throws {
        let device = try await SignedIn.make(clock: ManualClock(pauses: 3)) { _ in Self.answer(1, 1) }
        let (notifications, data) = (Fetches(), Fetches(failing: 1))
        try await Self.monitor(device, notifications, data).run()
        #expect(await notifications.count == 1)
        #expect(await data.count == 2)
    }

    @Test func `while a choice stays waiting the server is asked as often, and news comes`() async throws {
        let device = try await SignedIn.make(clock: ManualClock(pauses: 6))
        let clock = device.clock
        await device.transport.answer { _ in Self.answer(1, clock.pauses.count) }
        let (notifications, data) = (Fetches(), Fetches(failing: .max))
        try await Self.monitor(device, notifications, data).run()
        #expect(clock.pauses == Array(repeating: .seconds(10), count: 6))
        #expect(await notifications.count == 6)
        #expect(await data.count == 3)
        #expect(await device.board.state == .offline)
    }

    @Test func `what waits is sent although nothing has happened at the server`() async throws {
        let device = try await SignedIn.make(clock: ManualClock(pauses: 4)) { _ in Self.answer(1, 1) }
        let data = Fetches()
        let monitor = VersionMonitor(
            client: device.client,
            clock: device.clock,
            chance: FixedChance(),
            board: device.board,
            notifications: { () async throws(NotifierError) in },
            data: { () async throws(NotifierError) in try await data.fetch() },
            // Chosen after the first round, and sent with the second.
            isWaiting: { () async throws(NotifierError) in await data.count == 1 }
        )
        try await monitor.run()
        #expect(await data.count == 2)
    }

    @Test func `while nobody answers the pauses grow and the state is offline`() async throws {
        let device = try await SignedIn.make(clock: ManualClock(pauses: 3))
        try await Self.monitor(device, Fetches()).run()
        #expect(device.clock.pauses == [10, 20, 40].map { .seconds($0) })
        #expect(await device.board.state == .offline)
    }

    @Test func `without a network nothing is asked`() async throws {
        let device = try await SignedIn.make(clock: ManualClock(pauses: 3)) { _ in Self.answer(1, 1) }
        try await Self.monitor(device, Fetches(), reachability: NoNetwork()).run()
        #expect(await device.transport.requests.isEmpty)
        #expect(await device.board.state == .offline)
    }

    @Test func `in the background nothing is asked, and a question under way counts no more`() async throws {
        let (isAsked, mayAnswer) = (Latch(), Latch())
        let device = try await SignedIn.make { _ in
            await isAsked.open()
            await mayAnswer.wait()
            return Self.answer(1, 1)
        }
        let fetches = Fetches()
        let monitor = Self.monitor(device, fetches)
        async let run: Void = monitor.run()
        await isAsked.wait()
        await monitor.stop()
        await mayAnswer.open()
        try await run
        #expect(await device.transport.requests.count == 1)
        #expect(await fetches.count == 0)
    }

    @Test func `a second run ends the first, whose question counts no more`() async throws {
        let (isAsked, mayAnswer) = (Latch(), Latch())
        let device = try await SignedIn.make(clock: ManualClock(pauses: 3)) { _ in
            await isAsked.open()
            await mayAnswer.wait()
            return Self.answer(1, 1)
        }
        let fetches = Fetches()
        let monitor = Self.monitor(device, fetches)
        async let first: Void = monitor.run()
        await isAsked.wait()
        await device.transport.answer { _ in Self.answer(2, 2) }
        try await monitor.run()
        await mayAnswer.open()
        try await first
        #expect(await device.transport.requests.count == 1 + 3)
        #expect(await fetches.count == 1)
    }

    @Test func `for whoever signs in next everything is new, also where the numbers are the same`() async throws {
        let device = try await SignedIn.make(clock: ManualClock(pauses: 1)) { _ in
            .json(
                200,
                #"{"dataVersion":1,"notificationVersion":1,"serverVersion":"0.1.0","status":"ok"}"#,
                fields: [HeaderField("ETag", "\"v1\"")]
            )
        }
        let (notifications, data) = (Fetches(), Fetches())
        let monitor = Self.monitor(device, notifications, data)
        try await monitor.run()
        try await monitor.run()
        #expect(await notifications.count == 1)
        await monitor.forget()
        try await monitor.run()
        #expect(await notifications.count == 2)
        #expect(await data.count == 2)
        let asked = await device.transport.requests.map { $0.fields.contains { $0.name == "If-None-Match" } }
        #expect(asked == [false, true, false])
    }

    @Test func `what was being fetched for the former person counts for nobody`() async throws {
        let device = try await SignedIn.make(clock: ManualClock(pauses: 1)) { _ in Self.answer(1, 1) }
        let (isAsked, mayAnswer, count) = (Latch(), Latch(), Fetches())
        let monitor = VersionMonitor(
            client: device.client,
            clock: device.clock,
            chance: FixedChance(),
            board: device.board,
            notifications: { () async throws(NotifierError) in
                try await count.fetch()
                await isAsked.open()
                await mayAnswer.wait()
            },
            data: { () async throws(NotifierError) in }
        )
        async let former: Void = monitor.run()
        await isAsked.wait()
        await monitor.forget()
        await mayAnswer.open()
        try await former
        try await monitor.run()
        #expect(await count.count == 2)
    }

    @Test func `an ended session ends the run and says so`() async throws {
        let device = try await SignedIn.make { _ in .refusal(401, "refresh_token_invalid") }
        let error = await NotifierError.of { try await Self.monitor(device, Fetches()).run() }
        #expect(error?.kind == .signedOut)
        guard case .error(let shown) = await device.board.state else {
            Issue.record("the state is \(await device.board.state)")
            return
        }
        #expect(shown.message == "Session expired. Please sign in again.")
    }
}
