import Platform
import ScenarioFixtures
import Scenarios
import Testing

@testable import Verdict

/// Test notifications that a person asked for at 1,000 s, of whose devices the notifier said that it goes to one.
struct TestChecksTests {
    private func makeBuilder(targets: Int = 1) -> RecordBuilder {
        var builder = RecordBuilder()
        builder.record.tests = [
            TestRecord(
                person: RecordBuilder.maria,
                notificationID: "t1",
                askedAt: .seconds(1_000),
                answeredAt: .seconds(1_001),
                targets: targets
            )
        ]
        return builder
    }

    private func wrong(_ builder: RecordBuilder) -> [String] {
        Assessment.assess(builder.record).violations.filter { $0.invariant == .testUnsent }.map(\.detail)
    }

    @Test func `a test that was promised goes out, or is fetched by an open app`() {
        var builder = makeBuilder()
        #expect(wrong(builder).map { $0.contains("none was sent") } == [true])
        builder.event(.displayed, [], at: 1_002, id: "t1", type: "test")
        #expect(wrong(builder).isEmpty)
        builder = makeBuilder()
        builder.push([], at: 1_002, id: "t1")
        #expect(wrong(builder).isEmpty)
        builder = makeBuilder()
        builder.push([], at: 1_002, id: "another")
        #expect(wrong(builder).count == 1)
    }

    @Test func `what was to go again is tried, or was shown by an app`() {
        func makeAgain() -> RecordBuilder {
            var builder = makeBuilder()
            (builder.record.sentAgain, builder.record.tests) = (builder.record.tests, [])
            builder.push([], at: 500, id: "t1", status: 400)
            return builder
        }
        #expect(wrong(makeAgain()).map { $0.contains("none was tried") } == [true])
        var builder = makeAgain()
        builder.push([], at: 1_002, id: "t1")
        #expect(wrong(builder).isEmpty)
        builder = makeAgain()
        builder.record.downtimes = [Span(from: .seconds(1_002), until: .seconds(1_100))]
        #expect(wrong(builder).isEmpty, "nobody was there to try it")
    }

    @Test func `nothing is said where no device was there, or something was left to send`() {
        var builder = makeBuilder()
        for index in builder.record.deviceSpans.indices {
            builder.record.deviceSpans[index].endRequestedAt = .seconds(1_010)
        }
        #expect(wrong(builder).isEmpty)
        builder = makeBuilder()
        builder.record.idleSince = nil
        #expect(wrong(builder).isEmpty)
    }

    @Test func `a test comes to no more devices than was said`() {
        var builder = makeBuilder()
        builder.push([], at: 1_002, id: "t1")
        builder.push([], at: 1_003, id: "t1")
        builder.push([], at: 1_002, id: "t1", device: RecordBuilder.mac, status: 503)
        #expect(wrong(builder).isEmpty, "the same device twice, and another one not at all")
        builder.push([], at: 1_004, id: "t1", device: RecordBuilder.mac)
        #expect(wrong(builder).map { $0.contains("it came to 2") } == [true])
        builder.record.deviceSpans[1].activeFrom = .seconds(1_001)
        #expect(wrong(builder).isEmpty, "the other one joined afterwards")
    }
}
