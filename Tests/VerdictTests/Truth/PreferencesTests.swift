import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

/// What people chose in the app, in the ground truth. The grace is two minutes and a minute: 180 s.
struct PreferencesTests {
    private func standing(_ builder: RecordBuilder) -> Standing { GroundTruth(builder.record).pairs[0].standing }

    private func makeBuilder(_ choices: [(PreferenceRecord.Choice, Int)], at seconds: Double) -> RecordBuilder {
        var builder = RecordBuilder()
        for (choice, requested) in choices { builder.choose(choice, at: Double(requested)) }
        builder.activity(at: seconds)
        return builder
    }

    /// From 3,600 to 7,200 s.
    private let hours = QuietHours(zone: .utc, weekdays: [5], from: 540, until: 600, letsUrgentThrough: true)
    private let muted = PreferenceRecord.Choice.muted(RecordBuilder.request, until: .seconds(5_000))

    @Test(arguments: [
        (800.0, Standing.expected(.watched)), (900, .optional(.choiceChanging)), (1_000.5, .optional(.choiceChanging)),
        (1_001, .notForThem(.muted)), (4_820, .notForThem(.muted)), (4_821, .optional(.choiceChanging)),
        (5_001, .expected(.watched)),
    ])
    func `a mute is certain from its answer until no poll is due before its end`(at: Double, expected: Standing) {
        #expect(standing(makeBuilder([(muted, 1_000)], at: at)) == expected)
    }

    @Test(arguments: [(1_800.0, true), (1_900, false), (2_002, false)])
    func `a mute ends early`(at: Double, isSilenced: Bool) {
        let builder = makeBuilder([(muted, 1_000), (.unmuted(RecordBuilder.request), 2_000)], at: at)
        #expect((standing(builder) == .notForThem(.muted)) == isSilenced)
        #expect((standing(builder) == .expected(.watched)) == (at > 2_001))
    }

    @Test(arguments: [
        (800.0, Standing.expected(.watched)), (3_000, .optional(.choiceChanging)), (5_002, .expected(.watched)),
    ])
    func `a denial without an answer may hold or not, until the next one is answered`(at: Double, expected: Standing) {
        let jonas = RecordBuilder.jonas
        var builder = makeBuilder([(.denied(jonas), 1_000), (.allowed(jonas), 5_000)], at: at)
        builder.record.preferences[0].answeredAt = .seconds(Int64.max / 2)
        // As it is written down, once the app has given up.
        builder.record.preferences.swapAt(0, 1)
        #expect(standing(builder) == expected)
    }

    @Test(
        arguments: [
            (.seconds(Int64.max / 2), 6_000, false), (.seconds(1_001), 6_000, true),
            (.seconds(Int64.max / 2), 20_100, true),
        ] as [(Duration, Double, Bool)]
    )
    func `quiet hours without an answer may hold or not, until the next ones do`(
        answeredAt: Duration,
        seconds: Double,
        isCertain: Bool
    ) {
        var builder = makeBuilder([(.quietHours(hours), 1_000), (.quietHours(nil), 20_000)], at: seconds)
        builder.record.preferences[0].answeredAt = answeredAt
        #expect((standing(builder) != .optional(.choiceChanging)) == isCertain)
    }

    /// By how many seconds the notifier's clock is set, and when.
    private func makeMuted(_ steps: [(Double, Double)], at seconds: Double) -> RecordBuilder {
        var builder = makeBuilder([(muted, 1_000)], at: seconds)
        for (at, jump) in steps {
            let effect = FaultEffect.clockStep(.notifier, .seconds(jump))
            builder.fault(.clockStep, id: "step\(Int(at))", from: at, until: at, effect: effect)
        }
        return builder
    }

    @Test(
        arguments: [
            ([(500, 1_800)], 2_900, .notForThem(.muted)), ([(500, 1_800)], 3_100, .optional(.choiceChanging)),
            ([(500, 1_800)], 3_300, .expected(.watched)), ([(500, -1_800)], 6_000, .notForThem(.muted)),
            ([(500, -1_800)], 6_700, .optional(.choiceChanging)), ([(500, -1_800)], 6_900, .expected(.watched)),
            ([(500, 7_200)], 1_500, .expected(.watched)), ([(2_000, 3_600)], 1_500, .notForThem(.muted)),
            ([(2_000, 3_600)], 2_500, .expected(.watched)),
            ([(2_000, 3_600), (3_000, -3_600)], 2_500, .optional(.choiceChanging)),
            ([(2_000, 3_600), (3_000, -3_600)], 4_000, .optional(.choiceChanging)),
            ([(2_000, 3_600), (3_000, -3_600)], 5_100, .expected(.watched)),
        ] as [([(Double, Double)], Double, Standing)]
    )
    func `a mute ends by the notifier's clock`(steps: [(Double, Double)], at: Double, expected: Standing) {
        #expect(standing(makeMuted(steps, at: at)) == expected)
    }

    @Test(
        arguments: [
            (4_600, .notForThem(.muted)), (4_700, .optional(.choiceChanging)), (4_900, .optional(.choiceChanging)),
            (5_100, .expected(.watched)),
        ] as [(Double, Standing)]
    )
    func `a mute may end early by a clock that ran fast`(at: Double, expected: Standing) {
        var builder = makeBuilder([(muted, 1_000)], at: at)
        let effect = FaultEffect.clockDrift(.notifier, partsPerMillion: 100_000)
        builder.fault(.clockDrift, id: "fast", from: 500, until: 2_500, effect: effect)
        #expect(standing(builder) == expected)
    }

    @Test(arguments: [(0.0, 1_500, false), (-600, 1_500, true), (-600, 1_700, false)])
    func `what is chosen behind a clock that was set back may count as chosen before`(
        jump: Double,
        allowedAt: Int,
        isUnclear: Bool
    ) {
        let jonas = RecordBuilder.jonas
        let (denied, allowed) = (PreferenceRecord.Choice.denied(jonas), PreferenceRecord.Choice.allowed(jonas))
        let (off, on) = (PreferenceRecord.Choice.kinds([.states]), PreferenceRecord.Choice.kinds([.comments]))
        let unmuted = PreferenceRecord.Choice.unmuted(RecordBuilder.request)
        for (former, later) in [(denied, allowed), (off, on), (muted, unmuted)] {
            var builder = makeBuilder([(former, 1_000), (later, allowedAt)], at: 2_000)
            let effect = FaultEffect.clockStep(.notifier, .seconds(jump))
            builder.fault(.clockStep, id: "back", from: 1_200, until: 1_200, effect: effect)
            #expect(standing(builder) == (isUnclear ? .optional(.choiceChanging) : .expected(.watched)))
        }
    }

    @Test func `a mute does not end by another's clock`() {
        var builder = makeBuilder([(muted, 1_000)], at: 3_000)
        let effect = FaultEffect.clockStep(.apns, .hours(1))
        builder.fault(.clockStep, id: "apns", from: 500, until: 500, effect: effect)
        #expect(standing(builder) == .notForThem(.muted))
    }

    /// A mute, and an unwatch before the item was watched again.
    private func makeUnwatched(_ change: (inout RecordBuilder) -> Void = { _ in }) -> Standing {
        var builder = makeBuilder([(muted, 1_000), (.unwatched(RecordBuilder.request), 1_100)], at: 2_500)
        change(&builder)
        return standing(builder)
    }

    @Test func `a mute ends with its watch, unless it may count as made later`() {
        #expect(makeUnwatched() == .expected(.watched))
        let unclear = Standing.optional(.choiceChanging)
        #expect(makeUnwatched { $0.record.preferences[1].datedAt = .seconds(900) } == unclear)
        #expect(makeUnwatched { $0.record.preferences[0].datedAt = .seconds(1_200) } == unclear)
        #expect(makeUnwatched { $0.record.preferences[0].answeredAt = .seconds(1_150) } == unclear)
        #expect(makeUnwatched { $0.record.preferences[1].answeredAt = .seconds(Int64.max / 2) } == unclear)
        #expect(makeUnwatched { $0.fault(.restoreBackup, id: "backup", from: 1_500, until: 1_500) } == unclear)
        #expect(makeUnwatched { $0.fault(.clockStep, id: "clock", from: 1_050, until: 1_050) } == unclear)
    }

    @Test(arguments: [(1_400.0, false), (2_500, true)])
    func `what may have ended a mute takes nothing from what ended it for certain`(at: Double, isExpected: Bool) {
        let unwatched = PreferenceRecord.Choice.unwatched(RecordBuilder.request)
        let unmuted = PreferenceRecord.Choice.unmuted(RecordBuilder.request)
        var builder = makeBuilder([(muted, 1_000), (unwatched, 1_100), (unmuted, 2_000)], at: at)
        builder.record.preferences[1].answeredAt = .seconds(Int64.max / 2)
        #expect((standing(builder) == .expected(.watched)) == isExpected)
    }

    @Test func `another item and another person are not muted`() {
        var builder = makeBuilder([(muted, 1_000)], at: 500)
        builder.record.activities.removeAll()
        builder.activity(at: 2_000, on: RecordBuilder.issue)
        #expect(standing(builder) == .expected(.watched))
    }

    @Test func `who is on the deny-list is not heard until allowed`() {
        let denied = PreferenceRecord.Choice.denied(RecordBuilder.jonas)
        #expect(standing(makeBuilder([(denied, 1_000)], at: 30_000)) == .notForThem(.actorDenied))
        let allowed = makeBuilder([(denied, 1_000), (.allowed(RecordBuilder.jonas), 2_000)], at: 2_100)
        #expect(standing(allowed) == .expected(.watched))
    }

    // MARK: Auto-watch

    @Test(arguments: [(nil, Standing.expected(.watched)), (130.0, .optional(.watchChanging))])
    func `a tag makes a watch, but perhaps not when its to-do item was resolved before a poll`(
        resolvedAt: Double?,
        expected: Standing
    ) {
        var builder = makeBuilder([(.autoWatch(true), 10)], at: 100)
        builder.record.watches = []
        let resolved = resolvedAt.map { Duration.seconds($0) }
        builder.record.activities[0].todos = [
            ActivityRecord.Todo(person: RecordBuilder.maria, id: 1, action: "mentioned", resolvedAt: resolved)
        ]
        builder.activity(at: 150)
        builder.activity(at: 300)
        builder.activity(at: 1_000)
        let standings = GroundTruth(builder.record).pairs.map(\.standing)
        // The to-do item may be a little younger than what it is about.
        #expect(standings[1] == .optional(.watchChanging))
        #expect(standings[2] == expected)
        #expect(standings[3] == expected)
    }

    @Test func `what is written after a tag is expected, unless the person asks for the watch meanwhile`() {
        var builder = makeBuilder([(.autoWatch(true), 10)], at: 100)
        builder.record.watches = []
        builder.record.activities[0].todos = [
            ActivityRecord.Todo(person: RecordBuilder.maria, id: 1, action: "mentioned")
        ]
        builder.activity(at: 230)
        #expect(GroundTruth(builder.record).pairs[1].standing == .expected(.watched))
        var watch = RecordBuilder.watch(RecordBuilder.request)
        (watch.requestedAt, watch.activeFrom) = (.seconds(240), .seconds(241))
        builder.record.watches = [watch]
        #expect(GroundTruth(builder.record).pairs[1].standing == .optional(.watchChanging))
    }

    // MARK: Quiet hours

    /// The fixture begins on 2027-01-15 at 08:00 UTC. Quiet from an hour into the story for an hour.
    private func makeQuiet(
        at seconds: Double,
        urgent: Bool = true,
        mentions: [Username] = [],
        end: Int? = nil
    ) -> TruthPair {
        var builder = makeBuilder([], at: seconds)
        if let end { builder.record.simulated = .seconds(end) }
        builder.record.activities[0].mentions = mentions
        let hours = QuietHours(zone: .utc, weekdays: [5], from: 540, until: 600, letsUrgentThrough: urgent)
        builder.choose(.quietHours(hours), at: 1)
        return GroundTruth(builder.record).pairs[0]
    }

    @Test(arguments: [(3_400.0, nil), (3_600.0, 7_200), (7_199.0, 7_200), (7_200.0, nil)] as [(Double, Int64?)])
    func `what could be read in quiet hours is held until their end`(at: Double, until: Int64?) {
        let pair = makeQuiet(at: at)
        #expect(pair.standing == .expected(.watched))
        #expect(pair.heldUntil == until.map { $0 * 1_000_000_000 })
        #expect(pair.readableAt == (until ?? Int64(at)) * 1_000_000_000)
    }

    @Test(
        arguments: [
            // Ten minutes behind: quiet from 4,200 s to 7,800 s. Ten ahead: from 3,000 s to 6,600 s.
            (-600, 100, 3_700, nil), (-600, 100, 7_300, 7_800), (-600, 100, 7_900, nil), (600, 100, 3_100, 6_600),
            (600, 100, 6_700, nil), (600, 5_000, 3_400, nil), (600, 5_000, 6_800, nil), (86_400, 5_000, 3_700, 7_200),
        ] as [(Int, Double, Double, Int64?)]
    )
    func `it is quiet by the notifier's clock, also where that is wrong`(
        jump: Int,
        setAt: Double,
        at: Double,
        until: Int64?
    ) {
        var builder = makeBuilder([], at: at)
        let hours = QuietHours(zone: .utc, weekdays: [5, 6], from: 540, until: 600, letsUrgentThrough: true)
        builder.choose(.quietHours(hours), at: 1)
        let effect = FaultEffect.clockStep(.notifier, .seconds(jump))
        builder.fault(.clockStep, id: "clock", from: setAt, until: setAt, effect: effect)
        let pair = GroundTruth(builder.record).pairs[0]
        #expect(pair.standing == .expected(.watched))
        #expect(pair.heldUntil == until.map { $0 * 1_000_000_000 })
    }

    @Test func `what is held while the notifier's clock is set may be told at either end`() {
        for (jump, node, expected) in [
            (600, ClockNode.notifier, Standing.optional(.choiceChanging)), (600, .gitlab, .expected(.watched)),
            (86_400 * 7, .notifier, .expected(.watched)),
        ] {
            var builder = makeBuilder([], at: 4_000)
            builder.choose(.quietHours(hours), at: 1)
            let effect = FaultEffect.clockStep(node, .seconds(jump))
            builder.fault(.clockStep, id: "clock", from: 5_000, until: 5_000, effect: effect)
            #expect(GroundTruth(builder.record).pairs[0].standing == expected)
        }
    }

    /// What came at 4,000 s with quiet hours that end at 7,200 s, where the person chooses others in the end.
    private func makeChanged(to other: QuietHours?, at seconds: Int, answeredAfter: Int = 1) -> TruthPair {
        var builder = makeBuilder([(.quietHours(hours), 1), (.quietHours(other), seconds)], at: 4_000)
        builder.record.preferences[1].answeredAt = .seconds(seconds + answeredAfter)
        return GroundTruth(builder.record).pairs[0]
    }

    @Test(
        arguments: [
            (nil, 5_000),
            (QuietHours(zone: .utc, weekdays: [5], from: 540, until: 660, letsUrgentThrough: true), 10_800),
            (QuietHours(zone: .utc, weekdays: [5], from: 560, until: 590, letsUrgentThrough: false), 6_600),
            (QuietHours(zone: .utc, weekdays: [5], from: 700, until: 760, letsUrgentThrough: true), 5_000),
        ] as [(QuietHours?, Int64)]
    )
    func `what is held follows the quiet hours that the person chooses`(other: QuietHours?, until: Int64) {
        let pair = makeChanged(to: other, at: 5_000)
        #expect(pair.standing == .expected(.watched))
        #expect(pair.heldUntil == until * 1_000_000_000)
    }

    @Test func `a change is unclear near what it concerns, or where nobody knows when it held`() {
        for seconds in [4_000, 4_100, 7_250] {
            #expect(makeChanged(to: nil, at: seconds).standing == .optional(.choiceChanging))
        }
        #expect(makeChanged(to: nil, at: 5_000, answeredAfter: 60).standing == .optional(.choiceChanging))
        #expect(makeChanged(to: nil, at: 7_195, answeredAfter: 8).standing == .optional(.choiceChanging))
        let soon = QuietHours(zone: .utc, weekdays: [5], from: 565, until: 640, letsUrgentThrough: true)
        #expect(makeChanged(to: soon, at: 5_000).standing == .optional(.choiceChanging), "it is quiet again at 5,100 s")
        let later = makeChanged(to: nil, at: 8_000)
        #expect(later.standing == .expected(.watched) && later.heldUntil == 7_200_000_000_000)
    }

    @Test func `what could not be told before it is quiet again waits once more`() {
        let later = QuietHours(zone: .utc, weekdays: [5], from: 575, until: 640, letsUrgentThrough: true)
        var builder = makeBuilder([(.quietHours(hours), 1), (.quietHours(later), 5_000)], at: 4_000)
        #expect(standing(builder) == .expected(.watched))
        builder.record.downtimes = [Span(from: .seconds(5_010), until: .seconds(6_000))]
        #expect(standing(builder) == .optional(.choiceChanging))
    }

    @Test func `a change that is dated before the hours that it ends may not hold`() {
        var builder = makeBuilder([(.quietHours(hours), 1), (.quietHours(nil), 5_000)], at: 4_000)
        builder.record.preferences[1].datedAt = .zero
        #expect(standing(builder) == .optional(.choiceChanging))
    }

    @Test func `what a poll may find before or after the beginning is optional`() {
        #expect(makeQuiet(at: 3_500).standing == .optional(.choiceChanging))
    }

    @Test(arguments: [(5_000, false), (7_200, false), (7_300, false), (7_400, true)])
    func `what quiet hours keep back until the run is over can be no miss`(end: Int, isExpected: Bool) {
        let pair = makeQuiet(at: 4_000, end: end)
        #expect(pair.standing == (isExpected ? .expected(.watched) : .optional(.quietUntilTheEnd)))
        #expect(pair.heldUntil == 7_200_000_000_000)
        #expect(makeQuiet(at: 2_000, end: end).standing == .expected(.watched))
    }

    @Test(arguments: [
        (5_000, 20_000, Standing.notForThem(.muted)), (7_198, 20_000, .notForThem(.muted)),
        (7_199, 20_000, .notForThem(.muted)), (7_200, 20_000, .optional(.choiceChanging)),
        (5_000, 7_300, .optional(.choiceChanging)), (5_000, 7_100, .expected(.watched)),
        (3_000, 7_100, .notForThem(.muted)), (7_400, 20_000, .expected(.watched)),
    ])
    func `what is silenced when the quiet hours end is not for them, and what was in between is`(
        mutedAt: Int,
        until: Int,
        expected: Standing
    ) {
        var builder = makeBuilder(
            [(.quietHours(hours), 1), (.muted(RecordBuilder.request, until: .seconds(until)), mutedAt)],
            at: 4_000
        )
        builder.record.simulated = .seconds(30_000)
        #expect(standing(builder) == expected)
    }

    @Test func `quiet hours that outlast the run do not allow to tell before`() {
        var builder = RecordBuilder(simulated: 5_000)
        builder.choose(.quietHours(hours), at: 1)
        builder.activity(at: 4_000)
        #expect(Assessment.assess(builder.record).whole.missed == 0)
        builder.deliver(["note/7/1001"], pushed: 4_500, shown: 4_501)
        let violations = InvariantChecks(judged: JudgedRun(builder.record)).violations()
        #expect(violations.contains { $0.invariant == .notifiedInQuietHours })
    }

    @Test func `draining does not count what quiet hours keep back before they end`() {
        var builder = makeBuilder([], at: 4_000)
        builder.choose(.quietHours(hours), at: 1)
        builder.deliver(["note/7/1001"], pushed: 7_230, shown: 7_231)
        #expect(Assessment.assess(builder.record).drainedAfterMilliseconds == 31_000)
    }

    @Test func `mentions get through if they may`() {
        #expect(makeQuiet(at: 4_000, mentions: [RecordBuilder.maria]).heldUntil == nil)
        #expect(makeQuiet(at: 4_000, urgent: false, mentions: [RecordBuilder.maria]).heldUntil == 7_200_000_000_000)
    }

    @Test func `a display before the end of the quiet hours breaks the invariant`() throws {
        for (shown, isBroken) in [(5_000, true), (7_230, false)] {
            var builder = RecordBuilder()
            builder.choose(.quietHours(hours), at: 1)
            builder.activity(at: 4_000)
            builder.deliver(["note/7/1001"], pushed: Double(shown), shown: Double(shown))
            let violations = InvariantChecks(judged: JudgedRun(builder.record)).violations()
            #expect(violations.contains { $0.invariant == .notifiedInQuietHours } == isBroken)
        }
    }

    @Test func `a display in quiet hours is judged where the notifier's clock had not been set by then`() {
        let cases: [(ClockNode, Double, Bool)] = [
            (.notifier, 4_900, false), (.notifier, 5_100, true), (.gitlab, 4_900, true), (.apns, 4_900, true),
        ]
        for (node, setAt, isBroken) in cases {
            var builder = RecordBuilder()
            builder.choose(.quietHours(hours), at: 1)
            builder.activity(at: 4_000)
            builder.deliver(["note/7/1001"], pushed: 5_000, shown: 5_000)
            let effect = FaultEffect.clockStep(node, .seconds(5))
            builder.fault(.clockStep, id: "clock", from: setAt, until: setAt, effect: effect)
            let violations = InvariantChecks(judged: JudgedRun(builder.record)).violations()
            #expect(violations.contains { $0.invariant == .notifiedInQuietHours } == isBroken, "\(node)")
        }
    }
}
