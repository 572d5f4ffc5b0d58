import Platform
import ScenarioFixtures
import Scenarios
import Testing

@testable import Verdict

/// What a record says of choices that their devices kept, or said they could not keep.
struct ChoiceChecksTests {
    /// A run of ten hours.
    private func broken(_ change: (inout RecordBuilder) -> Void) -> [ViolationRecord.Invariant] {
        var builder = RecordBuilder()
        change(&builder)
        return Assessment.assess(builder.record).violations.map(\.invariant)
    }

    private func choice(at seconds: Int, reachableSince reachable: Int = 0) -> UnansweredChoiceRecord {
        UnansweredChoiceRecord(
            person: RecordBuilder.maria,
            device: RecordBuilder.phone,
            what: "about team/backend!847",
            chosenAt: .seconds(seconds),
            reachableSince: .seconds(reachable)
        )
    }

    @Test func `what was kept and said not to be is mistold`() {
        for wasKept in [false, true] {
            let found = broken { builder in
                builder.record.refusedChoices = [
                    RefusedChoiceRecord(
                        person: RecordBuilder.maria,
                        device: RecordBuilder.phone,
                        what: "team/backend!847",
                        at: .seconds(600),
                        wasKept: wasKept
                    )
                ]
            }
            #expect(found == (wasKept ? [.choiceMistold] : []))
        }
    }

    @Test func `a choice that is never answered is stuck once its device could have sent it`() {
        #expect(broken { $0.record.unansweredChoices = [choice(at: 600)] } == [.choiceStuck])
        #expect(broken { $0.record.unansweredChoices = [choice(at: 35_000)] }.isEmpty)
        #expect(broken { $0.record.unansweredChoices = [choice(at: 600, reachableSince: 35_000)] }.isEmpty)
    }

    @Test func `nothing that could not be sent or answered is stuck`() {
        let late = Span(from: .seconds(30_000), until: .seconds(35_000))
        let excuses: [(inout RecordBuilder) -> Void] = [
            { $0.fault(.gitlabOutage, id: "outage", from: 30_000, until: 35_000) },
            { $0.record.downtimes = [late] },
            { $0.record.registrations[0].tokenDead = [late] },
            { $0.record.registrations[0].blocked = [late] },
        ]
        for excuse in excuses {
            let found = broken { builder in
                builder.record.unansweredChoices = [choice(at: 600)]
                excuse(&builder)
            }
            #expect(!found.contains(.choiceStuck))
        }
    }
}
