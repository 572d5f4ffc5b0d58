import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

struct SecretChecksTests {
    private let maria = RecordBuilder.maria
    private let other = ItemReference(project: RecordBuilder.backend, kind: .mergeRequest, iid: 12)

    private func broken(_ builder: RecordBuilder) -> [ViolationRecord.Invariant] {
        Assessment.assess(builder.record).violations.map(\.invariant)
            .filter { $0 == .toldUnseen || $0 == .askedUnwatched }
    }

    // MARK: told-without-access

    /// Maria has no access between 1,000 s and 2,000 s; something is done at `done`.
    private func makeExcluded(done: Double, saying body: String? = nil) -> RecordBuilder {
        var builder = RecordBuilder()
        let span = Span(from: .seconds(1_000), until: .seconds(2_000))
        builder.record.registrations[0].noAccess = [(RecordBuilder.backend, span)]
        builder.activity(at: done, noteID: 41)
        builder.record.activities[0].body = body
        return builder
    }

    @Test func `what was done while somebody had no access must not reach them before they have it again`() {
        for (told, isBroken) in [(1_130.0, true), (1_999, true), (2_010, false)] {
            var builder = makeExcluded(done: 1_100)
            builder.push(["note/7/41"], at: told)
            #expect(broken(builder) == (isBroken ? [.toldUnseen] : []), "\(told)")
        }
        // What they could read before may be told when they cannot any more.
        var builder = makeExcluded(done: 990)
        builder.push(["note/7/41"], at: 1_130)
        #expect(broken(builder) == [])
    }

    @Test func `the feed must not tell of it either`() {
        var builder = makeExcluded(done: 1_100)
        builder.record.catchUps = [
            CatchUpRecord(person: maria, device: RecordBuilder.phone, at: .seconds(1_200), factKeys: ["note/7/41"])
        ]
        #expect(broken(builder) == [.toldUnseen])
    }

    @Test
    func `its words must not stand in news of something else, unless they were said where the person could read them`()
    {
        var builder = makeExcluded(done: 1_100, saying: "The offer of Nordwind is too low")
        builder.push(["note/7/9"], at: 1_130)
        #expect(broken(builder) == [])
        builder.record.pushes[0].content?.text = "Jonas: The offer of Nordwind is too low"
        #expect(broken(builder) == [.toldUnseen])
        builder.activity(at: 900, noteID: 9)
        builder.record.activities[1].body = "The offer of Nordwind is too low"
        #expect(broken(builder) == [])
    }

    @Test func `a title given behind somebody's back must not be told`() {
        var builder = makeExcluded(done: 900)
        builder.activity(.titleChanged, at: 1_100, noteID: 42)
        builder.record.activities[1].itemTitle = "Buy out Nordwind"
        builder.push(["note/7/41"], at: 1_130)
        #expect(broken(builder) == [])
        builder.record.pushes[0].content?.text = "Buy out Nordwind"
        #expect(broken(builder) == [.toldUnseen])
    }

    @Test func `a confidential issue is hidden from guests, and from nobody who is more`() throws {
        for (person, isBroken) in [(RecordBuilder.tom, true), (maria, false)] {
            let hiding = ActionTemplate(
                kind: .confidentialOn,
                by: .oneOf([RecordBuilder.jonas]),
                on: .oneOf([RecordBuilder.issue])
            )
            let steps = [Step(sequence: 0, offset: .seconds(1_000), event: .action(try hiding.resolved()))]
            var builder = RecordBuilder(steps: steps)
            builder.record.registrations = [
                RegistrationRecord(person: person, requestedAt: .zero, activeFrom: .seconds(1))
            ]
            builder.record.watches = [RecordBuilder.watch(RecordBuilder.issue, by: person)]
            builder.activity(at: 1_100, on: RecordBuilder.issue, noteID: 41)
            builder.push(["note/7/41"], at: 1_130, to: person)
            #expect(broken(builder) == (isBroken ? [.toldUnseen] : []), "\(person)")
        }
    }

    // MARK: asked-unwatched

    private func makeAsked(for item: ItemReference, at seconds: Double = 500) -> RecordBuilder {
        var builder = RecordBuilder()
        builder.record.itemRequests = [ItemRequestRecord(person: maria, item: item, at: .seconds(seconds))]
        return builder
    }

    @Test func `with somebody's token is asked for what they watch, and for nothing that others watch`() {
        #expect(broken(makeAsked(for: RecordBuilder.request)) == [])
        #expect(broken(makeAsked(for: other)) == [.askedUnwatched])
        var builder = makeAsked(for: other)
        builder.record.watches.append(RecordBuilder.watch(other, by: RecordBuilder.jonas))
        #expect(broken(builder) == [.askedUnwatched])
    }

    @Test func `a to-do item of theirs names an item to them, from then on`() {
        for (done, isBroken) in [(400.0, false), (600, true)] {
            var builder = makeAsked(for: other)
            builder.activity(
                at: done,
                on: other,
                todos: [ActivityRecord.Todo(person: maria, id: 5, action: "mentioned")]
            )
            #expect(broken(builder) == (isBroken ? [.askedUnwatched] : []), "\(done)")
        }
    }
}
