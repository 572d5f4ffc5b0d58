import Platform
import ScenarioFixtures
import Scenarios
import Testing

@testable import Verdict

struct PushContentChecksTests {
    private func broken(_ builder: RecordBuilder) -> [ViolationRecord.Invariant] {
        Assessment.assess(builder.record).violations.map(\.invariant)
    }

    // MARK: push-leads-elsewhere

    private func makePushed(_ target: PushTarget?) -> RecordBuilder {
        var builder = RecordBuilder()
        builder.activity(at: 100, noteID: 41)
        builder.push(["note/7/41"], at: 131)
        builder.record.pushes[0].content?.target = target
        return builder
    }

    private func makeTarget(
        _ type: String = "merge_request",
        _ number: Int64 = 847,
        path: String? = RecordBuilder.request.project.description,
        address: String? = "https://gitlab.example.com/\(RecordBuilder.request.project)/-/merge_requests/847#note_41"
    ) -> PushTarget {
        PushTarget(itemType: type, itemNumber: number, projectPath: path, webAddress: address)
    }

    @Test func `a push leads to the item that it tells of, or says less`() {
        #expect(broken(makePushed(makeTarget())) == [])
        #expect(broken(makePushed(makeTarget(path: nil, address: nil))) == [])
        #expect(broken(makePushed(nil)) == [])
    }

    @Test func `a push that leads elsewhere breaks the rule`() {
        let path = RecordBuilder.request.project.description
        let wrong = [
            makeTarget("issue"), makeTarget("merge_request", 848), makeTarget(path: "team/frontend"),
            makeTarget(address: path), makeTarget(address: "https://gitlab.example.com/\(path)/-/merge_requests/84"),
            makeTarget(address: "https://gitlab.example.com/\(path)/-/issues/847"),
        ]
        for target in wrong { #expect(broken(makePushed(target)) == [.pushMisleads], "\(target)") }
    }

    private func makePushed(_ key: String, _ address: String?, room: Bool = true) -> RecordBuilder {
        var builder = makePushed(makeTarget(address: address))
        if !room {
            builder.record.resolved.scenario.world.gitlab.externalURL = "https://" + String(repeating: "a", count: 900)
        }
        builder.record.pushes[0].content?.factKeys = [key]
        builder.record.pushes[0].content?.label = PushLabel(
            type: "activity",
            actionType: "commented",
            actor: nil,
            count: 1
        )
        return builder
    }

    @Test func `a push leads to its very comment or pipeline, unless there is no room for the address`() {
        let place = "https://gitlab.example.com/\(RecordBuilder.request.project)/-/"
        let request = place + "merge_requests/847"
        let right = [
            ("note/7/99", request + "#note_99"), ("mention/7/99", request + "#note_99"), ("state/7/9", request),
            ("pipeline/7/12/failed/0", place + "pipelines/12"), ("todo/4", request + "#note_99"),
        ]
        for (key, address) in right { #expect(broken(makePushed(key, address)) == [], "\(key)") }
        let wrong = [
            ("note/7/99", request), ("note/7/99", request + "#note_9"), ("mention/7/99", request + "#note_98"),
            ("pipeline/7/12/failed/0", request), ("pipeline/7/12/failed/0", place + "pipelines/1"),
        ]
        for (key, address) in wrong { #expect(broken(makePushed(key, address)) == [.pushMisleads], "\(key)") }
        #expect(broken(makePushed("state/7/9", nil)) == [.pushMisleads])
        #expect(broken(makePushed("state/7/9", nil, room: false)) == [])
    }

    @Test func `reminders lead to what they remind of`() {
        func remind(_ target: PushTarget) -> [ViolationRecord.Invariant] {
            var builder = makePushed(target)
            builder.record.pushes[0].content?.type = "reminder"
            return broken(builder)
        }
        #expect(remind(makeTarget()) == [])
        #expect(remind(makeTarget("merge_request", 848)) == [.pushMisleads])
        func remindOfDay(_ target: PushTarget) -> [ViolationRecord.Invariant] {
            var builder = makePushed(target)
            let date = CivilDate(year: 2027, month: 1, day: 17)
            builder.record.pushes[0].content?.factKeys = ["due/7/merge_request/847/2027-01-17/1"]
            builder.record.pushes[0].content?.due = DueContent(item: RecordBuilder.request, date: date, step: 1)
            return broken(builder)
        }
        #expect(remindOfDay(makeTarget()) == [])
        #expect(remindOfDay(makeTarget("issue")) == [.pushMisleads])
    }

    // MARK: push-says-otherwise

    @Test func `a push takes the place of one that it tells of, and of no other`() {
        func show(_ first: [String], _ second: [String], by id: String = "n2", change: (inout RecordBuilder) -> Void)
            -> [ViolationRecord.Invariant]
        {
            var builder = RecordBuilder()
            builder.activity(at: 100, noteID: 41)
            builder.activity(at: 200, noteID: 42)
            builder.event(.displayed, first, at: 131, id: "n1")
            builder.event(.replaced, second, at: 231, id: id)
            for index in 0...1 { builder.record.deviceEvents[index].collapseID = "item" }
            change(&builder)
            return broken(builder).filter { $0 == .pushMisstates }
        }
        let (one, other) = (["note/7/41"], ["note/7/42"])
        #expect(show(one, other) { _ in } == [.pushMisstates])
        #expect(show(one, one) { _ in } == [], "a reminder of the same")
        #expect(show(one, one + other) { _ in } == [])
        #expect(show(one, other, by: "n1") { _ in } == [], "the same notification")
        #expect(show(one, other) { $0.record.deviceEvents[0].collapseID = nil } == [], "the first stands elsewhere")
        #expect(show(one, other) { $0.record.deviceEvents[0].installation = 1 } == [], "on another phone")
        #expect(show(one, other) { $0.record.deviceEvents[0].content?.isTruncated = true } == [])
        #expect(show(one, other) { $0.record.deviceEvents[1].kind = .displayed } == [])
    }

    // MARK: refused-token-untold

    /// A token that GitLab refuses from 1,000 s on.
    private func makeRefused(until end: Double = 20_000) -> RecordBuilder {
        var builder = RecordBuilder()
        builder.record.registrations[0].tokenDead = [Span(from: .seconds(1_000), until: .seconds(end))]
        return builder
    }

    private func tell(_ builder: inout RecordBuilder, at seconds: Double) {
        builder.push([], at: seconds, id: "n9")
        builder.record.pushes[builder.record.pushes.count - 1].content?.type = "auth_expired"
    }

    @Test func `a token that was refused for half an hour in which GitLab could be asked has to be told of`() {
        var builder = makeRefused()
        #expect(broken(builder) == [.refusalUntold])
        tell(&builder, at: 900)
        #expect(broken(builder) == [.refusalUntold])
        tell(&builder, at: 2_000)
        #expect(broken(builder) == [])
    }

    @Test func `who was told before need not be told again while GitLab gives nothing in between`() {
        var builder = makeRefused()
        tell(&builder, at: 900)
        builder.record.registrations[0].blocked = [Span(from: .seconds(850), until: .seconds(1_100))]
        #expect(broken(builder) == [])
        builder.record.registrations[0].blocked = [Span(from: .seconds(850), until: .seconds(999))]
        #expect(broken(builder) == [.refusalUntold])
    }

    @Test func `a refusal that is soon over, or that nobody could notice or hear of, need not be told`() {
        #expect(broken(makeRefused(until: 2_700)) == [])
        var away = makeRefused(until: 20_000)
        away.fault(.gitlabOutage, id: "outage", from: 900, until: 18_500)
        #expect(broken(away) == [])
        var alone = makeRefused()
        alone.record.deviceSpans = []
        #expect(broken(alone) == [])
        // There is another token by the time at which APNs takes a push.
        var late = makeRefused(until: 9_000)
        late.fault(.apnsOutage, id: "away", from: 900, until: 8_990)
        #expect(broken(late) == [])
        late.record.registrations[0].tokenDead = [Span(from: .seconds(1_000), until: .seconds(19_000))]
        #expect(broken(late) == [.refusalUntold])
    }
}
