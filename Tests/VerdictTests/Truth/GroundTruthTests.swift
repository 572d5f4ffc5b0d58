import JSON
import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

struct GroundTruthTests {
    private typealias Todo = ActivityRecord.Todo

    private func standing(_ builder: RecordBuilder) -> Standing? { GroundTruth(builder.record).pairs.first?.standing }

    @Test(arguments: [
        ActivityKind.comment, .reply, .diffComment, .reviewComment, .approved, .unapproved, .pushed, .merged,
        .closed, .reopened,
    ])
    func `what counts on a watched item is expected`(kind: ActivityKind) {
        var builder = RecordBuilder()
        builder.activity(kind, at: 100)
        #expect(standing(builder) == .expected(.watched))
    }

    @Test(arguments: [
        ActivityKind.labelled, .titleChanged, .markedDraft, .milestoneSet, .reaction, .threadResolved,
        .deletedComment,
        .crossReference, .assigned, .pipelineFinished,
    ])
    func `other system notes are not for anyone without a to-do item`(kind: ActivityKind) {
        var builder = RecordBuilder()
        builder.activity(kind, at: 100)
        #expect(standing(builder) == .notForThem(.kindDoesNotCount))
    }

    @Test(arguments: [ActivityKind.assigned, .reviewRequested, .editedComment, .opened, .pipelineFinished])
    func `a to-do item makes anything expected, also on an item nobody watches`(kind: ActivityKind) {
        var builder = RecordBuilder()
        builder.record.watches = []
        builder.activity(kind, at: 100, todos: [Todo(person: RecordBuilder.maria, id: 5, action: "assigned")])
        #expect(standing(builder) == .expected(.todo))
    }

    @Test func `a comment on an item nobody watches is not for them`() {
        var builder = RecordBuilder()
        builder.record.watches = []
        builder.activity(at: 100)
        #expect(standing(builder) == .notForThem(.notWatched))
    }

    @Test func `one's own action is not for oneself`() {
        var builder = RecordBuilder()
        builder.activity(at: 100, by: RecordBuilder.maria)
        #expect(standing(builder) == .notForThem(.ownAction))
    }

    @Test func `a failed build is expected by the author who caused it, GitLab facts 6.1`() {
        var builder = RecordBuilder()
        let todo = Todo(person: RecordBuilder.maria, id: 5, action: "build_failed")
        builder.activity(.pipelineFinished, at: 100, by: RecordBuilder.maria, note: false, todos: [todo])
        #expect(standing(builder) == .expected(.todo))
    }

    @Test func `nothing is for them before they registered`() {
        var builder = RecordBuilder()
        builder.record.registrations[0].requestedAt = .seconds(500)
        builder.record.registrations[0].activeFrom = .seconds(501)
        builder.activity(at: 100)
        #expect(standing(builder) == .notForThem(.notRegistered))
    }

    @Test func `what falls between request and answer of a registration is optional`() {
        var builder = RecordBuilder()
        builder.record.registrations[0].activeFrom = .seconds(200)
        builder.activity(at: 100)
        #expect(standing(builder) == .optional(.registering))
    }

    @Test func `whoever has left hears of nothing, and what came shortly before may come too late`() {
        var builder = RecordBuilder()
        builder.record.registrations[0].leftAt = .seconds(5_000)
        builder.activity(at: 100)
        #expect(standing(builder) == .expected(.watched))
        builder.record.registrations[0].leftAt = .seconds(101)
        #expect(standing(builder) == .optional(.leaving))
        builder.record.registrations[0].leftAt = .seconds(100)
        #expect(standing(builder) == .optional(.leaving), "nobody has answered")
        builder.record.registrations[0].forgottenAt = .seconds(101)
        #expect(standing(builder) == .optional(.leaving))
        builder.record.registrations[0].forgottenAt = .seconds(100)
        #expect(standing(builder) == .notForThem(.notRegistered))
    }

    @Test func `what falls between request and answer of a watch is optional`() {
        var builder = RecordBuilder()
        builder.record.watches[0].activeFrom = .seconds(200)
        builder.activity(at: 100)
        #expect(standing(builder) == .optional(.watchChanging))
        builder.record.watches[0].activeFrom = .seconds(100)
        #expect(standing(builder) == .optional(.watchChanging), "which of the two was first nobody can tell")
        builder.record.watches[0].activeFrom = .seconds(99)
        #expect(standing(builder) == .expected(.watched))
    }

    @Test func `what falls between request and answer of an unwatch is optional, and afterwards nothing is for them`() {
        var builder = RecordBuilder()
        builder.record.watches[0].endRequestedAt = .seconds(100)
        builder.record.watches[0].endedAt = .seconds(101)
        builder.activity(at: 100.5)
        builder.activity(at: 102)
        let standings = GroundTruth(builder.record).pairs.map(\.standing)
        #expect(standings == [.optional(.watchChanging), .notForThem(.notWatched)])
    }

    @Test func `what was unwatched before a poll was due is optional`() {
        var builder = RecordBuilder()
        builder.record.watches[0].endRequestedAt = .seconds(279)
        builder.activity(at: 100)
        #expect(standing(builder) == .optional(.unwatchedSoonAfter))
        builder.record.watches[0].endRequestedAt = .seconds(280)
        #expect(standing(builder) == .expected(.watched))
    }

    @Test func `what claims to be a day old or older than the watch is optional, what is marked as imported silent`() {
        var builder = RecordBuilder()
        builder.activity(.imported, at: 1_000, claims: 86_401)
        builder.activity(.imported, at: 1_000, claims: 86_400)
        builder.activity(.imported, at: 1_000, claims: 998)
        builder.activity(.imported, at: 1_000)
        builder.activity(.imported, at: 1_000, claims: 60)
        builder.record.activities[4].isMarkedAsImported = true
        let standings = GroundTruth(builder.record).pairs.map(\.standing)
        #expect(
            standings == [
                .optional(.claimsToBeOld), .optional(.claimsToPrecedeWatch), .expected(.watched), .expected(.watched),
                .notForThem(.imported),
            ]
        )
    }

    @Test(arguments: [
        (FaultKind.clockStep, FaultEffect.clockStep(.gitlab, .hours(1)), true),
        (.clockStep, .clockStep(.gitlab, .zero - .hours(1)), false), (.clockStep, .clockStep(.apns, .hours(1)), false),
        (.clockOffset, .clockOffset(.gitlab, .hours(1)), true),
        (.clockDrift, .clockDrift(.gitlab, partsPerMillion: 100_000), false),
    ])
    func `a clock set ahead between a deed and its reading makes it claim to be older`(
        kind: FaultKind,
        effect: FaultEffect,
        isOptional: Bool
    ) {
        var builder = RecordBuilder()
        builder.fault(kind, id: "clock", from: 1_010, until: 1_020, effect: effect)
        builder.activity(at: 1_000)
        #expect(standing(builder) == (isOptional ? .optional(.claimsToPrecedeWatch) : .expected(.watched)))
        // What was stamped afterwards claims nothing.
        builder.record.activities[0].at = .seconds(1_020)
        builder.record.activities[0].claimedAt = .seconds(1_020)
        #expect(standing(builder) == .expected(.watched))
    }

    @Test func `an approval told by the list alone is not demanded right after another was withdrawn`() {
        var builder = RecordBuilder()
        builder.activity(.approved, at: 100)
        builder.activity(.unapproved, at: 1_000)
        builder.activity(.approved, at: 1_001, note: false)
        builder.activity(.approved, at: 2_801, note: false)
        builder.activity(.approved, at: 1_001)
        builder.activity(.approved, at: 1_001, by: RecordBuilder.tom, note: false)
        for index in builder.record.activities.indices {
            builder.record.activities[index].actorID =
                builder.record.activities[index].actor == RecordBuilder.tom ? 6 : 5
        }
        let standings = GroundTruth(builder.record).pairs.map(\.standing)
        let expected = Standing.expected(.watched)
        #expect(standings == [expected, expected, .optional(.approvedAgain), expected, expected, expected])
    }

    /// Done at 150 s and undone at the given instant; done again when that is given too.
    @Test(
        arguments: [
            (nil, nil, Standing.optional(.todoResolvedFirst)), (1_000, nil, .expected(.todo)),
            (1_000, 1_179, .optional(.todoResolvedFirst)), (1_000, 1_181, .expected(.todo)),
        ] as [(Int?, Int?, Standing)]
    )
    func `a to-do item that was brought back is news from then on`(back: Int?, done: Int?, expected: Standing) throws {
        var builder = RecordBuilder(
            steps: [
                Step(
                    sequence: 0,
                    offset: .seconds(150),
                    event: .action(try ActionTemplate(kind: .todoDone, by: .oneOf([RecordBuilder.maria])).resolved())
                )
            ]
        )
        builder.record.watches = []
        var todo = Todo(person: RecordBuilder.maria, id: 5, action: "assigned")
        todo.resolve(at: .seconds(150))
        if let back { todo.restore(at: .seconds(back)) }
        if let done { todo.resolve(at: .seconds(done)) }
        builder.activity(.assigned, at: 100, todos: [todo])
        #expect(standing(builder) == expected)
        guard expected == .expected(.todo) else { return }
        #expect(Assessment.assess(builder.record).whole.missed == 1)
        builder.deliver(["todo/5"], pushed: 1_010, shown: 1_011)
        let result = Assessment.assess(builder.record)
        #expect(result.whole.missed == 0)
        #expect(result.whole.latency.maximum == 11_000)
    }

    @Test(arguments: [(179.0, true), (181.0, false)])
    func `what vanishes within two minutes and an interval is optional`(after: Double, isOptional: Bool) {
        var builder = RecordBuilder()
        builder.activity(at: 100, goneAfter: after)
        #expect(standing(builder) == (isOptional ? .optional(.goneTooSoon) : .expected(.watched)))
    }

    @Test func `the grace begins when an outage ends`() {
        var builder = RecordBuilder()
        builder.activity(at: 100, goneAfter: 700)
        #expect(standing(builder) == .expected(.watched))
        builder.fault(.gitlabOutage, id: "outage", from: 50, until: 650)
        #expect(standing(builder) == .optional(.goneTooSoon))
    }

    @Test func `the grace follows the interval of the scenario's configuration`() {
        var builder = RecordBuilder()
        builder.activity(at: 100, goneAfter: 200)
        #expect(standing(builder) == .expected(.watched))
        let override = JSONMember("intervalSmall", .string("1m30s"))
        builder.record.resolved.scenario.notifier = NotifierOverrides(values: [override])
        #expect(standing(builder) == .optional(.goneTooSoon))
    }

    @Test func `a to-do item its owner resolved at once is optional, unless the watch alone makes it expected`() {
        var builder = RecordBuilder()
        builder.record.watches = []
        let todo = Todo(person: RecordBuilder.maria, id: 5, action: "assigned", resolvedAt: .seconds(150))
        builder.activity(.assigned, at: 100, todos: [todo])
        #expect(standing(builder) == .optional(.todoResolvedFirst))
        builder = RecordBuilder()
        builder.activity(.comment, at: 100, todos: [todo])
        #expect(standing(builder) == .expected(.watched))
    }

    @Test(arguments: [(900, false), (1_170, false), (1_180, true)])
    func `a to-do item resolved while nothing could be read or stored is optional`(resolved: Int, isExpected: Bool) {
        var builder = RecordBuilder()
        builder.record.watches = []
        // Five seconds are left before the downtime, 175 of the grace behind it.
        builder.record.downtimes = [Span(from: .seconds(105), until: .seconds(1_000))]
        let todo = Todo(person: RecordBuilder.maria, id: 5, action: "assigned", resolvedAt: .seconds(resolved))
        builder.activity(.assigned, at: 100, todos: [todo])
        #expect(standing(builder) == (isExpected ? .expected(.todo) : .optional(.todoResolvedFirst)))
    }

    @Test func `nothing is required while they have no access`() {
        var builder = RecordBuilder()
        let span = Span(from: .seconds(90), until: .seconds(900))
        builder.record.registrations[0].noAccess = [(project: RecordBuilder.backend, span: span)]
        builder.activity(at: 100)
        builder.activity(at: 950)
        let standings = GroundTruth(builder.record).pairs.map(\.standing)
        #expect(standings == [.optional(.noAccess), .expected(.watched)])
    }

    @Test func `a confidential issue is required from members and not from guests`() throws {
        let on = ActionTemplate(
            kind: .confidentialOn,
            by: .oneOf([RecordBuilder.jonas]),
            on: .oneOf([RecordBuilder.issue])
        )
        var builder = RecordBuilder(
            steps: [Step(sequence: 0, offset: .seconds(50), event: .action(try on.resolved()))]
        )
        builder.record.registrations.append(
            RegistrationRecord(person: RecordBuilder.tom, requestedAt: .zero, activeFrom: .seconds(1))
        )
        builder.record.watches.append(RecordBuilder.watch(RecordBuilder.issue, by: RecordBuilder.tom))
        builder.activity(at: 100, on: RecordBuilder.issue)
        let standings = GroundTruth(builder.record).pairs.map(\.standing)
        #expect(standings == [.expected(.watched), .optional(.confidential)])
    }

    @Test func `a late commit from before the watch is optional`() {
        var builder = RecordBuilder()
        builder.record.watches[0].requestedAt = .seconds(120)
        builder.record.watches[0].activeFrom = .seconds(121)
        builder.activity(at: 100, readableAfter: 60)
        builder.activity(at: 100)
        let standings = GroundTruth(builder.record).pairs.map(\.standing)
        #expect(standings == [.optional(.visibleOnlyLater), .notForThem(.notWatched)])
    }

    @Test func `what a replica did not show yet when a watch began is optional`() {
        var builder = RecordBuilder()
        builder.record.watches[0].requestedAt = .seconds(120)
        builder.record.watches[0].activeFrom = .seconds(121)
        let lag = FaultEffect.replicaLag(.seconds(60), ratio: .one)
        builder.fault(.replicaLag, id: "lag", from: 50, until: 500, effect: lag)
        builder.activity(at: 59)
        builder.activity(at: 61)
        let standings = GroundTruth(builder.record).pairs.map(\.standing)
        #expect(standings == [.notForThem(.notWatched), .optional(.visibleOnlyLater)])
    }

    @Test func `an approval is listed before its note is committed, and may be told from then on`() {
        var builder = RecordBuilder()
        builder.activity(.approved, at: 100, readableAfter: 10_000)
        builder.activity(at: 100, readableAfter: 10_000)
        builder.choose(.denied(RecordBuilder.jonas), at: 5_000)
        let standings = GroundTruth(builder.record).pairs.map(\.standing)
        #expect(standings == [.optional(.choiceChanging), .notForThem(.actorDenied)])
    }

    /// The choice came while single routes were away: others may have told before it, and need not have.
    @Test(arguments: [
        (FaultEffect.gitlabRouteOutage(.html502, route: "GET /todos", ratio: .one), Standing.optional(.choiceChanging)),
        (.gitlabOutage(.html502, ratio: Fixture.ratio("95%")), .optional(.choiceChanging)),
        (.gitlabOutage(.html502, ratio: .one), .notForThem(.actorDenied)),
    ])
    func `what does not hit every request keeps nothing from being told`(effect: FaultEffect, expected: Standing) {
        var builder = RecordBuilder()
        let isWhole = if case .gitlabOutage = effect { true } else { false }
        builder.fault(isWhole ? .gitlabOutage : .gitlabRouteOutage, id: "away", from: 50, until: 9_000, effect: effect)
        builder.activity(at: 100)
        builder.choose(.denied(RecordBuilder.jonas), at: 5_000)
        #expect(standing(builder) == expected)
    }

    @Test func `an edit that mentions somebody once more is optional, the first to mention them is not`() {
        var builder = RecordBuilder()
        let (maria, todo) = (RecordBuilder.maria, { Todo(person: RecordBuilder.maria, id: $0, action: "mentioned") })
        builder.activity(at: 100, on: nil, noteID: 41)
        builder.activity(.editedComment, at: 110, on: nil, noteID: 41, todos: [todo(5)], mentions: [maria])
        builder.activity(.editedComment, at: 120, on: nil, noteID: 41)
        builder.activity(.editedComment, at: 130, on: nil, noteID: 41, todos: [todo(6)], mentions: [maria])
        let standings = GroundTruth(builder.record).pairs.map(\.standing)
        #expect(standings[1] == .expected(.todo) && standings[3] == .optional(.mentionedBefore))
        func first(after text: String) -> Standing {
            builder.record.activities[2].body = text
            return GroundTruth(builder.record).pairs[1].standing
        }
        #expect(first(after: "see, @Maria") == .expected(.todo))
        #expect(first(after: "see") == .optional(.unnamedAgain), "its to-do item shows no name any more")
    }

    @Test func `keys take the documented wire form`() {
        var builder = RecordBuilder()
        let todo = Todo(person: RecordBuilder.maria, id: 5, action: "mentioned")
        builder.activity(at: 100, noteID: 41, todos: [todo], mentions: [RecordBuilder.maria])
        builder.activity(.merged, at: 110, note: false, stateEventID: 9)
        builder.activity(.editedComment, at: 120, noteID: 41, todos: [todo], mentions: [RecordBuilder.maria])
        let keys = GroundTruth(builder.record).pairs.map(\.keys)
        #expect(keys[0] == CoveringKeys(own: ["todo/5", "mention/7/41", "note/7/41"]))
        #expect(keys[1] == CoveringKeys(own: ["state/7/9"]))
        #expect(keys[2] == CoveringKeys(own: ["todo/5", "mention/7/41"], shared: ["note/7/41"]))
    }
}
