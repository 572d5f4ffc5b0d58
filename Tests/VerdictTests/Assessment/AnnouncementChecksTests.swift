import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

/// What the operator announced to a person at 1,000 s.
struct AnnouncementChecksTests {
    private static let title = "Announcement 1"

    private func makeBuilder(isHeld: Bool = false) -> RecordBuilder {
        var builder = RecordBuilder()
        builder.record.announcements = [
            AnnouncementRecord(
                person: RecordBuilder.maria,
                title: Self.title,
                at: .seconds(1_000),
                targets: 1,
                isHeld: isHeld
            )
        ]
        return builder
    }

    private func push(_ id: String, at seconds: Double, _ builder: inout RecordBuilder) {
        builder.push([], at: seconds, id: id)
        builder.record.pushes[builder.record.pushes.count - 1].content?.title = Self.title
    }

    private func wrong(_ builder: RecordBuilder) -> [String] {
        Assessment.assess(builder.record).violations.filter { $0.invariant == .announcementUntold }.map(\.detail)
    }

    @Test func `whom it concerns is told, and in time`() {
        var builder = makeBuilder()
        #expect(wrong(builder).map { $0.contains("was not") } == [true])
        push("a1", at: 1_020, &builder)
        #expect(wrong(builder).isEmpty)
        var late = makeBuilder()
        push("a1", at: 5_020, &late)
        #expect(wrong(late).map { $0.contains("too late") } == [true])
        late.record.downtimes = [Span(from: .seconds(1_002), until: .seconds(1_100))]
        #expect(wrong(late).isEmpty)
    }

    @Test func `two notifications are one too many`() {
        var builder = makeBuilder()
        push("a1", at: 1_020, &builder)
        push("a1", at: 1_030, &builder)
        #expect(wrong(builder).isEmpty, "a push may go again")
        push("a2", at: 1_040, &builder)
        #expect(wrong(builder).map { $0.contains("by 2 notifications") } == [true])
    }

    @Test func `nobody else is told`() {
        var builder = makeBuilder()
        push("a1", at: 1_020, &builder)
        builder.record.announcements[0].person = RecordBuilder.jonas
        #expect(wrong(builder).contains { $0.contains("was told as well") })
    }

    @Test func `what waits for the end of quiet hours, or is disturbed, is late by right`() {
        var held = makeQuietBuilder()
        push("a1", at: 3_605, &held)
        #expect(wrong(held).isEmpty)
        var builder = makeBuilder()
        builder.record.downtimes = [Span(from: .seconds(1_002), until: .seconds(1_100))]
        #expect(wrong(builder).isEmpty)
    }

    // MARK: Quiet hours

    /// Maria has quiet hours until 3,600 s.
    private func makeQuietBuilder(isHeld: Bool = true) -> RecordBuilder {
        var builder = makeBuilder(isHeld: isHeld)
        let hours = QuietHours(zone: .utc, weekdays: [5], from: 480, until: 540, letsUrgentThrough: true)
        builder.choose(.quietHours(hours), at: 100)
        return builder
    }

    private func mistimed(_ builder: RecordBuilder) -> [ViolationRecord.Invariant] {
        let invariants: [ViolationRecord.Invariant] = [.announcementUntold, .notifiedInQuietHours]
        return Assessment.assess(builder.record).violations.map(\.invariant).filter(invariants.contains)
    }

    @Test func `what is announced in quiet hours is pushed after them`() {
        var builder = makeQuietBuilder()
        push("a1", at: 3_600, &builder)
        #expect(mistimed(builder).isEmpty)
        var early = makeQuietBuilder()
        push("a1", at: 3_500, &early)
        #expect(mistimed(early) == [.notifiedInQuietHours])
    }

    @Test func `what is announced in quiet hours is told, unless an app may have fetched it`() throws {
        var builder = makeQuietBuilder()
        #expect(mistimed(builder) == [.announcementUntold])
        var switching = ActionTemplate(kind: .notificationsOff, by: .oneOf([RecordBuilder.maria]))
        switching.device = RecordBuilder.phone
        let step = Step(sequence: 0, offset: .seconds(2_000), event: .action(try switching.resolved()))
        builder.record.resolved.steps.append(step)
        #expect(mistimed(builder).isEmpty)
    }

    @Test func `what does not wait in quiet hours, or waits without them, is wrong`() {
        var builder = makeQuietBuilder(isHeld: false)
        push("a1", at: 1_020, &builder)
        #expect(mistimed(builder) == [.notifiedInQuietHours])
        #expect(mistimed(makeBuilder(isHeld: true)) == [.announcementUntold])
    }

    @Test func `nothing is certain where the person chose anew, or a clock, a backup or a sign-in may be in the way`() {
        var builder = makeQuietBuilder()
        push("a1", at: 3_500, &builder)
        var shorter = builder
        shorter.choose(.quietHours(nil), at: 2_000)
        #expect(mistimed(shorter).isEmpty)
        var meanwhile = makeQuietBuilder(isHeld: false)
        meanwhile.record.preferences[0].answeredAt = .seconds(1_000)
        push("a1", at: 1_020, &meanwhile)
        #expect(mistimed(meanwhile).isEmpty)
        for kind in [FaultKind.clockStep, .restoreBackup, .stall] {
            var struck = builder
            struck.fault(kind, id: "fault", from: 500, until: 600)
            #expect(mistimed(struck).isEmpty, "\(kind.rawValue)")
        }
        var back = builder
        back.record.registrations.append(back.record.registrations[0])
        #expect(mistimed(back).isEmpty)
    }

    @Test func `a device that comes, or comes back, waits as well`() {
        var late = makeQuietBuilder()
        late.record.deviceSpans.removeAll { $0.device == RecordBuilder.phone }
        late.record.deviceSpans.append(
            DeviceSpanRecord(person: RecordBuilder.maria, device: RecordBuilder.phone, activeFrom: .seconds(2_000))
        )
        push("a1", at: 2_010, &late)
        #expect(mistimed(late) == [.notifiedInQuietHours])
        late.record.announcements[0].targets = 0
        #expect(mistimed(late).isEmpty, "there was no device when it was announced")
        var refused = makeQuietBuilder()
        refused.push([], at: 1_100, id: "n", status: 400, reason: "BadDeviceToken")
        push("a1", at: 2_010, &refused)
        #expect(mistimed(refused) == [.notifiedInQuietHours])
        var again = makeQuietBuilder()
        again.log("device.registered", at: 2_000, [("device.id", 1), ("account.id", 1)])
        push("a1", at: 2_010, &again)
        #expect(mistimed(again) == [.notifiedInQuietHours])
        var renewed = makeQuietBuilder()
        push("a1", at: 2_010, &renewed)
        renewed.record.pushTokenChanges = [
            PushTokenChangeRecord(person: RecordBuilder.maria, device: RecordBuilder.phone, at: .seconds(2_000))
        ]
        #expect(mistimed(renewed) == [.notifiedInQuietHours])
    }
}
