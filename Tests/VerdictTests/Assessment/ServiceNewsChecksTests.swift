import JSON
import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

/// News about the service: once for each trouble and once for its end, when it was so, and at all.
struct ServiceNewsChecksTests {
    private static let trouble = "service_trouble"
    private static let recovery = "service_recovered"

    private func broken(_ builder: RecordBuilder) -> [Violation] {
        Assessment.assess(builder.record).violations.filter { $0.invariant == .serviceNewsWrong }
    }

    private func tell(_ type: String, at seconds: Double, in builder: inout RecordBuilder) {
        builder.push([], at: seconds, id: "\(type)-\(seconds)")
        builder.record.pushes[builder.record.pushes.count - 1].content?.type = type
    }

    /// GitLab answers nobody for an hour, from the 5,000th second on; Maria is told so.
    private func makeOutage(until end: Double = 8_600, told: [(type: String, at: Double)] = []) -> RecordBuilder {
        var builder = RecordBuilder()
        builder.fault(.gitlabOutage, id: "outage", from: 5_000, until: end)
        for news in told { tell(news.type, at: news.at, in: &builder) }
        return builder
    }

    @Test func `an outage is told once, and its end once`() {
        #expect(broken(makeOutage(told: [(Self.trouble, 5_950), (Self.recovery, 8_650)])).isEmpty)
        let untold = broken(makeOutage())
        #expect(untold.count == 1 && untold[0].detail.contains("not told that GitLab did not answer"))
        let endless = broken(makeOutage(told: [(Self.trouble, 5_950)]))
        #expect(endless.count == 1 && endless[0].detail.contains("not that it does again"))
        let late = broken(makeOutage(told: [(Self.trouble, 5_950), (Self.recovery, 10_000)]))
        #expect(late.count == 1 && late[0].detail.contains("not that it does again"))
    }

    @Test(arguments: [trouble, recovery])
    func `nothing is told twice in a row`(type: String) {
        let news = [(Self.trouble, 5_950.0), (Self.recovery, 8_650)]
        let builder = makeOutage(told: news + [(type, type == Self.trouble ? 6_500 : 8_700)])
        let found = broken(builder)
        #expect(found.count == 1 && found[0].detail.contains("twice in a row of \(type)"))
        var anew = builder
        anew.record.registrations.append(
            RegistrationRecord(person: RecordBuilder.maria, requestedAt: .seconds(6_000), activeFrom: .seconds(8_690))
        )
        #expect(broken(anew).isEmpty, "who signs in anew may hear of it again")
    }

    @Test func `what waited for APNs goes out in any order`() {
        let news = [(Self.trouble, 5_950.0), (Self.recovery, 8_650), (Self.recovery, 8_700)]
        var builder = makeOutage(told: news)
        #expect(broken(builder).count == 1)
        builder.fault(.apnsOutage, id: "apns", from: 8_000, until: 8_645)
        #expect(broken(builder).isEmpty)
    }

    @Test func `the end is told once nothing else keeps answers away`() {
        var builder = makeOutage(told: [(Self.trouble, 5_950), (Self.recovery, 10_600)])
        #expect(broken(builder).count == 1)
        builder.fault(.latency, id: "slow", from: 8_000, until: 9_500)
        #expect(broken(builder).isEmpty)
    }

    @Test func `trouble that there was not is told of by mistake`() {
        var builder = RecordBuilder()
        tell(Self.trouble, at: 5_950, in: &builder)
        tell(Self.recovery, at: 6_000, in: &builder)
        #expect(broken(builder).count == 1)
        var blocked = builder
        blocked.record.registrations[0].blocked = [Span(from: .seconds(5_000), until: .seconds(5_900))]
        #expect(broken(blocked).isEmpty)
        builder.fault(.gitlabOutage, id: "before", from: 1_000, until: 3_000)
        #expect(broken(builder).contains { $0.detail.contains("that there was not") }, "it was over long before")
    }

    @Test(arguments: [(2, 30, false), (3, 30, true), (1, 6, true), (6, 300, true), (2, 300, false)])
    func `of a GitLab that is so far away that answers come too late nothing is known`(
        way: Int,
        timeout: Int,
        isSilent: Bool
    ) {
        func moved(_ builder: RecordBuilder) -> RecordBuilder {
            var builder = builder
            let waiting = JSONMember("requestTimeout", .string("\(timeout)s"))
            builder.record.resolved.scenario.notifier = NotifierOverrides(values: [waiting])
            builder.record.resolved.scenario.world.gitlab.latency = .constant(.seconds(way))
            return builder
        }
        var groundless = RecordBuilder()
        tell(Self.trouble, at: 5_950, in: &groundless)
        #expect(broken(moved(groundless)).isEmpty == isSilent)
        #expect(broken(moved(makeOutage())).isEmpty == isSilent, "of one outage it had been told before")
    }

    /// Whether it is by mistake that Maria is told at 5,950 s of trouble, which the log gives for a moment earlier.
    private func isGroundless(_ builder: RecordBuilder) -> Bool {
        var builder = builder
        builder.log("service.trouble", at: 5_950, [("account.id", 1)])
        tell(Self.trouble, at: 5_951, in: &builder)
        return broken(builder).contains { $0.detail.contains("that there was not") }
    }

    @Test func `only what strikes the way to GitLab is a ground for trouble`() {
        for kind in [FaultKind.apnsOutage, .webhookForged, .deviceDiskFull, .lateCommit] {
            var builder = RecordBuilder()
            builder.fault(kind, id: "fault", from: 5_000, until: 6_500)
            #expect(isGroundless(builder), "\(kind)")
        }
        for kind in [FaultKind.gitlabOutage, .gitlabRouteOutage, .gitlabSlow, .crash, .diskFull] {
            var builder = RecordBuilder()
            builder.fault(kind, id: "fault", from: 5_000, until: 6_500)
            #expect(!isGroundless(builder), "\(kind)")
        }
        for link in Link.allCases {
            var builder = RecordBuilder()
            let effect = FaultEffect.link(.resetAfter, on: link, ratio: .one)
            builder.fault(.resetAfter, id: "fault", from: 5_000, until: 6_500, effect: effect)
            #expect(isGroundless(builder) == (link != .gitlab), "\(link)")
        }
    }

    @Test(arguments: RowChange.allCases)
    func `rows that can be read as ever are no ground for trouble`(change: RowChange) {
        var builder = RecordBuilder()
        let effect = FaultEffect.gitlabRowsChanged(change, route: "/**", ratio: .one)
        builder.fault(.gitlabRowsChanged, id: "rows", from: 5_000, until: 6_500, effect: effect)
        #expect(isGroundless(builder) == change.isReadable)
    }

    @Test func `what is told of as lasting has lasted`() {
        func isGroundless(_ outages: [(from: Double, until: Double)], waits seconds: Double? = nil) -> Bool {
            var builder = RecordBuilder()
            for (number, outage) in outages.enumerated() {
                builder.fault(.gitlabOutage, id: "outage-\(number)", from: outage.from, until: outage.until)
            }
            if let seconds {
                builder.log("poll.failed", at: 4_290, [("wait.ms", .number(Int64(seconds * 1_000)))])
            }
            return self.isGroundless(builder)
        }
        #expect(!isGroundless([(5_000, 5_940)]))
        #expect(!isGroundless([(5_000, 5_400)]), "the look that failed may have begun then")
        #expect(isGroundless([(5_200, 5_940)]), "it had not lasted")
        #expect(isGroundless([(5_000, 5_300)]), "it was over")
        #expect(!isGroundless([(5_000, 5_100), (5_900, 5_940)]), "nobody need have looked in between")
        #expect(isGroundless([(4_200, 4_300), (5_300, 5_940)]), "somebody must have looked in between")
        #expect(!isGroundless([(4_200, 4_300), (5_300, 5_940)], waits: 1_200))
    }

    @Test func `what an app fetches long after it was made is judged by when that was`() {
        func fetch(loggedAt seconds: Double?) -> RecordBuilder {
            var builder = RecordBuilder()
            builder.fault(.gitlabOutage, id: "before", from: 1_000, until: 2_500)
            if let seconds { builder.log("service.trouble", at: seconds, [("account.id", 1)]) }
            builder.event(.displayed, [], at: 8_000, id: "n1", type: Self.trouble)
            return builder
        }
        func isGroundless(loggedAt seconds: Double?) -> Bool {
            broken(fetch(loggedAt: seconds)).contains { $0.detail.contains("that there was not") }
        }
        #expect(!isGroundless(loggedAt: 2_000))
        #expect(isGroundless(loggedAt: 7_900))
        #expect(!isGroundless(loggedAt: nil), "nobody knows when that was")
    }

    @Test func `what nobody could notice or hear of need not be told`() {
        #expect(broken(makeOutage(until: 6_400)).isEmpty, "it was too short")
        var alone = makeOutage()
        alone.record.deviceSpans = []
        #expect(broken(alone).isEmpty)
        var down = makeOutage()
        down.record.downtimes = [Span(from: .seconds(5_500), until: .seconds(5_600))]
        #expect(broken(down).isEmpty)
        var refused = makeOutage()
        refused.fault(.apnsOutage, id: "apns", from: 5_500, until: 8_000)
        #expect(broken(refused).isEmpty)
        var late = makeOutage()
        late.record.registrations[0].activeFrom = .seconds(5_100)
        #expect(broken(late).isEmpty)
    }

    // MARK: a token that GitLab takes

    /// Maria is told at 3,000 s that GitLab refuses her token, which it did from 2,000 s on until `end`.
    private func makeRefused(until end: Double, told: Double = 3_000) -> RecordBuilder {
        var builder = RecordBuilder()
        builder.record.registrations[0].tokenDead = [Span(from: .seconds(2_000), until: .seconds(end))]
        builder.log("auth.expired", at: told, [("account.id", 1)])
        tell("auth_expired", at: told + 1, in: &builder)
        return builder
    }

    @Test func `nobody is told that the connection has expired who has given a token that GitLab takes`() {
        let found = broken(makeRefused(until: 2_996))
        #expect(found.count == 1 && found[0].detail.contains("it takes it"))
        #expect(broken(makeRefused(until: 2_999)).isEmpty, "the verdict was under way")
        #expect(broken(makeRefused(until: 5_000)).isEmpty)
        #expect(broken(makeRefused(until: 5_000, told: 1_000)).count == 1, "it was refused later")
        var untold = makeRefused(until: 2_996)
        untold.record.pushes = []
        #expect(broken(untold).isEmpty)
    }

    @Test func `a refusal is held against the notifier only where it is proven whom it told`() {
        var builder = makeRefused(until: 2_996)
        builder.record.registrations.append(
            RegistrationRecord(person: RecordBuilder.jonas, requestedAt: .zero, activeFrom: .seconds(1))
        )
        #expect(broken(builder).isEmpty, "the account may be Jonas's")
        builder.log("device.registered", at: 3, [("account.id", 1), ("device.id", 7)])
        let id = builder.record.pushes[0].apnsID
        builder.log("delivery.accepted", at: 3_002, [("device.id", 7), ("apns.id", .text(id))])
        #expect(broken(builder).count == 1)
    }

    @Test func `whoever left and came back has a second account, which proves nothing of another's`() {
        var builder = makeRefused(until: 2_996)
        let id = builder.record.pushes[0].apnsID
        for (number, seconds) in [(Int64(2), 10.0), (3, 1_000)] {
            let came = Duration.seconds(seconds)
            builder.record.registrations.append(
                RegistrationRecord(person: RecordBuilder.jonas, requestedAt: came, activeFrom: came)
            )
            let fields: [(key: StaticString, value: LogValue)] = [
                ("notification.id", .text("n\(number)")), ("account.id", .number(number)),
            ]
            builder.log("notification.enqueued", at: seconds + 10, fields)
            builder.push([], at: seconds + 11, id: "n\(number)", to: RecordBuilder.jonas)
        }
        #expect(broken(builder).isEmpty, "nothing proves whose the first account is")
        builder.log("device.registered", at: 3, [("account.id", 1), ("device.id", 7)])
        builder.log("delivery.accepted", at: 3_002, [("device.id", 7), ("apns.id", .text(id))])
        #expect(broken(builder).count == 1)
    }

    @Test func `every account is the only person's`() {
        var builder = RecordBuilder()
        builder.record.registrations.append(
            RegistrationRecord(person: RecordBuilder.maria, requestedAt: .seconds(500), activeFrom: .seconds(501))
        )
        builder.log("auth.expired", at: 3_000, [("account.id", 2)])
        tell("auth_expired", at: 3_001, in: &builder)
        #expect(broken(builder).count == 1)
    }

    @Test func `where something may have refused a good token, or brought an old one back, nothing is said`() {
        for kind in [FaultKind.gitlabOutage, .replicaLag, .clockStep, .restoreBackup, .crash] {
            var builder = makeRefused(until: 2_900)
            builder.fault(kind, id: "fault", from: 1_000, until: 1_100)
            #expect(broken(builder).isEmpty, "\(kind)")
        }
        for kind in [FaultKind.gitlabSlow, .apnsReason] {
            var builder = makeRefused(until: 2_900)
            builder.fault(kind, id: "fault", from: 1_000, until: 1_100)
            #expect(broken(builder).count == 1, "\(kind)")
        }
        var blocked = makeRefused(until: 2_900)
        blocked.record.registrations[0].blocked = [Span(from: .seconds(2_950), until: .seconds(4_000))]
        #expect(broken(blocked).isEmpty)
    }
}
