import Configuration
import HTTP
import Platform
import SQLite
import Synchronization
import Testing

@testable import Notifier

/// Random faults and crashes: whatever happens, nothing is lost, and nothing accepted goes out again.
struct DeliveryFaultsTests {
    /// APNs as the test sees it: what it did with each push, and what it let the sender know.
    private final class FaultyAPNs: Sendable {
        private struct State {
            var random: RandomStream
            var isFaulty = true
            /// How often a push was answered with 200, by `apns-id`.
            var accepted: [String: Int] = [:]
            /// Every collapse id seen with an `apns-id`.
            var collapseIDs: [String: Set<String>] = [:]
        }

        private let state: Mutex<State>

        init(seed: UInt64) { state = Mutex(State(random: RandomStream(seed: seed, stream: "apns"))) }

        var accepted: [String: Int] { state.withLock { $0.accepted } }
        var collapseIDs: [String: Set<String>] { state.withLock { $0.collapseIDs } }

        func recover() { state.withLock { $0.isFaulty = false } }

        func answer(_ request: HTTPRequest) -> ScriptedServer.Response {
            state.withLock { state in
                let id = request.fields["apns-id"] ?? ""
                state.collapseIDs[id, default: []].insert(request.fields["apns-collapse-id"] ?? "")
                let draw = state.isFaulty ? state.random.next(below: 10) : 0
                let delay = Duration.milliseconds(Int64(state.random.next(below: 400)))
                switch draw {
                case 5: return .refusal(503, "ServiceUnavailable")
                case 6: return .refusal(500, "InternalServerError")
                case 7: return .outcome(.notSent(.connectionRefused), after: delay)
                case 8: return .silence
                case 9: return .outcome(.unknown(.connectionReset), after: delay)
                default:
                    state.accepted[id, default: 0] += 1
                    return .status(200, after: delay)
                }
            }
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `crashes and faults lose nothing and repeat nothing that was answered`(_ seed: UInt64) throws {
        var random = RandomStream(seed: seed)
        let apns = FaultyAPNs(seed: seed)
        let path = "file:/delivery-faults-\(seed)?vfs=memdb"
        // The first connection keeps the database while processes come and go.
        let keeper = Store(try Database(path: path, options: DatabaseOptions(busyTimeout: .zero)))
        try Store.migrate(keeper.database, at: deliveryStart)
        var bench = try DeliveryBench(path: path) { request, _ in apns.answer(request) }
        let account = try bench.makeAccount(tokens: ["aa", "bb", "cc"])
        var service = try bench.makeService()
        bench.world.start { [service] in try await service.run() }
        var crashes = 0
        for _ in 0..<40 {
            if random.chance(1, in: 6) {
                bench.world.crash()
                crashes += 1
                try bench.restart(path: path)
                service = try bench.makeService()
                bench.world.start { [service] in try await service.run() }
            }
            try bench.enqueue(1 + Int(random.next(below: 2)), for: account, service)
            bench.world.advance(by: .milliseconds(Int64(random.next(below: 60_000))))
        }
        apns.recover()
        bench.world.advance(by: .minutes(30))
        #expect(try keeper.deliveryStates().allSatisfy { $0.hasPrefix("accepted") }, "seed \(seed)")
        let repeats = apns.accepted.values.reduce(0) { $0 + $1 - 1 }
        // A crash may come between an answer and its record, for each push under way.
        #expect(repeats <= crashes * bench.configuration.deliveryConcurrency, "seed \(seed)")
        if crashes == 0 { #expect(repeats == 0, "seed \(seed)") }
        #expect(apns.collapseIDs.values.allSatisfy { $0.count == 1 }, "seed \(seed)")
    }

    @Test func `what APNs took while the database took nothing is recorded later, and not pushed again`() throws {
        let bench = try DeliveryBench { _, _ in .status(200, after: .milliseconds(500)) }
        try bench.enqueue(for: bench.makeAccount())
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .milliseconds(100))
        try bench.setWritable(false)
        bench.world.advance(by: .hours(2))
        #expect(bench.server.requests.count == 1)
        try bench.setWritable(true)
        bench.world.advance(by: .minutes(5))
        #expect(try bench.states() == ["accepted 1 accepted"])
        #expect(bench.server.requests.count == 1)
    }

    @Test func `a silent push that was claimed beside a queue that fails is not forgotten`() throws {
        let bench = try DeliveryBench()
        let account = try bench.makeAccount()
        try bench.write { store in
            let other = try store.makeAccount("other", user: 2)
            let device = try store.makeDevice(of: other, token: "bb22", environment: .sandbox)
            try store.notePulled(0, by: device)
            let policy = SilentPushPolicy(NotifierConfiguration())
            _ = try store.planSilentPushes(for: 1, of: other, besides: nil, by: policy, at: deliveryStart)
            try store.database.execute(
                "CREATE TRIGGER no_token BEFORE INSERT ON provider_tokens BEGIN SELECT raise(ABORT, 'broken'); END"
            )
            try store.database.execute(
                """
                CREATE TRIGGER no_release BEFORE UPDATE ON deliveries
                WHEN old.state = 'claimed' AND new.state = 'queued'
                BEGIN SELECT raise(ABORT, 'broken'); END
                """
            )
        }
        bench.world.advance(by: .minutes(1))
        try bench.enqueue(for: account)
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .seconds(1))
        #expect(bench.log.count(.claimFailed) == 1)
        try bench.write { store in
            try store.database.execute("DROP TRIGGER no_token")
            try store.database.execute("DROP TRIGGER no_release")
        }
        bench.world.advance(by: .minutes(10))
        #expect(bench.server.requests.count { $0.fields["apns-push-type"] == "background" } == 1)
        #expect(try bench.acceptedCount() == 1)
    }

    @Test func `an outcome that cannot be recorded holds up no other, and is unknown when its lease ends`() throws {
        var (bench, account) = try DeliveryBench.crowd()
        bench.configuration.leaseDuration = .seconds(30)
        _ = try bench.write { store in
            try store.database.execute(
                """
                CREATE TRIGGER broken BEFORE UPDATE ON deliveries WHEN new.state = 'accepted' AND new.id = 3
                BEGIN SELECT raise(ABORT, 'broken'); END
                """
            )
        }
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .milliseconds(109))
        #expect(try bench.acceptedCount() == 6, "it takes two with it that came at the same time")
        bench.world.advance(by: .seconds(1))
        #expect(try bench.acceptedCount() == 8, "each goes alone then")
        try bench.enqueue(for: account, service)
        bench.world.advance(by: .milliseconds(100))
        #expect(try bench.acceptedCount() == 9, "the queue goes on")
        bench.world.advance(by: .seconds(2))
        #expect(try bench.states()[2] == "claimed 1 -")
        #expect(bench.log.count(.outcomeNotRecorded) == 1 && bench.log.count(.claimFailed) == 0)
        _ = try bench.write { try $0.database.execute("DROP TRIGGER broken") }
        bench.world.advance(by: .minutes(1))
        #expect(try bench.states()[2] == "accepted 2 accepted")
        #expect(bench.log.count(.leaseReclaimed) == 1)
    }
}
