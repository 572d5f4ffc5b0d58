import Platform
import ScenarioFixtures
import Scenarios
import Testing

@testable import Verdict

/// What the notifier said of its readiness, against what struck its disk and APNs.
struct ReadinessChecksTests {
    private func broken(
        _ builder: RecordBuilder,
        at seconds: Double,
        _ status: Int,
        database: String = "ok",
        apns: String = "ok"
    ) -> [String] {
        var builder = builder
        builder.record.readiness = [
            ReadinessRecord(
                askedAt: .seconds(seconds),
                answeredAt: .seconds(seconds),
                status: status,
                database: database,
                apns: apns
            )
        ]
        return Assessment.assess(builder.record).violations.filter { $0.invariant == .serviceNewsWrong }.map(\.detail)
    }

    private func makeFault(_ kind: FaultKind) -> RecordBuilder {
        var builder = RecordBuilder()
        builder.fault(kind, id: "fault", from: 5_000, until: 8_600)
        return builder
    }

    @Test(arguments: [FaultKind.diskFull, .diskDamaged])
    func `who can keep nothing is not ready, from two minutes on until it can`(kind: FaultKind) {
        let builder = makeFault(kind)
        #expect(broken(builder, at: 5_200, 200).map { $0.contains("its disk took nothing") } == [true])
        #expect(broken(builder, at: 5_100, 200).isEmpty, "it may not have written anything")
        #expect(broken(builder, at: 5_200, 503, database: "full").isEmpty)
        #expect(broken(builder, at: 8_600, 200).isEmpty)
    }

    @Test func `nothing is said where the process was not there, or something else struck the disk`() {
        var builder = makeFault(.diskFull)
        builder.record.downtimes = [Span(from: .seconds(5_150), until: .seconds(5_180))]
        #expect(broken(builder, at: 5_200, 200).isEmpty)
        builder = makeFault(.diskFull)
        builder.fault(.diskError, id: "other", from: 5_100, until: 5_150)
        #expect(broken(builder, at: 5_200, 200).isEmpty)
    }

    @Test func `a disk that fails now and then is none that takes nothing`() {
        #expect(broken(makeFault(.diskError), at: 7_000, 200).isEmpty)
    }

    @Test func `where APNs refuses three in a row the notifier is not ready`() {
        var builder = makeFault(.apnsOutage)
        for seconds in [5_130.0, 5_200] { builder.push([], at: seconds, status: 503) }
        #expect(broken(builder, at: 5_600, 200).isEmpty, "two may be chance")
        builder.push([], at: 5_300, status: 503)
        #expect(broken(builder, at: 5_600, 200).map { $0.contains("APNs took nothing") } == [true])
        #expect(broken(builder, at: 5_600, 503, apns: "paused").isEmpty)
        builder.push([], at: 5_310)
        #expect(broken(builder, at: 5_600, 200).isEmpty)
    }

    @Test func `nor where APNs does not know its key`() {
        func makeRefused(_ reason: String) -> RecordBuilder {
            var builder = makeFault(.apnsKeyRevoked)
            for seconds in [5_130.0, 5_200, 5_300] { builder.push([], at: seconds, status: 403, reason: reason) }
            return builder
        }
        let refused = makeRefused("InvalidProviderToken")
        #expect(broken(refused, at: 5_600, 200).map { $0.contains("APNs took nothing") } == [true])
        #expect(broken(refused, at: 5_600, 503, apns: "paused").isEmpty)
        #expect(broken(makeRefused("UnrelatedKeyIdInToken"), at: 5_600, 200).isEmpty, "that is the connection's")
    }

    @Test func `with nothing wrong for ten minutes it is ready`() {
        let builder = makeFault(.diskFull)
        #expect(broken(builder, at: 9_000, 503, database: "full").isEmpty)
        let late = broken(builder, at: 9_300, 503, database: "full")
        #expect(late.map { $0.contains("nothing was wrong with it") } == [true])
        #expect(broken(makeFault(.diskDamaged), at: 9_300, 503, database: "damaged").isEmpty, "it stays so")
    }

    @Test func `APNs that has taken a push is not said to be away`() {
        var builder = makeFault(.apnsOutage)
        #expect(broken(builder, at: 9_500, 503, apns: "paused").isEmpty, "nobody had anything to push")
        builder.push([], at: 9_000)
        #expect(broken(builder, at: 9_500, 503, apns: "paused").map { $0.contains("it took pushes") } == [true])
        builder.push([], at: 9_490, status: 429)
        #expect(broken(builder, at: 9_500, 503, apns: "paused").isEmpty, "a token may be refused without any fault")
    }
}
