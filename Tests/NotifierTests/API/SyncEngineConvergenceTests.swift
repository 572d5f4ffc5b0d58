import Duties
import FoundationEssentials
import HTTP
import Platform
import Synchronization
import Testing

@testable import Notifier
@testable import NotifierKit

/// The kit's engines of one person's devices on the real server: whatever is lost on the way and whoever is killed, all come to tell the same.
struct SyncEngineConvergenceTests {
    private static let deviceCount = 3

    /// What becomes of an exchange.
    private enum Fate: CaseIterable {
        /// It never arrives, or the app is killed before it is sent.
        case lost
        /// The server has acted, and nobody hears; or the app is killed before it settles the answer.
        case unheard
        /// Before the answer is settled, another process of the device exchanges everything.
        case overtaken
    }

    /// Carries each request to the server, or not.
    ///
    /// Unchecked: handed over: one task of one test uses it at a time.
    private final class Link: Transport, @unchecked Sendable {
        let bench: ServerBench
        var random: RandomStream
        /// Exchanges of a hundred that come to grief.
        var trouble: UInt64 = 0
        var fates: [Fate: Int] = [:]
        /// The other process of the device.
        var other: (() async -> Void)?

        init(_ bench: ServerBench, _ random: RandomStream) { (self.bench, self.random) = (bench, random) }

        func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
            let fate = random.next(below: 100) < trouble ? Fate.allCases[Int(random.next(below: 3))] : nil
            if let fate { fates[fate, default: 0] += 1 }
            if fate == .lost { throw .cannotConnect }
            let answer = try deliver(request)
            if fate == .unheard { throw .timedOut }
            if fate == .overtaken, let other {
                self.other = nil
                await other()
                self.other = other
            }
            return answer
        }

        private func deliver(_ request: TransportRequest) throws(TransportFailure) -> TransportResponse {
            let method: HTTPMethod = request.method == "POST" ? .post : .get
            let session = request.fields.first { $0.name == "Authorization" }?.value.dropFirst(7) ?? ""
            do {
                let answer = try bench.call(
                    method,
                    request.target,
                    String(decoding: request.body, as: UTF8.self),
                    session: String(session)
                )
                return TransportResponse(status: answer.status, body: Data(answer.body))
            } catch { throw .interrupted }
        }
    }

    /// A device's clock, which is off.
    private struct Clock: KitClock, ChanceSource {
        let world: DeliveryWorld
        var offset: Double
        let random: Draws

        var now: Date { .init(timeIntervalSince1970: Double(world.wallNow.microseconds) / 1_000_000 + offset) }

        func sleep(for duration: Duration) async throws {}

        func next() async -> Double { random.next() }
    }

    private final class Draws: Sendable {
        private let stream: Mutex<RandomStream>

        init(_ stream: RandomStream) { self.stream = Mutex(stream) }

        func next() -> Double { stream.withLock { Double($0.next(below: 1 << 53)) / Double(1 << 53) } }
    }

    private struct Device {
        let client: NotifierClient
        let link: Link
        let clock: Clock
        let store = MemoryLocalStore()

        /// What a process of the device works with; each is another one.
        var engine: SyncEngine {
            SyncEngine(client: client, store: store, clock: clock, chance: clock, board: StatusBoard())
        }
    }

    private static func makeDevice(_ number: Int, _ bench: ServerBench, seed: UInt64) async throws -> Device {
        let keys = MemoryKeyStore()
        let credentials = Credentials(
            server: try ServerAddress("https://notifier.example.com"),
            token: try bench.register(),
            refreshToken: "none",
            expiresAt: .distantFuture,
            deviceID: nil
        )
        try await CredentialStore(keys).write(credentials)
        let link = Link(bench, RandomStream(seed: seed * 100 + UInt64(number)))
        let draws = Draws(RandomStream(seed: seed * 100 + 50 + UInt64(number)))
        return Device(
            client: NotifierClient(transport: link, credentials: CredentialStore(keys), tasks: .unstructured),
            link: link,
            clock: Clock(world: bench.world, offset: [0, 240, -90][number], random: draws)
        )
    }

    private static func wanted(_ told: [String], _ random: inout RandomStream) -> NotifierKit::SyncChange.Wanted {
        let iid = Int64(1 + random.next(below: 3))
        let item = NotifierKit::ItemReference(projectID: 42, kind: .mergeRequest, iid: iid)
        switch random.next(below: 11) {
        case 8, 9, 10: return .duty(wish(&random))
        case 0, 1: return .watch(item)
        case 2: return .unwatch(item)
        case 3: return .dismiss(item)
        case 4:
            let hours = Double(random.next(below: 3))
            return .mute(item, until: .init(timeIntervalSince1970: 1_772_600_000 + hours * 3_600))
        case 5:
            let isDenied = random.next(below: 2) == 0
            return .deny(Int64(1 + random.next(below: 2)), isDenied, displayName: "Bot", reason: nil)
        case 6:
            var change = SettingsChange()
            if random.next(below: 2) == 0 { change.reminders = random.next(below: 2) == 0 }
            change.dueLeadHours = Int(random.next(below: 100))
            return .settings(change)
        default: return .read(told[Int(random.next(below: UInt64(told.count)))], random.next(below: 2) == 0)
        }
    }

    private static let duty = EntityID(high: 7, low: 7)
    private static let members = (1...3).map { EntityID(high: 8, low: $0) }

    /// Watering the plants, with two who are known by name.
    private static let plants = NewDuty(
        id: duty,
        title: "Plants",
        everyDays: 1,
        startOn: CivilDay(number: 20_510),
        timeOfDay: "09:30",
        timeZone: "UTC",
        members: zip(["Anna", "Bert", "Cleo"], members).map { NewDuty.Member(name: $0, isYou: $0 == "Anna", id: $1) }
    )

    private static func wish(_ random: inout RandomStream) -> NotifierKit.DutyWish {
        let occurrence = Occurrence.id(of: duty, index: Int(random.next(below: 6)))
        let id = EntityID(high: random.next(below: .max), low: random.next(below: .max))
        let member = members[Int(random.next(below: 3))]
        switch random.next(below: 15) {
        case 0...3: return .end(id, of: occurrence, .done, by: member, note: nil)
        case 4, 5: return .end(id, of: occurrence, .skip, by: nil, note: "nothing grew")
        case 6...9: return .give(id, of: occurrence, to: member)
        case 10:
            var changes = DutyChanges()
            changes.title = "Plants \(random.next(below: 9))"
            return .change(duty, changes)
        case 11, 12:
            let hours = Double(random.next(below: 3))
            return .mute(duty, until: .init(timeIntervalSince1970: 1_772_600_000 + hours * 3_600))
        case 13: return .mute(duty, until: nil)
        default: return .add(member, name: "Cleo \(random.next(below: 9))", of: duty)
        }
    }

    /// The turns that a device computes, and those that it was told, as lines.
    private static func turns(_ copy: SyncCopy) -> (computed: [String], told: [String]) {
        guard let zone = SystemZone("UTC") else { return ([], []) }
        let line = { (turn: SharedDuty.Turn) in
            "turn \(turn.index) \(turn.dueAt) \(turn.assignee.map(\.description) ?? "-") \(turn.status)"
                + " \(turn.decidedBy.map(\.description) ?? "-") \(turn.decidedAt ?? .distantPast)"
        }
        let told = copy.rota.list.flatMap(\.occurrences)
        let end = told.last.map { $0.dueAt + 1 } ?? .distantPast
        return (copy.rota.turns(of: duty, zone: zone, before: end).map(line), told.map(line))
    }

    /// Everything that a device shows, as lines.
    private static func lines(_ copy: SyncCopy) -> [String] {
        let name = { (item: NotifierKit::ItemReference) in "\(item.projectID)/\(item.kind)/\(item.iid)" }
        var lines = copy.watches.values.map { watch in
            "watch \(name(watch.item)) \(watch.watchedItemId ?? "-") \(watch.mutedUntil ?? .distantPast)"
        }
        lines += copy.choices.map { "choice \(name($0.key)) \($0.value)" }
        lines += copy.deniedActors.values.map { "denied \($0.gitlabUserId) \($0.displayName ?? "-")" }
        lines += copy.readMarks.keys.map { "read \($0)" }
        lines += copy.rota.ends.values.map { "end \($0)" } + copy.rota.gifts.values.map { "gift \($0)" }
        lines += copy.rota.members.values.map { "member \($0)" } + turns(copy).computed
        lines += copy.rota.duties.values.map { "duty \($0)" } + copy.rota.mutes.map { "muted \($0.key) \($0.value)" }
        lines.append("settings \(String(describing: copy.settings))")
        return lines.sorted()
    }

    @Test(arguments: 1...12)
    func `any order, loss, and end of a process comes to one state on all devices`(seed: UInt64) async throws {
        let bench = try ServerBench()
        bench.serveItems(1...3)
        var devices: [Device] = []
        for number in 0..<Self.deviceCount { devices.append(try await Self.makeDevice(number, bench, seed: seed)) }
        let told = try bench.tell(1, count: 2)
        try await devices[0].engine.choose(.duty(.make(Self.plants)))
        for device in devices { try await device.engine.sync() }
        var random = RandomStream(seed: seed)
        for device in devices {
            device.link.trouble = 45
            device.link.other = { try? await device.engine.sync() }
        }
        var chosen = 0
        for _ in 0..<90 {
            let device = devices[Int(random.next(below: UInt64(Self.deviceCount)))]
            bench.world.advance(by: .seconds(1 + Int64(random.next(below: 40))))
            if random.next(below: 2) == 0 {
                try await device.engine.choose(Self.wanted(told, &random), label: ItemLabel(title: "T"))
                chosen += 1
            } else {
                try? await device.engine.sync()
            }
        }
        let fates = devices.reduce(into: [Fate: Int]()) { $0.merge($1.link.fates, uniquingKeysWith: +) }
        #expect(Fate.allCases.allSatisfy { fates[$0, default: 0] > 0 } && chosen > 20, "\(fates)")
        for device in devices { device.link.trouble = 0 }
        for _ in 0..<2 {
            for device in devices { try await device.engine.sync() }
        }
        let fresh = try await Self.makeDevice(0, bench, seed: seed + 1_000)
        try await fresh.engine.sync()
        let expected = Self.lines(try await fresh.engine.state().shown)
        #expect(expected.count > 4)
        for (number, device) in devices.enumerated() {
            let state = try await device.engine.state()
            #expect(state.pending.isEmpty && state.reversals.isEmpty, "device \(number): \(state)")
            #expect(Self.lines(state.shown) == expected, "device \(number)")
            let turns = Self.turns(state.shown)
            #expect(turns.computed == turns.told && turns.told.count > 60, "device \(number)")
            #expect(turns.told.contains { $0.contains("completed") || $0.contains("skipped") })
        }
    }
}
