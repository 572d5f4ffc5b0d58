import Platform
import ScenarioFixtures
import Scenarios
import Testing

@testable import Verdict

/// What apps show by themselves, beside what pushes show.
struct PullChecksTests {
    private static let key = "note/7/41"

    /// One comment that was put into the outbox.
    private func makeEnqueued() -> RecordBuilder {
        var builder = RecordBuilder()
        builder.activity(at: 100, noteID: 41)
        builder.enqueue([Self.key], at: 130)
        return builder
    }

    private func broken(_ builder: RecordBuilder) -> [ViolationRecord.Invariant] {
        Assessment.assess(builder.record).violations.map(\.invariant)
    }

    @Test func `what an app has shown is known, displayed, and need not be pushed`() {
        var builder = makeEnqueued()
        #expect(broken(builder) == [.outboxLost])
        builder.event(.displayed, [Self.key], at: 140, apnsID: "")
        #expect(broken(builder) == [])
        let whole = Assessment.assess(builder.record).whole
        #expect(whole.missed == 0 && whole.displayed == whole.expected && whole.accepted == 0)
    }

    @Test func `a push that was refused for now need not be repeated to whose app has shown it`() {
        var builder = makeEnqueued()
        builder.push([Self.key], at: 131, status: 503, reason: "ServiceUnavailable")
        #expect(broken(builder) == [.outboxLost])
        builder.event(.displayed, [Self.key], at: 140, apnsID: "", device: RecordBuilder.mac)
        #expect(broken(builder) == [.outboxLost], "the phone has not")
        builder.event(.displayed, [Self.key], at: 140, apnsID: "")
        #expect(broken(builder) == [])
    }

    @Test(arguments: [true, false])
    func `nothing is shown twice by push and by pull`(pushFirst: Bool) {
        var builder = makeEnqueued()
        builder.push([Self.key], at: 131)
        builder.event(.displayed, [Self.key], at: pushFirst ? 132 : 150)
        builder.event(.displayed, [Self.key], at: 140, apnsID: "")
        builder.record.deviceEvents.sort { $0.at < $1.at }
        #expect(broken(builder) == [.shownTwice])
        #expect(Assessment.assess(builder.record).whole.duplicates == 1)
        builder.record.deviceEvents[1].kind = .replaced
        #expect(broken(builder) == [], "the system puts one in the place of the other")
    }

    @Test func `each device shows it once, and so does the one that came in another's place`() {
        var builder = makeEnqueued()
        builder.push([Self.key], at: 131)
        builder.event(.displayed, [Self.key], at: 132)
        builder.event(.displayed, [Self.key], at: 140, apnsID: "", device: RecordBuilder.mac)
        builder.event(.displayed, [Self.key], at: 150, apnsID: "")
        builder.record.deviceEvents[2].installation = 1
        #expect(broken(builder) == [])
    }

    @Test func `a reminder has to take the place of what it reminds of, and of nothing that tells of more`() {
        var first = PushContent(notificationID: "n1", type: nil, factKeys: [Self.key], isTruncated: false, title: "")
        var second = first
        second.notificationID = "n2"
        #expect(!first.isReplaced(by: second), "neither reminds of anything")
        second.reminder = ReminderContent(ask: "a", step: 1)
        #expect(first.isReplaced(by: second))
        #expect(second.isReplaced(by: first), "the first may come late")
        first.factKeys.append("note/7/42")
        #expect(!first.isReplaced(by: second), "it tells of more")
        first.factKeys = ["note/7/42"]
        #expect(!first.isReplaced(by: second), "of something else")
        first.factKeys = [Self.key]
        first.isTruncated = true
        #expect(!first.isReplaced(by: second), "of more than it names")
    }

    @Test func `two that stand on a screen for one fact are shown twice, unless the first was forgotten`() {
        var builder = makeEnqueued()
        builder.event(.displayed, [Self.key], at: 140, apnsID: "")
        let standing = PushContent(
            notificationID: "n1",
            type: nil,
            factKeys: [Self.key],
            isTruncated: false,
            title: ""
        )
        var new = standing
        new.notificationID = "n2"
        builder.record.screenDoubles.append(
            ScreenDoubleRecord(
                at: .seconds(150),
                person: RecordBuilder.maria,
                device: RecordBuilder.phone,
                standing: standing,
                new: new
            )
        )
        #expect(broken(builder) == [.shownTwice])
        builder.fault(.restoreBackup, id: "back", from: 125, until: 145)
        #expect(broken(builder) == [])
    }
}
