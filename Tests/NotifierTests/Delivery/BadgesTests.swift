import Platform
import Testing

@testable import Notifier

/// The number that a push brings.
struct BadgesTests {
    private let store: Store
    private let account: AccountID
    private let outbox = Outbox(entropy: SeededEntropy(), expiration: .hours(24))

    init() throws {
        store = try makeDeliveryStore()
        account = try store.makeAccount()
        _ = try store.makeDevice(of: account)
    }

    /// Comments that hold a number of their own.
    private func tell(_ notes: ClosedRange<Int64>) throws -> [NotificationID] {
        try notes.map { note in
            let fact = makeFact(note: note, body: #"{"badge":7}"#)
            return try outbox.enqueue(
                NotificationDraft(account: account, subject: .activity([fact])),
                at: deliveryStart,
                in: store
            ).id
        }
    }

    private func numbers(_ claimed: [ClaimedDelivery]) -> [String] {
        claimed.map { delivery in
            let text = String(decoding: delivery.payload, as: UTF8.self)
            return String(text.components(behind: #","badge":"#).prefix { $0.isNumber })
        }
    }

    @Test func `what leaves together brings what is unread then`() throws {
        let told = try tell(1...3)
        var claimed = try store.claimDue().claimed
        #expect(numbers(claimed) == ["1", "2", "3"])
        try Badges.renew(&claimed, in: store)
        #expect(numbers(claimed) == ["3", "3", "3"])
        _ = try store.setRead(true, told[0], chosenAt: deliveryStart)
        try Badges.renew(&claimed, in: store)
        #expect(numbers(claimed) == ["2", "2", "2"])
        #expect(claimed.map(\.payload).allSatisfy { String(decoding: $0, as: UTF8.self).contains(#"\"badge\":7"#) })
    }

    @Test func `what brings no number goes as it is`() throws {
        try outbox.enqueue(NotificationDraft(account: account, subject: .test), at: deliveryStart, in: store)
        let before = try store.claimDue().claimed
        var claimed = before
        _ = try tell(1...1)
        try Badges.renew(&claimed, in: store)
        #expect(claimed == before)
    }

    @Test(arguments: [(4_095, "10"), (4_096, "9")])
    func `a number for which there is no room stays`(length: Int, number: String) throws {
        _ = try tell(1...10)
        var claimed = try Array(store.claimDue().claimed.prefix(1))
        let payload = Array(#"{"aps":{"a":1,"badge":9}}"#.utf8)
        claimed[0].payload = payload + [UInt8](repeating: 0x20, count: length - payload.count)
        try Badges.renew(&claimed, in: store)
        #expect(numbers(claimed) == [number] && claimed[0].payload.count <= 4_096)
    }
}

extension String {
    /// What stands behind `part`; empty where that is not there.
    fileprivate func components(behind part: String) -> Substring {
        firstRange(of: part).map { self[$0.upperBound...] } ?? ""
    }
}
