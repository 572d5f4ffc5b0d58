import Platform
import ScenarioFixtures
import Testing

@testable import FakeAPNs
@testable import Harness
@testable import Verdict

/// What is noted of pushes that reached nobody.
struct LostPushTests {
    private static let phone = DeviceID(rawValue: "maria/phone")

    private func makePush(_ number: Int64, _ type: PushType) throws -> Push {
        let draft = PushDraft(
            apnsID: "id-\(number)",
            token: try #require(DeviceToken("00")),
            topic: "com.example.notifier",
            bundleID: "com.example.notifier",
            environment: .production,
            type: type,
            priority: .immediate,
            expiration: .byPolicy,
            collapseID: nil,
            payload: [],
            hasAlert: type == .alert
        )
        let instant = WallTime(secondsSinceEpoch: 1_800_000_000)
        return Push(id: PushID(rawValue: number), draft: draft, device: Self.phone, acceptedAt: instant)
    }

    private func event(_ kind: DeviceEvent.Kind, _ push: Push) -> DeviceEvent {
        DeviceEvent(sequence: 0, at: push.acceptedAt, device: Self.phone, kind: kind, push: push)
    }

    @Test func `what a silent push takes from the mailbox is told apart from what news does`() throws {
        var record = RecordBuilder().record
        var observer = PushObserver()
        observer.learn(Self.phone, person: RecordBuilder.maria, device: RecordBuilder.phone)
        for (number, type) in [(Int64(0), PushType.background), (2, .alert)] {
            let (lost, other) = (try makePush(number, .alert), try makePush(number + 1, type))
            observer.note(event(.accepted, other), at: .zero, in: &record)
            observer.note(event(.discarded(.overwritten(by: other.reference)), lost), at: .zero, in: &record)
        }
        #expect(record.deviceEvents.map(\.cause) == ["overwrittenBySilentPush", "overwritten"])
    }
}
