import Configuration
import Platform
import Testing

@testable import Notifier

/// What is said of a person's token for GitLab is pushed as long as it is so.
struct GitLabTokenNewsTests {
    private let store: Store
    private let account: AccountID
    private let device: DeviceID
    private let outbox = Outbox(entropy: SeededEntropy(), expiration: .hours(24))

    init() throws {
        store = try makeDeliveryStore()
        account = try store.makeAccount()
        device = try store.makeDevice(of: account)
    }

    private func enqueue(_ subject: NotificationDraft.Subject) throws {
        let draft = NotificationDraft(account: account, subject: subject)
        try outbox.enqueue(draft, at: deliveryStart, in: store)
    }

    @Test func `that GitLab refuses a token is pushed to nobody of whom it takes one again`() throws {
        _ = try store.setState(.authExpired, of: account)
        try enqueue(.authExpired)
        try enqueue(.authExpired)
        #expect(try store.claimDue(limit: 1).claimed.count == 1)
        _ = try store.setState(.active, of: account)
        #expect(try store.claimDue().moot.count == 1)
        #expect(try store.deliveryStates() == ["claimed 1 -", "dead 1 moot"])
    }

    @Test func `that a token expires is pushed to nobody who has another`() throws {
        var expiry = TokenExpiry(expiresOn: "2026-03-05", readAt: deliveryStart)
        expiry.recordNotified(.ahead)
        try store.setTokenExpiry(expiry, of: account)
        try enqueue(.tokenExpiring(on: "2026-03-05"))
        try enqueue(.tokenExpiring(on: "2026-03-05"))
        #expect(try store.claimDue(limit: 1).claimed.count == 1)
        try store.setTokenExpiry(TokenExpiry(expiresOn: "2027-03-05", readAt: deliveryStart), of: account)
        #expect(try store.claimDue().moot.count == 1)
        #expect(try store.deliveryStates() == ["claimed 1 -", "dead 1 moot"])
    }

    @Test func `a held device is not tried with what was so of a former token`() throws {
        _ = try store.setState(.authExpired, of: account)
        try enqueue(.test)
        try enqueue(.authExpired)
        try store.hold(device, reason: "BadDeviceToken", at: deliveryStart)
        _ = try store.setState(.active, of: account)
        let later = deliveryStart.advanced(by: .hours(1))
        try store.beginTrials(.production, by: SeededEntropy(seed: 2), at: later)
        #expect(try store.claimDue(at: later).claimed.map(\.id.rawValue) == [1])
        // Nor with what it has missed, where nothing waits.
        let other = try store.makeDevice(of: account, token: "bb22")
        try store.hold(other, reason: "BadDeviceToken", at: later)
        let last = later.advanced(by: .hours(1))
        try store.beginTrials(.production, by: SeededEntropy(seed: 3), at: last)
        #expect(try store.claimDue(at: last).claimed.map(\.device) == [other])
    }
}
