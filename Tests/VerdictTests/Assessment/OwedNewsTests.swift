import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

/// What had to go to the next token of a device, as APNs had ended the former one, as long as nobody may have read it.
struct OwedNewsTests {
    private typealias Todo = ActivityRecord.Todo

    /// A mention at 100 s is refused at 130 s, and the notifier takes another token at 6,000 s.
    private func makeMention(_ todo: Todo) -> RecordBuilder {
        var builder = RecordBuilder(simulated: 200_000)
        builder.record.deviceSpans.removeAll { $0.device == RecordBuilder.mac }
        builder.activity(at: 100, noteID: 41, todos: [todo])
        builder.enqueue(["note/7/41"], at: 129)
        builder.push(["note/7/41"], at: 130, status: 410, reason: "Unregistered")
        builder.record.pushTokenChanges = [
            PushTokenChangeRecord(person: RecordBuilder.maria, device: RecordBuilder.phone, at: .seconds(6_000))
        ]
        return builder
    }

    private func cause(_ builder: RecordBuilder) -> String? {
        Assessment.ledger(builder.record).first { $0.abnormal.contains("missed") }?.cause
    }

    @Test func `what leaves the list of to-do items is read, also when it comes back`() {
        var todo = Todo(person: RecordBuilder.maria, id: 71, action: "mentioned")
        let pending = makeMention(todo)
        #expect(cause(pending) == "rejected")
        var asleep = pending
        let sleep = Action.todo(.snooze(RecordBuilder.request, length: .seconds(30)), by: RecordBuilder.maria)
        asleep.record.resolved.steps.append(
            Step(
                sequence: 0,
                offset: .seconds(1_000),
                event: .action(ResolvedAction(action: sleep, template: ActionTemplate(kind: .todoSnooze)))
            )
        )
        #expect(cause(asleep) == "dead-token")
        var keptOut = pending
        let span = Span(from: .seconds(2_000), until: .seconds(3_000))
        keptOut.record.registrations[0].noAccess = [(project: RecordBuilder.backend, span: span)]
        #expect(cause(keptOut) == "dead-token")
        var behind = pending
        let lag = FaultEffect.replicaLag(.seconds(1_000), ratio: .one)
        behind.fault(.replicaLag, id: "lag", from: 500, until: 900, effect: lag)
        #expect(cause(behind) == "dead-token")
        todo.resolve(at: .seconds(1_000))
        todo.restore(at: .seconds(2_000))
        #expect(cause(makeMention(todo)) == "dead-token")
    }

    @Test func `what was made while there was no token is owed to the next one, unless somebody may have read it`() {
        var todo = Todo(person: RecordBuilder.maria, id: 71, action: "mentioned")
        func cause(_ todo: Todo, isTaken: Bool = true) -> String? {
            var builder = makeMention(todo)
            builder.record.pushes = []
            builder.push([], at: 20, id: "n0", status: 410, reason: "Unregistered")
            if isTaken { builder.push([], at: 6_100, id: "n2") }
            return self.cause(builder)
        }
        #expect(cause(todo) == "never-attempted")
        #expect(cause(todo, isTaken: false) == "no-active-device", "nobody knows whether the next one was good")
        todo.resolve(at: .seconds(1_000))
        todo.restore(at: .seconds(2_000))
        #expect(cause(todo) == "no-active-device")
    }
}
