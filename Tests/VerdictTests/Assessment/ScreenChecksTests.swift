import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

/// What the screens of an app say of an account and of who waits, against tokens and to-do items. A review is asked at 1,000 s and told at 1,009 s.
struct ScreenChecksTests {
    private func makeBuilder(resolvedAt: Double? = nil) -> RecordBuilder { .makeReview(resolvedAt: resolvedAt) }

    private func screen(
        at seconds: Double,
        state: String = "active",
        expires: String? = nil,
        quietUntil: Double? = nil,
        asks: [ItemReference] = [],
        troubleSince: Double? = nil
    ) -> ScreenRecord {
        ScreenRecord(
            person: RecordBuilder.maria,
            device: RecordBuilder.phone,
            askedAt: .seconds(seconds),
            answeredAt: .seconds(seconds + 2),
            accountState: state,
            tokenExpiresOn: expires,
            quietUntil: quietUntil.map { .seconds($0) },
            asks: asks,
            troubleSince: troubleSince.map { .seconds($0) }
        )
    }

    private func wrong(_ builder: RecordBuilder, _ screen: ScreenRecord) -> [String] {
        var builder = builder
        builder.record.screens = [screen]
        return Assessment.assess(builder.record).violations.filter { $0.invariant == .screenMistold }.map(\.detail)
    }

    @Test func `who waits is listed from when that was told until it is over`() {
        let builder = makeBuilder(resolvedAt: 5_000)
        #expect(wrong(builder, screen(at: 500)).isEmpty)
        #expect(wrong(builder, screen(at: 1_030)).isEmpty, "it may not have come to the screen yet")
        #expect(wrong(builder, screen(at: 2_000)).map { $0.contains("does not say that somebody waits") } == [true])
        #expect(wrong(builder, screen(at: 2_000, asks: [RecordBuilder.request])).isEmpty)
        #expect(wrong(builder, screen(at: 5_060)).isEmpty)
        #expect(wrong(builder, screen(at: 5_060, asks: [RecordBuilder.request])).isEmpty)
        #expect(wrong(builder, screen(at: 9_000)).isEmpty)
        let late = wrong(builder, screen(at: 9_000, asks: [RecordBuilder.request]))
        #expect(late.map { $0.contains("nobody does") } == [true])
        #expect(wrong(builder, screen(at: 2_000, asks: [RecordBuilder.request, RecordBuilder.issue])).count == 1)
    }

    @Test func `a token that is refused is said to be once that had to be known`() {
        var builder = makeBuilder(resolvedAt: 1_100)
        #expect(wrong(builder, screen(at: 9_000)).isEmpty)
        #expect(wrong(builder, screen(at: 9_000, state: "auth_expired")).map { $0.contains("it takes it") } == [true])
        #expect(wrong(builder, screen(at: 9_000, state: "unknown")).count == 1)
        builder.record.registrations[0].tokenDead = [Span(from: .seconds(5_000), until: .seconds(10_000))]
        #expect(wrong(builder, screen(at: 6_700)).isEmpty, "half an hour is granted")
        #expect(wrong(builder, screen(at: 9_000)).map { $0.contains("it refuses the token") } == [true])
        #expect(wrong(builder, screen(at: 9_000, state: "auth_expired")).isEmpty)
        #expect(wrong(builder, screen(at: 11_000, state: "auth_expired")).isEmpty)
        #expect(wrong(builder, screen(at: 12_000, state: "auth_expired")).count == 1)
    }

    @Test func `who has no quiet hours is in none`() {
        let builder = makeBuilder(resolvedAt: 1_100)
        #expect(wrong(builder, screen(at: 9_000, quietUntil: 9_600)).map { $0.contains("it is not") } == [true])
    }

    @Test func `how long it is quiet is said by the hours of then, whatever is chosen later`() {
        var builder = makeBuilder(resolvedAt: 1_100)
        let hours = QuietHours(zone: .utc, weekdays: [5], from: 540, until: 600, letsUrgentThrough: true)
        builder.choose(.quietHours(hours), at: 10)
        #expect(wrong(builder, screen(at: 4_000, quietUntil: 7_200)).isEmpty)
        #expect(wrong(builder, screen(at: 4_000, quietUntil: 5_000)).count == 1)
        builder.choose(.quietHours(nil), at: 5_000)
        #expect(wrong(builder, screen(at: 4_000, quietUntil: 7_200)).isEmpty)
        #expect(wrong(builder, screen(at: 6_000)).isEmpty)
    }

    /// What is listed is kept for thirty days, and forgotten within 26 hours more.
    @Test(arguments: [(0, true), (-10, false)])
    func `what is too old is listed no more`(later: Int, isRight: Bool) {
        var builder = makeBuilder(resolvedAt: 1_100)
        var shown = screen(at: 9_000)
        shown.oldest = Duration.seconds(9_000 + later) - .days(30) - .hours(26)
        #expect(wrong(builder, shown).isEmpty == isRight)
        builder.record.downtimes = [Span(from: .seconds(8_000), until: .seconds(8_060))]
        #expect(wrong(builder, shown).isEmpty, "it is forgotten an hour after the start")
        builder.record.downtimes = []
        builder.fault(.diskFull, id: "full", from: 2_000, until: 2_100)
        #expect(wrong(builder, shown).isEmpty)
    }

    @Test func `a token dies on the day of its plan, and one without a last day on none`() {
        let builder = makeBuilder(resolvedAt: 1_100)
        #expect(wrong(builder, screen(at: 9_000, expires: "2026-04-01")).map { $0.contains("no day") } == [true])
    }

    /// GitLab answers nobody for an hour, from the 5,000th second on.
    private func makeOutage() -> RecordBuilder {
        var builder = makeBuilder(resolvedAt: 1_100)
        builder.fault(.gitlabOutage, id: "outage", from: 5_000, until: 8_600)
        return builder
    }

    @Test func `a GitLab that answers nobody is named once that had to be known, until it answers`() {
        let builder = makeOutage()
        #expect(wrong(builder, screen(at: 6_000)).isEmpty, "twenty minutes are granted")
        #expect(wrong(builder, screen(at: 7_000)).map { $0.contains("it answers nobody") } == [true])
        #expect(wrong(builder, screen(at: 7_000, troubleSince: 5_030)).isEmpty)
        #expect(wrong(builder, screen(at: 8_700)).isEmpty)
        #expect(wrong(builder, screen(at: 10_300, troubleSince: 5_030)).isEmpty, "half an hour is granted")
        let endless = wrong(builder, screen(at: 10_500, troubleSince: 5_030))
        #expect(endless.map { $0.contains("nothing keeps anybody from it") } == [true])
    }

    @Test func `what kept the notifier from asking, or keeps it still, excuses what screens say of GitLab`() {
        var down = makeOutage()
        down.record.downtimes = [Span(from: .seconds(5_500), until: .seconds(5_600))]
        #expect(wrong(down, screen(at: 7_000)).isEmpty)
        var refused = makeOutage()
        refused.record.registrations[0].tokenDead = [Span(from: .seconds(4_900), until: .seconds(9_000))]
        #expect(wrong(refused, screen(at: 7_000, state: "auth_expired")).isEmpty)
        var slow = makeOutage()
        slow.fault(.gitlabSlow, id: "slow", from: 8_600, until: 10_000)
        #expect(wrong(slow, screen(at: 10_500, troubleSince: 5_030)).isEmpty)
    }
}
