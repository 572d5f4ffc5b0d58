import Platform
import SQLite
import Testing

@testable import Notifier

/// APNs facts §17 items 5 and 6: ids chosen before the first attempt, state per device.
struct OutboxTests {
    private let outbox = Outbox(entropy: SeededEntropy(), expiration: .hours(24))

    @Test func `each active device gets a delivery of its own, with an apns-id of its own`() throws {
        let store = try makeDeliveryStore()
        let account = try store.makeAccount()
        _ = try store.makeDevice(of: account, token: "aa")
        _ = try store.makeDevice(of: account, token: "bb")
        let held = try store.makeDevice(of: account, token: "cc")
        try store.hold(held, reason: "BadDeviceToken", at: deliveryStart)
        let draft = NotificationDraft(account: account, subject: .activity([makeFact()]))
        let enqueued = try outbox.enqueue(draft, at: deliveryStart, in: store)
        #expect(enqueued.deliveries == 2)
        let claimed = try store.claimDue().claimed
        #expect(try claimed.map { try makeDeviceTokenVault().open($0.deviceToken) } == ["aa", "bb"])
        #expect(Set(claimed.map(\.apnsID)).count == 2)
        #expect(claimed.allSatisfy { $0.collapseID == enqueued.publicID && $0.collapseID.utf8.count <= 64 })
        #expect(claimed.allSatisfy { $0.expiresAt == deliveryStart.advanced(by: .hours(24)) })
    }

    @Test(arguments: [(-1, 24), (0, 24), (1, 25), (48, 72), (40 * 24, 31 * 24)])
    func `news expires no sooner for a clock that is behind GitLab's`(ahead: Int, expiresAfter: Int) throws {
        let store = try makeDeliveryStore()
        let account = try store.makeAccount()
        _ = try store.makeDevice(of: account)
        var fact = makeFact()
        fact.occurredAt = deliveryStart.advanced(by: .hours(ahead))
        let facts = [makeFact(), fact]
        for subject in [NotificationDraft.Subject.activity(facts), .digest(Digest(facts: facts.map { HeldFact($0) }))] {
            _ = try outbox.enqueue(NotificationDraft(account: account, subject: subject), at: deliveryStart, in: store)
        }
        let claimed = try store.claimDue().claimed
        let end = deliveryStart.advanced(by: .hours(expiresAfter))
        #expect(claimed.map(\.expiresAt) == [end, end], "a digest no sooner than what it tells of")
    }

    @Test func `another person's devices get nothing`() throws {
        let store = try makeDeliveryStore()
        let anna = try store.makeAccount("anna", user: 1)
        let bert = try store.makeAccount("bert", user: 2)
        _ = try store.makeDevice(of: bert)
        let draft = NotificationDraft(account: anna, subject: .test)
        #expect(try outbox.enqueue(draft, at: deliveryStart, in: store).deliveries == 0)
    }

    @Test func `a mention on what is not watched is new, on a watched item it is not`() throws {
        let store = try makeDeliveryStore()
        let account = try store.makeAccount()
        let item = ItemReference(project: ProjectID(rawValue: 42), kind: .mergeRequest, iid: 847)
        let draft = NotificationDraft(account: account, subject: .activity([makeFact(.mentioned)]))
        func payload() throws -> String {
            let id = try outbox.enqueue(draft, at: deliveryStart, in: store).id
            return try #require(
                try store.database.first("SELECT payload FROM notifications WHERE id = ?", id) {
                    String(decoding: $0.blob(0), as: UTF8.self)
                }
            )
        }
        #expect(try payload().contains(#""isNewMention":true"#))
        let description = WatchDescription(title: "t")
        _ = try store.insertWatch(publicID: "w", item, description, of: account, at: deliveryStart)
        #expect(try payload().contains(#""isNewMention":false"#))
    }
}
