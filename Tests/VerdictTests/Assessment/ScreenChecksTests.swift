import Platform
import ScenarioFixtures
import Scenarios
import Testing

@testable import Verdict

/// What the screens of an app say of an account and of who waits, against tokens and to-do items. A review is asked at 1,000 s and told at 1,009 s.
struct ScreenChecksTests {
    private func makeBuilder(resolvedAt: Double? = nil) -> RecordBuilder {
        var builder = RecordBuilder()
        let todo = ActivityRecord.Todo(
            person: RecordBuilder.maria,
            id: 71,
            action: "review_requested",
            resolvedAt: resolvedAt.map { .seconds($0) }
        )
        builder.activity(.reviewRequested, at: 1_000, note: false, todos: [todo])
        builder.deliver(["todo/71"], pushed: 1_009, shown: 1_010)
        return builder
    }

    private func screen(
        at seconds: Double,
        state: String = "active",
        expires: String? = nil,
        quietUntil: Double? = nil,
        asks: [ItemReference] = []
    ) -> ScreenRecord {
        ScreenRecord(
            person: RecordBuilder.maria,
            device: RecordBuilder.phone,
            askedAt: .seconds(seconds),
            answeredAt: .seconds(seconds + 2),
            accountState: state,
            tokenExpiresOn: expires,
            quietUntil: quietUntil.map { .seconds($0) },
            asks: asks
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

    @Test func `a token dies on the day of its plan, and one without a last day on none`() {
        let builder = makeBuilder(resolvedAt: 1_100)
        #expect(wrong(builder, screen(at: 9_000, expires: "2026-04-01")).map { $0.contains("no day") } == [true])
    }
}
