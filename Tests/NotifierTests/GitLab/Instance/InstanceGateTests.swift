import HTTP
import Platform
import Synchronization
import Testing

@testable import Notifier

/// When requests were let go, in whole seconds.
private final class Starts: Sendable {
    private let seconds = Mutex<[Int64]>([])

    var all: [Int64] { seconds.withLock { $0 } }

    func note(_ now: MonotonicInstant) {
        seconds.withLock { $0.append(now.nanoseconds / 1_000_000_000) }
    }
}

/// Numbers from a seed.
private final class Draw: Sendable {
    private let stream: Mutex<RandomStream>

    init(_ seed: UInt64) { stream = Mutex(RandomStream(seed: seed)) }

    func below(_ bound: Int) -> Int { stream.withLock { Int($0.next() % UInt64(bound)) } }
}

/// What a gate had to say.
private final class NewsRecorder: Sendable {
    private let news = Mutex<[InstanceGate.News]>([])

    var all: [InstanceGate.News] { news.withLock { $0 } }

    func note(_ one: InstanceGate.News) {
        news.withLock { $0.append(one) }
    }
}

struct InstanceGateTests {
    private let world = DeliveryWorld()
    private let news = NewsRecorder()
    private let starts = Starts()

    private func gate(perSecond: Int, atATime: Int) -> InstanceGate {
        InstanceGate(
            InstanceBudget.Limits(perSecond: perSecond, atATime: atATime),
            time: world
        ) { [news] in news.note($0) }
    }

    // The test that started it cancels it, or it ends with the world.
    private typealias Request = Task<Void, any Error>

    /// One request, which takes `took`; throws what entering throws.
    @discardableResult
    private func send(
        through gate: InstanceGate,
        of id: Int64 = 1,
        taking took: Duration = .zero,
        within patience: Duration? = nil
    ) -> Request {
        let deadline = patience.map { world.monotonicNow.advanced(by: $0) }
        return world.start { [world, starts] in
            let ticket = try await gate.enter(AccountID(rawValue: id), .news, by: deadline)
            starts.note(world.monotonicNow)
            if took > .zero { try await world.sleep(for: took) }
            gate.leave(ticket, InstanceStrain.Answer(took: took))
        }
    }

    @Test func `who has to wait is let go as time passes, one after the other`() {
        let gate = gate(perSecond: 1, atATime: 100)
        for id in 1...8 { send(through: gate, of: Int64(id)) }
        world.advance(by: .seconds(10))
        #expect(starts.all == [0, 0, 0, 0, 0, 1, 2, 3])
        #expect(world.sleeperCount == 0)
        #expect(news.all.count { if case .waited(_, .news, isRare: true) = $0 { true } else { false } } == 1)
    }

    @Test func `who has to wait for the end of another is let go by it`() {
        let gate = gate(perSecond: 100, atATime: 1)
        for id in 1...3 { send(through: gate, of: Int64(id), taking: .seconds(7)) }
        world.advance(by: .minutes(1))
        #expect(starts.all == [0, 7, 14])
    }

    @Test func `who was held by both limits is let go when the second ends`() {
        let gate = gate(perSecond: 1, atATime: 1)
        for id in 1...8 { send(through: gate, of: Int64(id), taking: .milliseconds(100)) }
        world.advance(by: .minutes(1))
        #expect(starts.all == [0, 0, 0, 0, 0, 1, 2, 3])
    }

    @Test func `of many that wait to be told the same one goes, and the others are spared at once`() async throws {
        let gate = gate(perSecond: 1, atATime: 100)
        for id in 1...5 { send(through: gate, of: Int64(id)) }
        let answered = Mutex(false)
        let need = RequestNeed { !answered.withLock { $0 } }
        // The test awaits them below.
        let waiting = (6...30).map { id -> Request in
            world.start { [world, starts] in
                let ticket = try await gate.enter(AccountID(rawValue: Int64(id)), .news, by: nil, need: need)
                starts.note(world.monotonicNow)
                answered.withLock { $0 = true }
                gate.leave(ticket, InstanceStrain.Answer(took: .zero))
            }
        }
        send(through: gate, of: 31)
        world.advance(by: .seconds(3))
        #expect(starts.all == [0, 0, 0, 0, 0, 1, 2])
        #expect(world.sleeperCount == 0)
        var spared = 0
        for request in waiting {
            do { try await request.value } catch GitLabError.spared { spared += 1 }
        }
        #expect(spared == 24)
    }

    @Test func `who cannot go in time leaves, and takes nobody's turn`() async throws {
        let gate = gate(perSecond: 100, atATime: 1)
        send(through: gate, taking: .seconds(30))
        let late = send(through: gate, of: 2, within: .seconds(20))
        send(through: gate, of: 3)
        world.advance(by: .minutes(1))
        #expect(starts.all == [0, 30])
        await #expect(throws: GitLabError.crowded) { try await late.value }
    }

    @Test func `the one that keeps the time may be cancelled, and the others still go`() async throws {
        let gate = gate(perSecond: 1, atATime: 100)
        for id in 1...5 { send(through: gate, of: Int64(id)) }
        let keeper = send(through: gate, of: 6)
        for id in 7...8 { send(through: gate, of: Int64(id)) }
        world.advance(by: .milliseconds(500))
        keeper.cancel()
        world.advance(by: .seconds(10))
        #expect(starts.all == [0, 0, 0, 0, 0, 1, 2])
        await #expect(throws: GitLabError.unreachable(.cancelled)) { try await keeper.value }
    }

    @Test func `it says when it asks for less, and when for all again`() async throws {
        let gate = gate(perSecond: 100, atATime: 100)
        for id in 1...2 {
            world.start {
                let ticket = try await gate.enter(AccountID(rawValue: Int64(id)), .news, by: nil)
                gate.leave(ticket, InstanceStrain.Answer(took: .zero, isLimited: true))
            }
        }
        world.drain()
        #expect(gate.isNarrowed && news.all == [.narrowed(true)])
        for _ in 0..<20 {
            world.advance(by: .seconds(10))
            send(through: gate)
        }
        world.drain()
        #expect(!gate.isNarrowed && news.all == [.narrowed(true), .narrowed(false)])
    }

    @Test func `what has waited is not sent once GitLab has told the account to wait`() async throws {
        let gate = gate(perSecond: 100, atATime: 1)
        let budget = RequestBudget(limitPerHour: 1_000, now: world.monotonicNow)
        let accountGate = RequestGate(budget: budget, time: world)
        send(through: gate, taking: .seconds(5))
        let server = ScriptedServer(time: world)
        let origin = HTTPOrigin(scheme: "https", host: "gitlab.example.com")
        let waiting = world.start { [world] in
            let pass = InstancePass(gate: gate, time: world, account: nil, accountGate: accountGate)
            return try await pass.send(
                HTTPRequest(method: .get, origin: origin, target: "/api/v4/todos"),
                HTTPSendOptions(),
                through: server
            )
        }
        world.advance(by: .seconds(1))
        accountGate.noteFailure(.rateLimited(retryAfter: .seconds(60)))
        world.advance(by: .seconds(10))
        await #expect(throws: GitLabError.rateLimited(retryAfter: .seconds(60))) { try await waiting.value }
        #expect(server.requests.isEmpty)
        send(through: gate)
        world.drain()
        #expect(starts.all == [0, 11])
    }

    @Test func `whoever waits is let go in the end, whatever the others do`() {
        for seed in 1...300 {
            let world = DeliveryWorld()
            let draw = Draw(UInt64(seed))
            let gate = InstanceGate(
                InstanceBudget.Limits(perSecond: draw.below(3) + 1, atATime: draw.below(4) + 1),
                time: world
            ) { _ in }
            let ended = Starts()
            let count = 40
            for _ in 0..<count {
                let (pause, took) = (draw.below(5_000), draw.below(800))
                let urgency = RequestUrgency.allCases[draw.below(3)]
                let patience = draw.below(3) == 0 ? Duration.milliseconds(draw.below(9_000)) : nil
                // The test cancels some; the others end by themselves.
                let request = world.start {
                    defer { ended.note(world.monotonicNow) }
                    try await world.sleep(for: .milliseconds(pause))
                    let deadline = patience.map { world.monotonicNow.advanced(by: $0) }
                    let ticket = try await gate.enter(AccountID(rawValue: 1), urgency, by: deadline)
                    try? await world.sleep(for: .milliseconds(took))
                    gate.leave(ticket, InstanceStrain.Answer(took: .milliseconds(took)))
                }
                if draw.below(5) == 0 {
                    world.advance(by: .milliseconds(draw.below(2_000)))
                    request.cancel()
                }
            }
            world.advance(by: .minutes(5))
            #expect(ended.all.count == count, "seed \(seed): \(ended.all.count) of \(count) ended")
            #expect(world.sleeperCount == 0)
        }
    }

    @Test func `each GitLab has a gate of its own`() {
        let gates = InstanceGates(
            InstanceBudget.Limits(perSecond: 1, atATime: 1),
            time: world
        ) { _ in }
        let (one, other) = (HTTPOrigin(scheme: "https", host: "one"), HTTPOrigin(scheme: "https", host: "other"))
        #expect(gates[one] === gates[one] && gates[one] !== gates[other])
        #expect(!gates.isNarrowed(HTTPOrigin(scheme: "https", host: "unknown")))
    }
}
