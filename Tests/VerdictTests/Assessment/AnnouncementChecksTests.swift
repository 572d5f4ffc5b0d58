import Platform
import ScenarioFixtures
import Scenarios
import Testing

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

    @Test func `whom it concerns is told`() {
        var builder = makeBuilder()
        #expect(wrong(builder).map { $0.contains("was not") } == [true])
        push("a1", at: 1_020, &builder)
        #expect(wrong(builder).isEmpty)
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
        #expect(wrong(makeBuilder(isHeld: true)).isEmpty)
        var builder = makeBuilder()
        builder.record.downtimes = [Span(from: .seconds(1_002), until: .seconds(1_100))]
        #expect(wrong(builder).isEmpty)
    }
}
