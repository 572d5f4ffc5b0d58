import Configuration
import Platform
import SQLite
import Testing

@testable import Notifier

/// What waits for the end of quiet hours waits on every device, whatever becomes of the device.
struct DueDeliveryTests {
    private let store: Store
    private let account: AccountID
    private let outbox = Outbox(entropy: SeededEntropy(), expiration: .hours(24))
    private let due = deliveryStart.advanced(by: .hours(8))

    init() throws {
        store = try makeDeliveryStore()
        account = try store.makeAccount()
    }

    private func later(_ duration: Duration) -> WallTime { deliveryStart.advanced(by: duration) }

    @discardableResult
    private func enqueue(dueAt: WallTime? = nil) throws -> NotificationID {
        let draft = NotificationDraft(account: account, subject: .test)
        return try outbox.enqueue(draft, at: deliveryStart, dueAt: dueAt, in: store).id
    }

    private func catchUp(_ device: DeviceID, quietUntil end: WallTime? = nil, at now: WallTime) throws -> Int {
        try store.catchUp(device, of: account, by: SeededEntropy(seed: 2), quietUntil: end, at: now)
    }

    @Test func `a device that joins waits as the others do`() throws {
        _ = try store.makeDevice(of: account, token: "aa")
        try enqueue(dueAt: due)
        let mac = try store.makeDevice(of: account, token: "bb")
        #expect(try catchUp(mac, at: later(.hours(1))) == 1)
        #expect(try store.nextDue(.production) == due)
        #expect(try store.claimDue(at: due).claimed.count == 2)
    }

    @Test func `what was announced without a device waits for the hours there are, and nothing else does`() throws {
        let announced = try enqueue()
        try enqueue()
        try store.database.execute("UPDATE notifications SET kind = 'announcement' WHERE id = ?", announced)
        let device = try store.makeDevice(of: account)
        #expect(try catchUp(device, quietUntil: due, at: later(.hours(1))) == 2)
        #expect(try store.claimDue(at: later(.hours(1))).claimed.count == 1)
        #expect(try store.nextDue(.production) == due)
    }

    @Test func `what was given up and is queued anew waits on after a restart`() throws {
        let device = try store.makeDevice(of: account)
        let announced = try enqueue()
        try store.database.execute("UPDATE notifications SET kind = 'announcement' WHERE id = ?", announced)
        let id = try #require(try store.claimDue().claimed.first?.id)
        try store.finish(id, .dead(reason: "Unregistered"), at: deliveryStart)
        #expect(try catchUp(device, quietUntil: due, at: later(.hours(1))) == 1)
        try store.endFormerPauses(longest: .minutes(20), at: later(.hours(2)))
        #expect(try store.nextDue(.production) == due)
    }

    @Test func `a device that is held, tried and released waits`() throws {
        let device = try store.makeDevice(of: account)
        try enqueue(dueAt: due)
        try store.hold(device, reason: "BadDeviceToken", at: deliveryStart)
        try store.beginTrials(.production, by: SeededEntropy(seed: 2), at: later(.hours(1)))
        #expect(try store.claimDue(at: later(.hours(1))).claimed.isEmpty)
        try store.release([device], by: SeededEntropy(seed: 2), at: later(.hours(2)))
        #expect(try store.nextDue(.production) == due)
    }

    @Test func `a held device is tried with a turn where nothing else waits, and what is moot is no trial`() throws {
        let device = try store.makeDevice(of: account)
        let (turn, day) = (try enqueue(), try enqueue())
        try store.database.execute("UPDATE notifications SET kind = 'duty' WHERE id = ?", turn)
        // Of nothing that is due by then.
        try store.database.execute("UPDATE notifications SET kind = 'due' WHERE id = ?", day)
        try store.hold(device, reason: "BadDeviceToken", at: deliveryStart)
        try store.beginTrials(.production, by: SeededEntropy(seed: 2), at: later(.minutes(10)))
        let first = try store.claimDue(at: later(.minutes(10)))
        #expect(first.claimed.isEmpty && first.moot.count == 1)
        #expect(try store.nextTrial(.production) == later(.minutes(20)))
        try store.beginTrials(.production, by: SeededEntropy(seed: 2), at: later(.minutes(20)))
        #expect(try store.claimDue(at: later(.minutes(20))).claimed.map(\.id.rawValue) == [1])
        #expect(try store.nextTrial(.production) == later(.minutes(80)))
    }

    @Test func `a held device is tried with a turn that it has missed, and not twice with what is moot`() throws {
        let device = try store.makeDevice(of: account)
        try store.hold(device, reason: "BadDeviceToken", at: deliveryStart)
        let (turn, day) = (try enqueue(), try enqueue())
        try store.database.execute("UPDATE notifications SET kind = 'duty' WHERE id = ?", turn)
        try store.database.execute("UPDATE notifications SET kind = 'due' WHERE id = ?", day)
        for minutes in [10, 20] {
            let entropy = SeededEntropy(seed: UInt64(minutes))
            try store.beginTrials(.production, by: entropy, at: later(.minutes(minutes)))
            let found = try store.claimDue(at: later(.minutes(minutes)))
            #expect(found.claimed.count == (minutes == 20 ? 1 : 0) && found.moot.count == (minutes == 10 ? 1 : 0))
        }
    }

    @Test func `a held device is not tried with what waits elsewhere`() throws {
        let held = try store.makeDevice(of: account, token: "aa")
        try store.hold(held, reason: "BadDeviceToken", at: deliveryStart)
        _ = try store.makeDevice(of: account, token: "bb")
        try enqueue(dueAt: due)
        try store.beginTrials(.production, by: SeededEntropy(seed: 2), at: later(.hours(1)))
        #expect(try store.deliveryStates().count == 1)
    }

    @Test func `a device that gets another push token waits`() throws {
        let device = try store.makeDevice(of: account)
        try enqueue(dueAt: due)
        let registration = DeviceRegistration(
            token: try makeDeviceTokenVault().seal("bb22"),
            environment: .production,
            platform: "ios",
            appVersion: nil
        )
        try store.changeToken(of: device, to: registration, at: later(.hours(1)))
        #expect(try store.nextDue(.production) == due)
    }

    @Test func `what a throttled device takes brings nothing forward that is due later`() throws {
        let device = try store.makeDevice(of: account)
        try enqueue(dueAt: due)
        try enqueue()
        let id = try #require(try store.claimDue().claimed.first?.id)
        let pause = DeliveryPolicy.Disposition.retry(at: later(.hours(9)), isCounted: false)
        try store.finish(id, pause, outcome: "TooManyRequests", at: deliveryStart)
        try store.throttle(device, until: later(.hours(9)), count: 1, at: deliveryStart)
        try store.endThrottle(of: device, sentAt: later(.hours(1)), at: later(.hours(2)))
        #expect(try store.claimDue(at: later(.hours(2))).claimed.map(\.id) == [id])
        #expect(try store.nextDue(.production) == due)
    }

    @Test func `what was announced in quiet hours waits for their end by the clock on the wall`() throws {
        _ = try store.makeDevice(of: account)
        var settings = PersonSettings()
        // From six in the morning until five in the afternoon.
        settings.quietWindows = (1...7).map { QuietHours.Window(weekday: $0, from: 360, until: 1_020) }
        try store.setSettings(settings, of: account, at: deliveryStart)
        try enqueue(dueAt: due)
        func set(by step: Duration, to now: WallTime) throws -> WallTime? {
            try store.shiftQueue(by: step, at: now, expiringBy: now.advanced(by: .hours(24)))
            try store.replanAnnouncements(over: step, by: FixedZones(), at: now)
            return try store.nextDue(.production)
        }
        #expect(try set(by: .hours(-2), to: later(.hours(-1))) == due)
        #expect(try set(by: .hours(3), to: later(.hours(2))) == due)
        #expect(try set(by: .hours(-2), to: later(.hours(7))) == due, "by the former clock they were over")
        // At two in the night they have not begun.
        #expect(try set(by: .hours(-10), to: later(.hours(-7))) == later(.hours(-7)))
    }

    @Test func `what was announced and waits for its device, too, goes by the clock on the wall`() throws {
        let device = try store.makeDevice(of: account)
        var settings = PersonSettings()
        settings.quietWindows = (1...7).map { QuietHours.Window(weekday: $0, from: 360, until: 1_020) }
        try store.setSettings(settings, of: account, at: deliveryStart)
        try enqueue(dueAt: due)
        try store.hold(device, reason: "BadDeviceToken", at: deliveryStart)
        let now = later(.hours(1))
        try store.shiftQueue(by: .hours(-2), at: now, expiringBy: now.advanced(by: .hours(24)))
        try store.replanAnnouncements(over: .hours(-2), by: FixedZones(), at: now)
        #expect(try store.claimDue(at: later(.hours(8))).claimed.isEmpty, "it is held")
        try store.release([device], by: SeededEntropy(seed: 2), at: later(.hours(2)))
        #expect(try store.nextDue(.production) == due)
    }
}
