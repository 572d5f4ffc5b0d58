import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

/// The reminder of a day says how far off it is. The run begins on Friday, 15 January 2027, at eight in the morning (UTC).
struct PushDueTests {
    private static let sunday = CivilDate(year: 2027, month: 1, day: 17)

    /// A push that reminds Maria of Sunday, sent `seconds` after the beginning.
    private func makeReminder(_ title: String, at seconds: Double) -> RecordBuilder {
        var builder = RecordBuilder(simulated: 9 * 86_400)
        let key = "due/7/issue/234/2027-01-17/1"
        builder.push([key], at: seconds)
        var content = RecordBuilder.content([key], id: "n1", type: "due")
        content.title = title
        content.label = PushLabel(type: "due", actionType: "", actor: nil, count: 1)
        content.due = DueContent(item: RecordBuilder.issue, date: Self.sunday, step: 1)
        builder.record.pushes[0].content = content
        return builder
    }

    private func broken(_ builder: RecordBuilder) -> [String] {
        Assessment.assess(builder.record).violations.filter { $0.invariant == .pushMisstates }.map(\.detail)
    }

    @Test(arguments: [
        (3_600.0, "Issue #234 is due in 2 days"), (90_000.0, "Issue #234 is due tomorrow"),
        (176_400.0, "Issue #234 is due today"), (262_800.0, "Issue #234 was due yesterday"),
        (349_200.0, "Issue #234 was due on 2027-01-17"),
    ])
    func `a day is as far off as it is`(seconds: Double, title: String) {
        #expect(broken(makeReminder(title, at: seconds)).isEmpty)
        let other = title.hasSuffix("today") ? "Issue #234 is due tomorrow" : "Issue #234 is due today"
        #expect(broken(makeReminder(other, at: seconds)).count == 1)
    }

    @Test func `nothing is said of what was cut, and of clocks that are set`() {
        let wrong = "Issue #234 is due today"
        #expect(broken(makeReminder("Issue #234 is d…", at: 90_000)).isEmpty)
        var set = makeReminder(wrong, at: 90_000)
        set.fault(.clockStep, id: "clock", from: 80_000, until: 80_001)
        #expect(broken(set).isEmpty)
        // Saturday ends 144,000 s after the beginning.
        #expect(broken(makeReminder(wrong, at: 143_970)).isEmpty, "it is nearly Sunday")
        #expect(broken(makeReminder(wrong, at: 143_900)).count == 1)
    }

    @Test func `a day is as far off as it is when the push leaves, whenever it was made`() {
        // Made on Saturday at ten in the evening.
        var builder = makeReminder("Issue #234 is due tomorrow", at: 144_080)
        builder.log("due.queued", at: 136_800, [("notification.id", .text("n1"))])
        #expect(broken(builder).isEmpty, "it may have been under way at midnight")
        builder.record.pushes[0].at = .seconds(147_600)
        #expect(broken(builder).count == 1)
        builder.record.pushes[0].sentAt = .seconds(143_000)
        #expect(broken(builder).isEmpty, "the way took so long")
    }

    @Test func `a day begins where the person lives`() {
        var builder = makeReminder("Issue #234 is due today", at: 140_000)
        #expect(broken(builder).count == 1)
        let hours = QuietHours(zone: .kolkata, weekdays: [5], from: 540, until: 600, letsUrgentThrough: true)
        builder.choose(.quietHours(hours), at: 500)
        #expect(broken(builder).isEmpty)
        builder.record.preferences[0].requestedAt = .seconds(139_990)
        builder.record.preferences[0].answeredAt = .seconds(140_050)
        builder.record.pushes[0].content?.title = "Issue #234 is due tomorrow"
        #expect(broken(builder).isEmpty, "they were moving")
    }
}
