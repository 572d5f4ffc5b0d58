import HTTP
import Platform
import SQLite
import Testing

@testable import Notifier

/// The outbox as a person sees it: history, receipts, tests, redrives.
struct HistoryTests {
    private let store: Store
    private let account: AccountID
    private let outbox = Outbox(entropy: SeededEntropy(), expiration: .hours(24))

    init() throws {
        store = try makeDeliveryStore()
        account = try store.makeAccount()
    }

    private func tell(
        _ note: Int64,
        iid: Int64 = 847,
        kind: ItemKind = .mergeRequest,
        project: Int64 = 42,
        after delay: Duration = .zero
    ) throws -> Outbox.Enqueued {
        let item = ItemReference(project: ProjectID(rawValue: project), kind: kind, iid: iid)
        let draft = NotificationDraft(account: account, subject: .activity([makeFact(note: note, item: item)]))
        return try outbox.enqueue(draft, at: deliveryStart.advanced(by: delay), in: store)
    }

    private func sourceIDs(_ filter: HistoryFilter) throws -> [Int64?] {
        try store.history(of: account, before: nil, filter, limit: 100).map(\.sourceID)
    }

    @Test func `the history is filtered by item and time`() throws {
        _ = try tell(1)
        _ = try tell(2, iid: 5, after: .minutes(1))
        _ = try tell(3, kind: .issue, after: .minutes(2))
        _ = try tell(4, project: 43, after: .minutes(3))
        let project = ProjectID(rawValue: 42)
        #expect(try sourceIDs(HistoryFilter()) == [4, 3, 2, 1])
        #expect(try sourceIDs(HistoryFilter(project: project)) == [3, 2, 1])
        #expect(try sourceIDs(HistoryFilter(project: project, kind: .mergeRequest)) == [2, 1])
        #expect(try sourceIDs(HistoryFilter(project: project, kind: .mergeRequest, iid: 847)) == [1])
        let from = deliveryStart.advanced(by: .minutes(1))
        let end = deliveryStart.advanced(by: .minutes(3))
        #expect(
            try sourceIDs(HistoryFilter(since: from, until: end)) == [3, 2],
            "the first instant counts, the last does not"
        )
    }

    @Test func `news of the service has no item and matches no item filter`() throws {
        _ = try outbox.enqueue(NotificationDraft(account: account, subject: .authExpired), at: deliveryStart, in: store)
        #expect(try sourceIDs(HistoryFilter()) == [nil])
        #expect(try sourceIDs(HistoryFilter(project: ProjectID(rawValue: 42))).isEmpty)
    }

    @Test func `pages neither repeat nor skip when rows come and go between them`() throws {
        for note in 1...6 { _ = try tell(Int64(note)) }
        let first = try store.history(of: account, before: nil, limit: 2)
        #expect(first.map(\.sourceID) == [6, 5])
        _ = try tell(7)
        try store.database.execute("DELETE FROM notifications WHERE source_id = 6")
        try store.database.execute("DELETE FROM notifications WHERE source_id = 4")
        let second = try store.history(of: account, before: first.last?.id, limit: 10)
        #expect(second.map(\.sourceID) == [3, 2, 1])
    }

    @Test func `the first receipt of a kind stands, and who opened has received`() throws {
        let device = try store.makeDevice(of: account)
        let notification = try tell(1).id
        let (early, late) = (deliveryStart.advanced(by: .seconds(3)), deliveryStart.advanced(by: .seconds(9)))
        #expect(try store.record(.delivered, of: notification, on: device, at: early) == early)
        #expect(try store.record(.delivered, of: notification, on: device, at: late) == early)
        #expect(try store.history(of: account, before: nil, limit: 1)[0].readAt == nil)
        #expect(try store.record(.opened, of: notification, on: device, at: late) == late)
        #expect(try store.record(.opened, of: notification, on: device, at: early) == late)
        let trace = try #require(try store.deliveries(of: notification).first)
        #expect(trace.deliveredAt == early && trace.openedAt == late)
        #expect(try store.history(of: account, before: nil, limit: 1)[0].readAt == late)
    }

    @Test func `an opened receipt without a delivered one counts as both`() throws {
        let device = try store.makeDevice(of: account)
        let notification = try tell(1).id
        _ = try store.record(.opened, of: notification, on: device, at: deliveryStart)
        let trace = try #require(try store.deliveries(of: notification).first)
        #expect(trace.deliveredAt == deliveryStart && trace.openedAt == deliveryStart)
    }

    @Test func `an opening reported before the delivery is set right`() throws {
        let device = try store.makeDevice(of: account)
        let notification = try tell(1).id
        let shown = deliveryStart.advanced(by: .seconds(9))
        _ = try store.record(.delivered, of: notification, on: device, at: shown)
        #expect(try store.record(.opened, of: notification, on: device, at: deliveryStart) == shown)
    }

    @Test func `the database refuses an opening before its delivery`() throws {
        let notification = try tell(1).id
        #expect(throws: SQLiteError.self) {
            try store.database.execute(
                "INSERT INTO receipts (notification_id, delivered_at, opened_at) VALUES (?, 9, 8)",
                notification
            )
        }
    }

    @Test func `a second receipt of one device is refused by the database, one of another is not`() throws {
        let notification = try tell(1).id
        let insert: SQL = "INSERT INTO receipts (notification_id, device_id, delivered_at) VALUES (?, ?, 9)"
        let device = try store.makeDevice(of: account)
        try store.database.execute(insert, notification, device)
        #expect(throws: SQLiteError.self) { try store.database.execute(insert, notification, device) }
        let none: DeviceID? = nil
        try store.database.execute(insert, notification, none)
        #expect(throws: SQLiteError.self) { try store.database.execute(insert, notification, none) }
    }

    @Test func `receipts stand beside what APNs accepted, and never above it`() throws {
        let device = try store.makeDevice(of: account)
        let sent = try (1...4).map { try tell(Int64($0)).id }
        let claims = try store.claimDue(limit: 3).claimed
        for claim in claims.prefix(2) { try store.finish(claim.id, .accepted, at: deliveryStart) }
        try store.finish(claims[2].id, .dead(reason: "BadTopic"), at: deliveryStart)
        // A push whose answer was lost may have arrived: the receipt is kept, the rate is of what was accepted.
        for notification in [sent[0], sent[2]] {
            _ = try store.record(.delivered, of: notification, on: device, at: deliveryStart)
        }
        let status = try store.accountStatus(account, at: deliveryStart.advanced(by: .hours(1)))
        #expect(status.notifications == 4 && status.attempted == 3 && status.accepted == 2)
        #expect(status.delivered == 1 && status.opened == 0 && status.dead == 1)
    }

    @Test func `old receipts are forgotten and the notification stays`() throws {
        let notification = try tell(1).id
        _ = try store.record(.delivered, of: notification, on: nil, at: deliveryStart)
        let end = deliveryStart.advanced(by: .microseconds(1))
        #expect(try store.purgeReceipts(before: deliveryStart, limit: 10) == 0)
        #expect(try store.purgeReceipts(before: end, limit: 10) == 1)
        #expect(try store.history(of: account, before: nil, limit: 10).count == 1)
    }

    @Test func `a redrive gives fresh attempts under the same ids, to devices that can be pushed to`() throws {
        let phone = try store.makeDevice(of: account, token: "aa")
        let mac = try store.makeDevice(of: account, token: "bb")
        let notification = try tell(1).id
        func claim() throws -> [ClaimedDelivery] {
            try store.claimDue(limit: 9).claimed
        }
        let before = try claim()
        for claim in before { try store.finish(claim.id, .dead(reason: "InternalServerError"), at: deliveryStart) }
        try store.deactivate(mac, reason: "Unregistered", at: deliveryStart)
        #expect(try store.redrive(notification, of: account, at: deliveryStart) == Redrive(redriven: 1, unreachable: 1))
        let again = try claim()
        #expect(again.map(\.device) == [phone])
        #expect(again.map(\.apnsID) == before.filter { $0.device == phone }.map(\.apnsID))
        #expect(again.map(\.collapseID) == [before[0].collapseID])
        #expect(again.map(\.attempts) == [1])
        #expect(try store.redrive(notification, of: account, at: deliveryStart) == Redrive(redriven: 0, unreachable: 1))
    }

    @Test func `what is read does not go again, and does once it is unread`() throws {
        _ = try store.makeDevice(of: account, token: "aa")
        let notification = try tell(1).id
        for claim in try store.claimDue(limit: 9).claimed {
            try store.finish(claim.id, .dead(reason: "BadMessageId"), at: deliveryStart)
        }
        try store.setRead(true, notification, chosenAt: deliveryStart)
        #expect(try store.redrive(notification, of: account, at: deliveryStart) == Redrive(redriven: 0, unreachable: 0))
        try store.setRead(false, notification, chosenAt: deliveryStart.advanced(by: .seconds(1)))
        #expect(try store.redrive(notification, of: account, at: deliveryStart) == Redrive(redriven: 1, unreachable: 0))
    }

    @Test func `a reminder that nobody needed any more does not go again`() throws {
        _ = try store.makeDevice(of: account, token: "aa")
        let notification = try tell(1).id
        try store.database.execute("UPDATE notifications SET kind = 'reminder' WHERE id = ?", notification)
        let claim = try #require(try store.claimDue(limit: 9).claimed.first)
        try store.finish(claim.id, DeliveryPolicy.moot, at: deliveryStart)
        #expect(try store.redrive(notification, of: account, at: deliveryStart) == Redrive(redriven: 0, unreachable: 0))
    }
}
