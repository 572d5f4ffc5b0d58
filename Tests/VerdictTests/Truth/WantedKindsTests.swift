import JSON
import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

/// Which kinds of activity people chose in the app, in the ground truth. The grace is two minutes and a minute: 180 s.
struct WantedKindsTests {
    private static let never = Duration.seconds(Int64.max / 2)

    private func makeBuilder(_ choices: [(kinds: [NotifiedKind], at: Int)]) -> RecordBuilder {
        var builder = RecordBuilder()
        for choice in choices { builder.choose(.kinds(choice.kinds), at: Double(choice.at)) }
        return builder
    }

    private func standing(_ builder: RecordBuilder) -> Standing { GroundTruth(builder.record).pairs[0].standing }

    private static let unclear = Standing.optional(.choiceChanging)

    @Test(arguments: [
        (800.0, Standing.expected(.watched)), (900, .optional(.choiceChanging)), (1_000.5, .optional(.choiceChanging)),
        (1_001, .notForThem(.kindDoesNotCount)), (4_820, .notForThem(.kindDoesNotCount)),
        (4_821, .optional(.choiceChanging)), (5_002, .expected(.watched)),
    ])
    func `a kind is off from the answer until no poll is due before it is on again`(at: Double, expected: Standing) {
        var builder = makeBuilder([([.states], 1_000), ([.comments, .states], 5_000)])
        builder.activity(at: at)
        #expect(standing(builder) == expected)
    }

    @Test(arguments: [(3_000, true), (500, false)])
    func `a look of a slow GitLab may take until it is fast again`(milliseconds: Int, isSlow: Bool) {
        func standing(_ kind: FaultKind, _ make: (QuantileTable) -> FaultEffect) -> Standing {
            var builder = makeBuilder([([.states], 1_240)])
            builder.activity(at: 1_000)
            let effect = make(QuantileTable.constant(.milliseconds(milliseconds)))
            builder.fault(kind, id: "slow", from: 900, until: 1_100, effect: effect)
            return self.standing(builder)
        }
        let link = standing(.latency) { FaultEffect.link(.latency($0), on: .gitlab, ratio: .one) }
        #expect(link == (isSlow ? Self.unclear : .expected(.watched)))
        #expect(standing(.gitlabSlow) { FaultEffect.gitlabSlow($0, ratio: .one) } == Self.unclear)
        var fast = makeBuilder([([.states], 1_240)])
        fast.activity(at: 1_000)
        #expect(self.standing(fast) == .expected(.watched))
    }

    @Test func `what was chosen before is no doubt when it is chosen again, and nobody else's`() {
        var builder = makeBuilder([([.comments, .labels], 1_000), ([.comments], 2_000)])
        builder.activity(at: 1_990)
        #expect(standing(builder) == .expected(.watched))
        var others = makeBuilder([([.states], 1_000)])
        others.record.preferences[0].person = RecordBuilder.jonas
        others.activity(at: 2_000)
        #expect(standing(others) == .expected(.watched))
    }

    @Test(arguments: [900.0, 2_000])
    func `what is addressed to the person is told whatever they chose`(at: Double) {
        var builder = makeBuilder([([.states], 1_000)])
        let todo = ActivityRecord.Todo(person: RecordBuilder.maria, id: 1, action: "mentioned", resolvedAt: nil)
        builder.activity(at: at, todos: [todo], mentions: [RecordBuilder.maria])
        #expect(standing(builder) == .expected(.todo))
    }

    /// The first reading has another two minutes.
    @Test(arguments: [
        (500.0, Standing.notForThem(.kindDoesNotCount)), (900, .notForThem(.kindDoesNotCount)),
        (1_100, .optional(.choiceChanging)),
        (1_301, .optional(.choiceChanging)), (1_302, .expected(.watched)),
    ])
    func `a list that is wanted only now begins with its first reading`(at: Double, expected: Standing) {
        var builder = makeBuilder([([.labels], 1_000)])
        builder.activity(.labelled, at: at, note: false)
        #expect(standing(builder) == expected)
    }

    @Test(arguments: [(1_301.0, Standing.optional(.choiceChanging)), (1_302, .expected(.watched))])
    func `in an outage it begins with the choice, unless a clock may be wrong`(at: Double, expected: Standing) {
        var builder = makeBuilder([([.labels], 1_000)])
        let effect = FaultEffect.gitlabOutage(.text502, ratio: .one)
        builder.fault(.gitlabOutage, id: "down", from: 900, until: 8_000, effect: effect)
        builder.activity(.labelled, at: at, note: false)
        #expect(standing(builder) == expected)
        var second = builder
        second.record.activities[0].pipelineRun = 2
        #expect(standing(second) == Self.unclear)
        var set = builder
        set.fault(.clockStep, id: "set", from: 500, until: 500, effect: .clockStep(.gitlab, .minutes(-30)))
        #expect(standing(set) == Self.unclear)
    }

    @Test(arguments: [
        (1_100.0, Standing.optional(.choiceChanging)), (5_301, .optional(.choiceChanging)),
        (5_302, .expected(.watched)),
    ])
    func `the answer to a later choice ends the doubt about one without an answer`(at: Double, expected: Standing) {
        var builder = makeBuilder([([.comments, .labels], 1_000), ([.comments, .labels], 5_000)])
        builder.record.preferences[0].answeredAt = Self.never
        builder.activity(.labelled, at: at, note: false)
        #expect(standing(builder) == expected)
    }

    @Test(arguments: [(500.0, Standing.expected(.watched)), (5_000, .optional(.choiceChanging))])
    func `a choice without an answer may hold or not`(at: Double, expected: Standing) {
        var builder = makeBuilder([([.states], 1_000)])
        builder.record.preferences[0].answeredAt = Self.never
        builder.activity(at: at)
        #expect(standing(builder) == expected)
        builder.record.preferences[0].choice = .kinds([.comments, .labels])
        builder.record.activities = []
        builder.activity(.labelled, at: 5_000, note: false)
        #expect(standing(builder) == Self.unclear)
    }

    @Test func `what was chosen early and said late holds from its answer, unless another had been chosen since`() {
        var builder = makeBuilder([([.comments], 2_000), ([.states], 1_000)])
        builder.record.preferences[1].answeredAt = .seconds(3_000)
        builder.activity(at: 3_100)
        #expect(standing(builder) == .notForThem(.kindDoesNotCount))
        builder.record.preferences[1].answeredAt = Self.never
        #expect(standing(builder) == .expected(.watched))
    }

    @Test func `what quiet hours hold was judged when it was found`() {
        var builder = makeBuilder([([.states], 5_000)])
        // From 3,600 to 7,200 s.
        let hours = QuietHours(zone: .utc, weekdays: [5], from: 540, until: 600, letsUrgentThrough: true)
        builder.record.preferences.insert(
            PreferenceRecord(
                person: RecordBuilder.maria,
                choice: .quietHours(hours),
                requestedAt: .seconds(10),
                answeredAt: .seconds(11)
            ),
            at: 0
        )
        builder.activity(at: 4_000)
        #expect(standing(builder) == .expected(.watched))
    }

    @Test func `what the operator lets people be told is what holds before they choose`() {
        var builder = makeBuilder([([.labels, .comments], 1_000)])
        builder.record.resolved.scenario.notifier["activities"] = .string("labels")
        builder.activity(at: 500)
        #expect(standing(builder) == .notForThem(.kindDoesNotCount))
        builder.record.activities = []
        builder.activity(.labelled, at: 1_100, note: false)
        #expect(standing(builder) == .expected(.watched), "they went on")
    }
}
