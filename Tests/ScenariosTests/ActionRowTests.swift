import Configuration
import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios

/// What the rows of the table make of a template whose choices are made.
struct ActionRowTests {
    /// A template that says everything, and nothing twice.
    private func certain(_ kind: ActionKind) throws -> ActionTemplate {
        let project = try #require(ProjectPath("team/backend"))
        let isIssue = kind.target == .newItem(.issue)
        let item = ItemReference(project: project, kind: isIssue ? .issue : .mergeRequest, iid: 7)
        return ActionTemplate(
            kind: kind,
            by: .oneOf([Fixture.username("maria")]),
            on: .oneOf([item]),
            user: .oneOf([Fixture.username("ben")]),
            bodies: ["Ready?"],
            duty: "triage",
            project: project,
            count: 3,
            text: "Cache",
            status: .failed,
            length: .seconds(90),
            quietHours: QuietHours(zone: .utc, weekdays: [1], from: 0, until: 60, letsUrgentThrough: true),
            due: CivilDate(year: 2026, month: 3, day: 9),
            word: .runFailed,
            edit: WorldDuty.Edit(leadHours: 10),
            kinds: [.states, .comments, .states],
            commands: [.markDraft, .close]
        )
    }

    @Test func `no two rows make the same action`() throws {
        var kinds: [String: ActionKind] = [:]
        for kind in ActionKind.allCases {
            let resolved = try certain(kind).resolved()
            let former = kinds.updateValue(kind, forKey: "\(resolved.action)")
            #expect(former == nil, "\(kind) makes what \(String(describing: former)) makes")
        }
    }

    @Test(arguments: ActionKind.allCases)
    func `a row makes no action while a choice is open`(kind: ActionKind) throws {
        #expect(throws: OpenChoice.self) { try ActionTemplate(kind: kind).resolved() }
        var template = try certain(kind)
        let people = [Fixture.username("maria"), Fixture.username("ben")]
        if template.kind.form.keys.contains(.by) {
            template.by = .oneOf(people)
        } else {
            template.user = .oneOf(people)
        }
        #expect(throws: OpenChoice.self) { try template.resolved() }
    }

    @Test(arguments: ActionKind.allCases)
    func `an action says which activity it leads to just when it happens to an item or is a program's`(kind: ActionKind)
    {
        let happensToItem =
            switch kind.target {
            case .item, .newItem: true
            case .program: kind == .signal
            case .commit, .milestone, .todos, .access, .token, .registration, .watchList, .app, .duty, .device: false
            }
        #expect((kind.activity != nil) == happensToItem)
    }

    @Test func `kinds are chosen each once, by the names that the notifier has for them`() throws {
        let chosen = try certain(.chooseKinds).resolved().action
        #expect(chosen == .app(.kinds([.comments, .states]), by: Fixture.username("maria")))
        let known = Configuration::ActivityKind.allCases.map(\.rawValue).sorted()
        #expect(NotifiedKind.allCases.map(\.rawValue) == known)
    }

    @Test func `a plan writes kinds and hours as they were read`() throws {
        let choices = [
            #"{"at": "1h", "action": "choose-kinds", "by": "@maria", "kinds": ["states", "labels"]}"#,
            #"{"at": "2h", "action": "due-lead", "by": "@maria", "leadHours": 40}"#,
        ]
        for choice in choices {
            let plan = try makeScenario(timeline: choice).plan(seed: 1)
            let again = try ScenarioReader.read(Array(plan.json.utf8), file: "made.json")
            #expect(try again.plan(seed: 2).steps == plan.steps)
        }
        #expect(throws: InvalidScenario.self) {
            try makeScenario(
                timeline: #"{"at": "1h", "action": "choose-kinds", "by": "@maria", "kinds": []}"#
            )
        }
    }

    @Test func `a build may be for another environment, and is for the same where nothing is said`() throws {
        var template = try certain(.pushTokenChange)
        for environment in [nil, Device.Environment.sandbox] {
            template.environment = environment
            let maria = Fixture.username("maria")
            let expected = Action.device(.changePushToken(to: environment), by: maria, device: nil)
            #expect(try template.resolved().action == expected)
        }
    }

    @Test func `a plan writes the environment of a build as it was read`() throws {
        let change = #"{"at": "1h", "action": "push-token-change", "by": "@maria", "environment": "development"}"#
        let plan = try makeScenario(timeline: change).plan(seed: 1)
        let again = try ScenarioReader.read(Array(plan.json.utf8), file: "made.json")
        #expect(try again.plan(seed: 2).steps == plan.steps)
        #expect(plan.steps.count == 1)
    }

    @Test(arguments: [
        ("", PushAim.everybody), (#""person": "@maria", "#, PushAim(person: Fixture.username("maria"))),
        (
            #""person": "@maria", "device": "phone", "#,
            PushAim(person: Fixture.username("maria"), device: Fixture.device("phone"))
        ),
    ])
    func `a plan writes at whose pushes a fault is aimed`(members: String, target: PushAim) throws {
        let fault =
            #"{"at": "1h", "fault": "apns-reason", "reason": "BadPath", \#(members)"for": "1m", "ratio": "10%"}"#
        let plan = try makeScenario(timeline: fault).plan(seed: 1)
        let again = try ScenarioReader.read(Array(plan.json.utf8), file: "made.json").plan(seed: 1)
        for steps in [plan.steps, again.steps] {
            guard case .fault(let fault)? = steps.first?.event else {
                Issue.record("there is no fault")
                return
            }
            #expect(fault.effect.pushTarget == target && fault.effect.kind == .apnsReason)
        }
    }

    @Test func `what is settled has a name, and anything else may do without`() throws {
        var template = try certain(.signal)
        template.text = nil
        #expect(
            try template.resolved().action
                == .program(.say(.runFailed, name: nil, run: nil), of: Fixture.username("maria"))
        )
        template.word = .settled
        #expect(throws: OpenChoice(key: .name)) { try template.resolved() }
    }
}
