import Platform
import ScenarioFixtures
import Scenarios
import Testing

@testable import Verdict

/// What somebody has read before it could be pushed, and what they are alerted of long after they have read it.
struct EarlierReadingsTests {
    /// A comment, put into the outbox at 109 s, that its person marks as read at 260 s.
    private func makeBuilder(isRead: Bool = true) -> RecordBuilder {
        var builder = RecordBuilder()
        let activity = builder.activity(at: 100)
        builder.enqueue(["note/7/\(activity.noteID ?? 0)"], at: 109)
        if isRead { builder.choose(.read(RecordBuilder.request), at: 260) }
        return builder
    }

    /// A push of it, as the notifier labels one.
    private func push(at seconds: Double, status: Int, _ builder: inout RecordBuilder) {
        builder.push(["note/7/\(builder.record.activities[0].noteID ?? 0)"], at: seconds, status: status)
        let last = builder.record.pushes.count - 1
        builder.record.pushes[last].content?.label = PushLabel(
            type: "activity",
            actionType: "commented",
            actor: "Jonas",
            count: 1
        )
        builder.record.pushes[last].content?.badge = 1
        builder.record.pushes[last].content?.target = PushTarget(
            itemType: "merge_request",
            itemNumber: 847,
            projectPath: "team/backend",
            webAddress: nil
        )
    }

    private func standing(_ builder: RecordBuilder) -> Standing { JudgedRun(builder.record).outcomes[0].pair.standing }

    @Test func `what was read while APNs refused it need not be told`() {
        var builder = makeBuilder()
        push(at: 110, status: 503, &builder)
        #expect(standing(builder) == .optional(.readFirst))
        var unread = makeBuilder(isRead: false)
        push(at: 110, status: 503, &unread)
        #expect(standing(unread) == .expected(.watched))
        push(at: 250, status: 200, &builder)
        #expect(standing(builder) == .expected(.watched), "APNs had it before")
    }

    @Test func `a reminder that comes later is not how they heard of what they had read`() {
        var builder = makeBuilder()
        push(at: 110, status: 503, &builder)
        let keys = ["note/7/\(builder.record.activities[0].noteID ?? 0)"]
        builder.deliver(keys, pushed: 1_200, shown: 1_201, id: "r1")
        #expect(standing(builder) == .expected(.watched))
        let (sent, shown) = (builder.record.pushes.count - 1, builder.record.deviceEvents.count - 1)
        let reminder = ReminderContent(ask: "a", step: 1)
        builder.record.pushes[sent].content?.type = "reminder"
        builder.record.pushes[sent].content?.reminder = reminder
        builder.record.deviceEvents[shown].content?.type = "reminder"
        builder.record.deviceEvents[shown].content?.reminder = reminder
        #expect(standing(builder) == .optional(.readFirst))
    }

    @Test func `that it was read excuses nobody who could have told it`() {
        #expect(standing(makeBuilder()) == .expected(.watched))
        var late = makeBuilder()
        push(at: 300, status: 503, &late)
        #expect(standing(late) == .expected(.watched), "it had been refused only afterwards")
    }

    @Test func `what was read before there was a notification of it was not read in an app`() {
        var builder = makeBuilder()
        push(at: 110, status: 503, &builder)
        builder.record.preferences[0].requestedAt = .seconds(105)
        #expect(standing(builder) == .expected(.watched))
    }

    @Test func `what is not tried again any more is lost, whenever its person reads it`() {
        var late = makeBuilder()
        push(at: 110, status: 503, &late)
        // Two minutes for the sending and twenty for the pause before the next attempt.
        late.record.preferences[0].requestedAt = .seconds(1_429)
        #expect(standing(late) == .optional(.readFirst))
        late.record.preferences[0].requestedAt = .seconds(1_431)
        #expect(standing(late) == .expected(.watched))
        var refused = makeBuilder()
        push(at: 110, status: 400, &refused)
        refused.record.pushes[0].reason = "BadMessageId"
        #expect(standing(refused) == .expected(.watched))
        push(at: 111, status: 503, &refused)
        #expect(standing(refused) == .optional(.readFirst), "the other device was to be tried again")
    }

    @Test(arguments: [(350, false), (500, true)] as [(Double, Bool)])
    func `an alert of what was read long before is wrong`(_ seconds: Double, _ isWrong: Bool) {
        var builder = makeBuilder()
        push(at: 110, status: 503, &builder)
        push(at: seconds, status: 200, &builder)
        let wrong = JudgedRun(builder.record).unread.wrong.map(\.why)
        #expect(wrong.contains { $0.contains("had been read") } == isWrong, "\(wrong)")
        builder.fault(.clockStep, id: "clock", from: 10, until: 20)
        #expect(!JudgedRun(builder.record).unread.wrong.contains { $0.why.contains("had been read") })
    }
}
