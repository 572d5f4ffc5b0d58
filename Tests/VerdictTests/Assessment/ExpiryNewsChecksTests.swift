import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

/// Who is warned that their GitLab token expires.
struct ExpiryNewsChecksTests {
    /// The run begins on 2027-01-15 at 08:00 UTC.
    private static let hour = 3_600.0

    private func broken(_ builder: RecordBuilder) -> [Violation] {
        Assessment.assess(builder.record).violations.filter { $0.invariant == .expiryUntold }
    }

    /// Two days of a person whose token dies so much later; on the day that begins before that.
    private func makeExpiring(
        in expiry: Duration?,
        told hours: [Double],
        version: GitLabWorld.Version = .v17_11,
        steps: [Step] = []
    ) -> RecordBuilder {
        var world = RecordBuilder.makeWorld()
        world.gitlab.version = version
        world.people[0].notified?.token.expiry = expiry
        var builder = RecordBuilder(steps: steps, simulated: 2 * 86_400, world: world)
        for (index, hours) in hours.enumerated() {
            builder.push([], at: hours * Self.hour, id: "expiring-\(index)")
            builder.record.pushes[index].content?.type = "token_expiring"
        }
        return builder
    }

    /// From day 3 on the token is dead: the last day begins after 16 hours.
    private static let inTwoDays = Duration.hours(48)

    @Test func `once ahead and once on the last day is right`() {
        #expect(broken(makeExpiring(in: Self.inTwoDays, told: [0.1, 16.1])).isEmpty)
        #expect(broken(makeExpiring(in: .days(30), told: [])).isEmpty)
        #expect(broken(makeExpiring(in: nil, told: [])).isEmpty)
        #expect(broken(makeExpiring(in: Self.inTwoDays, told: [], version: .v15_0)).isEmpty, "GitLab does not tell")
    }

    @Test(arguments: [([0.1], "was not warned"), ([16.1], "was not warned"), ([0.1, 0.2, 16.1], "warned 2 times")])
    func `a warning that is missing or comes twice breaks the rule`(hours: [Double], words: String) {
        let found = broken(makeExpiring(in: Self.inTwoDays, told: hours))
        #expect(found.count == 1 && found.allSatisfy { $0.detail.contains(words) }, "\(found)")
    }

    @Test func `nobody is warned of a token that does not expire`() {
        let found = broken(makeExpiring(in: nil, told: [3]))
        #expect(found.count == 1 && found[0].detail.contains("does not expire"))
    }

    @Test func `nothing is said of what became of the token later, nor of what could not be told`() throws {
        let rotation = ActionTemplate(kind: .rotateToken, by: .oneOf([RecordBuilder.maria]))
        let rotate = Step(sequence: 0, offset: .seconds(60), event: .action(try rotation.resolved()))
        #expect(broken(makeExpiring(in: Self.inTwoDays, told: [], steps: [rotate])).isEmpty)
        #expect(broken(makeExpiring(in: nil, told: [3], steps: [rotate])).isEmpty, "the next one may expire")
        var refused = makeExpiring(in: Self.inTwoDays, told: [0.1])
        refused.record.registrations[0].tokenDead = [Span(from: .hours(10), until: .days(2))]
        #expect(broken(refused).isEmpty)
        var alone = makeExpiring(in: Self.inTwoDays, told: [])
        alone.record.deviceSpans = []
        #expect(broken(alone).isEmpty)
        var away = makeExpiring(in: Self.inTwoDays, told: [0.1])
        away.fault(.gitlabOutage, id: "away", from: 15 * Self.hour, until: 41 * Self.hour)
        #expect(broken(away).isEmpty)
        var set = makeExpiring(in: Self.inTwoDays, told: [])
        set.fault(.clockStep, id: "set", from: 10, until: 11)
        #expect(broken(set).isEmpty)
    }
}
