import Configuration
import HTTP
import Platform
import SQLite
import Testing

@testable import Crypto
@testable import Notifier

struct DeliveryStoreTests {
    private let store: Store
    private let account: AccountID
    private let policy = DeliveryPolicy(NotifierConfiguration())
    private let outbox = Outbox(entropy: SeededEntropy(), expiration: .hours(24))

    init() throws {
        store = try makeDeliveryStore()
        account = try store.makeAccount()
    }

    @discardableResult
    private func enqueue(at now: WallTime = deliveryStart) throws -> NotificationID {
        try outbox.enqueue(NotificationDraft(account: account, subject: .test), at: now, in: store).id
    }

    private func claim(limit: Int = 10, at now: WallTime = deliveryStart) throws -> ClaimResult {
        try store.claimDue(limit: limit, at: now)
    }

    private func later(_ duration: Duration) -> WallTime { deliveryStart.advanced(by: duration) }

    // MARK: Claims

    @Test func `two claims never share a delivery, and each counts its attempt`() throws {
        _ = try store.makeDevice(of: account)
        for _ in 0..<5 { try enqueue() }
        let first = try claim(limit: 3).claimed
        let second = try claim(limit: 3).claimed
        #expect(first.count == 3 && second.count == 2)
        #expect(Set((first + second).map(\.id)).count == 5)
        #expect((first + second).allSatisfy { $0.attempts == 1 })
        #expect(try claim().claimed.isEmpty)
    }

    @Test func `what is due first is claimed first`() throws {
        _ = try store.makeDevice(of: account)
        try enqueue(at: later(.seconds(2)))
        try enqueue(at: later(.seconds(1)))
        try enqueue(at: later(.seconds(9)))
        #expect(try store.nextDue(.production) == later(.seconds(1)))
        #expect(try claim(limit: 1, at: later(.seconds(3))).claimed.map(\.id.rawValue) == [2])
        #expect(try claim(at: later(.seconds(3))).claimed.map(\.id.rawValue) == [1])
        #expect(try store.nextDue(.production) == later(.seconds(9)))
        #expect(try store.nextDue(.sandbox) == nil)
    }

    @Test func `an outcome without a lease changes nothing`() throws {
        _ = try store.makeDevice(of: account)
        try enqueue()
        let id = try #require(try claim().claimed.first?.id)
        try store.finish(id, .accepted, at: deliveryStart)
        try store.finish(id, .dead(reason: "late"), at: deliveryStart)
        #expect(try store.deliveryStates() == ["accepted 1 accepted"])
    }

    @Test func `an outcome for somebody who has left changes nothing under the same number`() throws {
        _ = try store.makeDevice(of: account)
        try enqueue()
        let first = try #require(try claim().claimed.first)
        try store.remove(account, at: deliveryStart)
        let other = try store.makeAccount()
        let device = try store.makeDevice(of: other)
        try outbox.enqueue(NotificationDraft(account: other, subject: .test), at: deliveryStart, in: store)
        let second = try #require(try claim().claimed.first)
        #expect(other != account && second.id == first.id && second.apnsID != first.apnsID)
        let decision = DeliveryPolicy.Decision(delivery: .accepted, device: .deactivate(reason: "Unregistered"))
        try store.apply(decision, to: first, outcome: "accepted", at: deliveryStart)
        #expect(try store.deliveryStates() == ["claimed 1 -"])
        #expect(try store.activeDevices(of: other) == [device])
        try store.apply(decision, to: second, outcome: "accepted", at: deliveryStart)
        #expect(try store.deliveryStates() == ["accepted 1 accepted"])
    }

    @Test func `a claim that rolls back leaves the delivery queued`() throws {
        struct Crash: Error {}
        _ = try store.makeDevice(of: account)
        try enqueue()
        #expect(throws: Crash.self) {
            try store.database.transaction {
                _ = try claim()
                throw Crash()
            }
        }
        #expect(try store.deliveryStates() == ["queued 0 -"])
    }

    @Test func `news that the person has read by now is not sent, and no device catches up with it`() throws {
        _ = try store.makeDevice(of: account)
        let ids = try (1...3).map { note in
            let draft = NotificationDraft(account: account, subject: .activity([makeFact(note: Int64(note))]))
            return try outbox.enqueue(draft, at: deliveryStart, in: store).id
        }
        let other = try enqueue()
        for id in [ids[0], ids[1], other] { try store.setRead(true, id, chosenAt: later(.minutes(1))) }
        try store.setRead(false, ids[1], chosenAt: later(.minutes(2)))
        let now = later(.minutes(3))
        let missed = try store.unacceptedNotifications(of: account, since: later(.hours(-1)), at: now, limit: 9)
        #expect(missed == [ids[1], ids[2]])
        let found = try claim(at: now)
        #expect(found.moot.map(\.id.rawValue) == [1])
        // What says nothing of activity counts in no number, and whether it was read says nothing.
        #expect(found.claimed.map(\.id.rawValue) == [2, 3, 4])
        #expect(try store.deliveryStates().first == "dead 1 moot")
    }

    // MARK: Leases

    @Test func `only leases that ended are taken back, and not those still worked on`() throws {
        _ = try store.makeDevice(of: account)
        for _ in 0..<3 { try enqueue() }
        let first = try claim(limit: 1).claimed
        let second = try claim(limit: 1, at: later(.seconds(30))).claimed
        let end = later(.seconds(70))
        let keeping = try store.reclaimLeases(endedBy: end, keeping: [first[0].id], by: policy, at: end)
        #expect(keeping.isEmpty)
        let reclaimed = try store.reclaimLeases(endedBy: end, keeping: [], by: policy, at: end)
        #expect(reclaimed.map(\.id) == [first[0].id])
        #expect(try store.nextLeaseEnd(keeping: []) == later(.seconds(90)))
        #expect(try store.nextLeaseEnd(keeping: [second[0].id]) == nil)
        #expect(try store.deliveryStates() == ["queued 1 unknown.crash", "claimed 1 -", "queued 0 -"])
    }

    @Test func `a delivery taken back goes again when the policy says`() throws {
        _ = try store.makeDevice(of: account)
        try enqueue()
        _ = try claim()
        var configuration = NotifierConfiguration()
        (configuration.deliveryAttempts, configuration.retryDelays) = (1, [.minutes(15)])
        let policy = DeliveryPolicy(configuration)
        _ = try store.reclaimLeases(endedBy: nil, keeping: [], by: policy, at: deliveryStart)
        #expect(try store.deliveryStates() == ["queued 1 unknown.crash"])
        #expect(try store.nextDue(.production) == later(.minutes(15)))
    }

    // MARK: Clocks

    @Test func `a clock set ahead leaves alone what is due by it, and what waits for longer keeps waiting`() throws {
        _ = try store.makeDevice(of: account)
        try enqueue()
        let waiting = try claim().claimed[0].id
        try store.finish(waiting, .retry(at: later(.hours(5)), isCounted: true), at: deliveryStart)
        let now = later(.hours(2))
        try enqueue(at: now)
        try store.shiftQueue(by: .hours(2), at: now, expiringBy: later(.hours(26)))
        #expect(try store.nextDue(.production) == now)
        _ = try claim(at: now)
        #expect(try store.nextDue(.production) == later(.hours(7)))
    }

    @Test(arguments: [Duration.hours(2), .days(1), .days(400)])
    func `a clock set ahead takes no time from news that waits`(_ step: Duration) throws {
        _ = try store.makeDevice(of: account)
        try enqueue()
        let first = try claim().claimed[0]
        try store.finish(first.id, .retry(at: deliveryStart, isCounted: true), at: deliveryStart)
        let now = later(step)
        let limit = now.advanced(by: .hours(24))
        try store.shiftQueue(by: step, at: now, expiringBy: limit)
        let again = try claim(at: now)
        #expect(again.expired.isEmpty)
        #expect(again.claimed.map(\.expiresAt) == [min(first.expiresAt.advanced(by: step), limit)])
        // Neither does it gain any, however often the clock is set.
        try store.finish(#require(again.claimed.first).id, .retry(at: now, isCounted: true), at: now)
        for _ in 0..<3 { try store.shiftQueue(by: step, at: now, expiringBy: limit) }
        #expect(try claim(at: now).claimed.map(\.expiresAt) == [limit])
    }

    @Test func `news that was too old before a clock was set ahead stays so`() throws {
        _ = try store.makeDevice(of: account)
        try enqueue()
        let now = later(.hours(50))
        try store.shiftQueue(by: .hours(1), at: now, expiringBy: now.advanced(by: .hours(24)))
        #expect(try claim(at: now).expired.count == 1)
    }

    @Test func `what is planned for later waits from then on, however often it is tried`() throws {
        _ = try store.makeDevice(of: account)
        let draft = NotificationDraft(account: account, subject: .test)
        try outbox.enqueue(draft, at: deliveryStart, dueAt: later(.hours(8)), in: store)
        let planned = try #require(try store.figures(at: later(.hours(7))).queues.first)
        #expect(planned.queued == 0 && planned.oldest == nil)
        let due = try #require(try store.figures(at: later(.hours(8))).queues.first)
        #expect(due.queued == 1 && due.oldest == later(.hours(8)))
        let delivery = try #require(try claim(at: later(.hours(8))).claimed.first)
        try store.finish(delivery.id, .retry(at: later(.hours(9)), isCounted: true), at: later(.hours(8)))
        #expect(try store.figures(at: later(.hours(8))).queues.first == due)
        // The clock is set; nobody waits for it.
        try store.shiftQueue(by: .hours(2), at: later(.hours(8)), expiringBy: later(.hours(40)))
        #expect(try store.figures(at: later(.hours(8))).queues.first == due)
    }

    // MARK: Devices

    @Test func `a new device gets what nobody accepted, not what is old, expired or accepted`() throws {
        let first = try store.makeDevice(of: account, token: "aa")
        let accepted = try enqueue()
        for delivery in try claim().claimed { try store.finish(delivery.id, .accepted, at: deliveryStart) }
        try store.deactivate(first, reason: "Unregistered", at: deliveryStart)
        let missed = try enqueue(at: later(.hours(1)))
        let now = later(.hours(2))
        let since = now.advanced(by: .hours(-24))
        #expect(try store.unacceptedNotifications(of: account, since: since, at: now, limit: 9) == [missed])
        let end = later(.hours(26))
        #expect(try store.unacceptedNotifications(of: account, since: .init(microseconds: 0), at: end, limit: 9) == [])
        #expect(accepted != missed)
    }

    @Test func `a dead delivery is queued anew with attempts of its own, one under way is left alone`() throws {
        let device = try store.makeDevice(of: account)
        let notification = try enqueue()
        #expect(try !store.requeue(notification, to: device, apnsID: "other", at: deliveryStart))
        let id = try #require(try claim().claimed.first?.id)
        #expect(try !store.requeue(notification, to: device, apnsID: "other", at: deliveryStart))
        try store.finish(id, .dead(reason: "x"), at: deliveryStart)
        #expect(try store.requeue(notification, to: device, apnsID: "other", at: deliveryStart))
        #expect(try store.deliveryStates() == ["queued 0 x"])
    }

    @Test func `what a former token took lately goes again, unless it is old, read, there or reminded of`() throws {
        let device = try store.makeDevice(of: account)
        let notifications = try (0..<5).map { _ in try enqueue() }
        for delivery in try claim().claimed { try store.finish(delivery.id, .accepted, at: deliveryStart) }
        _ = try store.setRead(true, notifications[0], chosenAt: deliveryStart)
        _ = try store.record(.delivered, of: notifications[1], on: device, at: deliveryStart)
        try store.database.execute("UPDATE notifications SET kind = 'reminder' WHERE id = ?", notifications[4])
        try store.database.execute(
            "UPDATE notifications SET collapse_id = 'one' WHERE id IN (?, ?)",
            notifications[3],
            notifications[4]
        )
        // The reminder goes in the place of what it stands for.
        #expect(try store.sendAgain(to: device, at: later(.minutes(59))) == 2)
        let claimed = try claim(at: later(.minutes(59))).claimed
        #expect(claimed.map(\.id.rawValue) == [3, 5])
        let again = try #require(claimed.first)
        #expect(again.attempts == 1)
        try store.finish(again.id, .accepted, at: later(.minutes(59)))
        // Its way took no hour, and whoever has it since does not count again.
        #expect(try store.firstAcceptance(through: again.id) == nil)
        #expect(try store.sendAgain(to: device, at: later(.minutes(61))) == 0)
    }

    @Test func `that somebody is to sign in again does not go again to who has`() throws {
        let device = try store.makeDevice(of: account)
        try enqueue()
        try store.database.execute("UPDATE notifications SET kind = 'auth_expired'")
        _ = try store.setState(.authExpired, of: account)
        for delivery in try claim().claimed { try store.finish(delivery.id, .accepted, at: deliveryStart) }
        _ = try store.setState(.active, of: account)
        #expect(try store.sendAgain(to: device, at: later(.minutes(1))) == 0)
        _ = try store.setState(.authExpired, of: account)
        #expect(try store.sendAgain(to: device, at: later(.minutes(1))) == 1)
    }

    @Test func `what a phone's former owner was told does not go again to the new one`() throws {
        let device = try store.makeDevice(of: account)
        try enqueue()
        for delivery in try claim().claimed { try store.finish(delivery.id, .accepted, at: deliveryStart) }
        let bert = try store.makeAccount("bert", user: 2)
        #expect(try store.makeDevice(of: bert) == device)
        #expect(try store.sendAgain(to: device, at: deliveryStart) == 0)
    }

    @Test func `what was queued for a phone's former owner never reaches the new one`() throws {
        _ = try store.makeDevice(of: account, token: "aa")
        try enqueue()
        try enqueue()
        let inFlight = try #require(try claim(limit: 1).claimed.first)
        let bert = try store.makeAccount("bert", user: 2)
        _ = try store.makeDevice(of: bert, token: "aa")
        try store.finish(inFlight.id, .retry(at: deliveryStart, isCounted: true), at: deliveryStart)
        #expect(try claim().claimed.isEmpty)
        #expect(try store.deliveryStates() == ["dead 2 device_moved", "dead 0 device_moved"])
    }

    @Test func `a held device's deliveries wait for it, and end with their news`() throws {
        let device = try store.makeDevice(of: account)
        try enqueue()
        try store.hold(device, reason: "BadDeviceToken", at: deliveryStart)
        #expect(try claim(at: later(.hours(23))).claimed.isEmpty)
        #expect(try store.nextDue(.production) == later(.hours(24)))
        try store.release([device], by: SeededEntropy(), at: later(.hours(1)))
        #expect(try store.nextDue(.production) == later(.hours(1)))
        try store.hold(device, reason: "BadDeviceToken", at: later(.hours(2)))
        #expect(try claim(at: later(.hours(24))).expired.count == 1)
        #expect(try store.deliveryStates() == ["dead 1 expired"])
    }

    @Test func `what waits, is under way or is queued anew is claimed where its device is`() throws {
        let device = try store.makeDevice(of: account)
        let notifications = try (0..<4).map { _ in try enqueue() }
        let claimed = try claim(limit: 3).claimed
        for delivery in claimed.dropFirst() {
            try store.finish(delivery.id, .dead(reason: "PayloadTooLarge"), at: deliveryStart)
        }
        let registration = DeviceRegistration(
            token: try makeDeviceTokenVault().seal("bb22"),
            environment: .sandbox,
            platform: "ios",
            appVersion: nil
        )
        try store.changeToken(of: device, to: registration, at: deliveryStart)
        try store.finish(claimed[0].id, .retry(at: deliveryStart, isCounted: true), at: deliveryStart)
        #expect(try store.requeue(notifications[1], to: device, apnsID: "other", at: deliveryStart))
        #expect(try store.redrive(notifications[2], of: account, at: deliveryStart).redriven == 1)
        let environments = try store.database.rows("SELECT environment FROM deliveries") { $0.text(0) }
        #expect(environments == Array(repeating: "sandbox", count: 4))
        #expect(try claim().claimed.isEmpty)
    }

    @Test func `what waits for a token goes to the next one at once, with fresh attempts`() throws {
        let device = try store.makeDevice(of: account)
        for _ in 0..<2 { try enqueue() }
        let claimed = try claim().claimed.sorted { $0.id.rawValue < $1.id.rawValue }
        let pause = DeliveryPolicy.Disposition.retry(at: later(.minutes(2)), isCounted: true)
        try store.finish(claimed[0].id, pause, outcome: "ExpiredToken", at: deliveryStart)
        try store.finish(claimed[1].id, .retry(at: deliveryStart, isCounted: true), at: deliveryStart)
        #expect(try claim().claimed.map(\.attempts) == [2])
        let registration = DeviceRegistration(
            token: try makeDeviceTokenVault().seal("bb22"),
            environment: .production,
            platform: "ios",
            appVersion: nil
        )
        try store.changeToken(of: device, to: registration, at: later(.seconds(9)))
        #expect(try store.nextDue(.production) == later(.seconds(9)))
        #expect(try store.deliveryStates() == ["queued 0 ExpiredToken", "claimed 1 -"])
    }

    // MARK: Secrets

    @Test func `a sealed token opens only for its owner, and with its key`() throws {
        let entropy = SeededEntropy()
        let old = NotifierSecrets.EncryptionKey(version: 1, key: Secret([UInt8](repeating: 1, count: 32)))
        let new = NotifierSecrets.EncryptionKey(version: 2, key: Secret([UInt8](repeating: 2, count: 32)))
        let sealed = try SecretSealer([old], entropy: entropy).seal(Secret("glpat-x"), for: "anna")
        #expect(sealed.keyVersion == 1)
        let rotated = try SecretSealer([new, old], entropy: entropy)
        #expect(try rotated.open(sealed, for: "anna").exposedText == "glpat-x")
        #expect(try rotated.seal(Secret("y"), for: "anna").keyVersion == 2)
        #expect(throws: CryptoError.authenticationFailed) { try rotated.open(sealed, for: "bert") }
        #expect(throws: StoreError.unknownKeyVersion(1)) {
            try SecretSealer([new], entropy: entropy).open(sealed, for: "anna")
        }
    }

    // MARK: History

    @Test func `the history comes newest first, in pages, and ends`() throws {
        let ids = try (0..<5).map { try enqueue(at: later(.minutes($0))) }
        let first = try store.history(of: account, before: nil, limit: 3)
        #expect(first.map(\.id) == [ids[4], ids[3], ids[2]])
        #expect(try store.history(of: account, before: ids[2], limit: 3).map(\.id) == [ids[1], ids[0]])
        #expect(
            try store.history(of: account, before: nil, HistoryFilter(since: later(.minutes(4))), limit: 3).map(\.id)
                == [ids[4]]
        )
    }

    @Test func `old notifications leave with their deliveries`() throws {
        _ = try store.makeDevice(of: account)
        try enqueue()
        try enqueue(at: later(.days(3)))
        #expect(try store.purgeNotifications(before: later(.days(1)), limit: 10) == 1)
        #expect(try store.deliveryStates().count == 1)
    }

    @Test func `status counts what is pending, accepted and dead`() throws {
        let device = try store.makeDevice(of: account)
        for _ in 0..<3 { try enqueue() }
        let claimed = try claim(limit: 2).claimed
        try store.finish(claimed[0].id, .accepted, at: deliveryStart)
        try store.finish(claimed[1].id, .dead(reason: "PayloadTooLarge"), at: deliveryStart)
        let status = try store.accountStatus(account, at: later(.minutes(1)))
        #expect(status.pending == 1 && status.oldestPending == deliveryStart)
        #expect(status.notifications == 3 && status.accepted == 1 && status.dead == 1)
        #expect(status.activeDevices == 1 && status.platforms == ["ios"])
        #expect(status.deadLetters.map(\.reason) == ["PayloadTooLarge"])
        #expect(device.rawValue == 1)
    }
}
