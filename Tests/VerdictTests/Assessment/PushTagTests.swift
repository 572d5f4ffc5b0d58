import ScenarioFixtures
import Scenarios
import Testing

@testable import Verdict

/// Whether a push of a mention says rightly that its reader watches the item, or does not. It is made at 100 s and pushed at 131 s.
struct PushTagTests {
    private func found(
        isNewMention: Bool,
        isAsked: Bool = true,
        by change: (inout RecordBuilder) -> Void = { _ in }
    ) -> [String] {
        let member = Person(
            username: RecordBuilder.maria,
            name: "Maria",
            notified: NotifiedPerson(
                devices: [Device(name: RecordBuilder.phone)],
                watches: isAsked ? [RecordBuilder.request] : []
            )
        )
        var world = RecordBuilder.makeWorld()
        world.people[0] = member
        var builder = RecordBuilder(world: world)
        let todo = ActivityRecord.Todo(person: RecordBuilder.maria, id: 61, action: "mentioned")
        builder.activity(at: 100, noteID: 41, todos: [todo])
        builder.record.activities[0].body = "Look at this."
        builder.push(["todo/61"], at: 131)
        var content = RecordBuilder.content(["todo/61"], id: "n1")
        content.title = "Jonas mentioned you on MR !847"
        content.text = "Retry logic\nLook at this."
        content.label = PushLabel(type: "activity", actionType: "mentioned", actor: "Jonas", count: 1)
        content.label?.isNewMention = isNewMention
        builder.record.pushes[0].content = content
        change(&builder)
        return Assessment.assess(builder.record).violations.filter { $0.invariant == .pushMisstates }.map(\.detail)
    }

    @Test func `who watches the item is not offered to watch it`() {
        #expect(found(isNewMention: false).isEmpty)
        #expect(found(isNewMention: true).map { $0.contains("its reader does not watch the item") } == [true])
    }

    @Test func `who never watched the item is offered to`() {
        #expect(found(isNewMention: true, isAsked: false) { $0.record.watches = [] }.isEmpty)
        let other = found(isNewMention: false, isAsked: false) { $0.record.watches = [] }
        #expect(other.map { $0.contains("its reader watches the item") } == [true])
    }

    @Test func `nothing is certain of what was watched later, no more, or may have been asked for`() {
        #expect(found(isNewMention: false) { $0.record.watches = [] }.isEmpty)
        #expect(found(isNewMention: true) { $0.record.watches[0].activeFrom = .seconds(110) }.isEmpty)
        #expect(found(isNewMention: true) { $0.record.watches[0].endRequestedAt = .seconds(120) }.isEmpty)
        #expect(found(isNewMention: true) { $0.fault(.clockStep, id: "step", from: 20, until: 30) }.isEmpty)
        #expect(found(isNewMention: true) { $0.record.registrations.append($0.record.registrations[0]) }.isEmpty)
    }
}
