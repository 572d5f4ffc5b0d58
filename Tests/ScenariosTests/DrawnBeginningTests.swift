import Platform
import Testing

@testable import Scenarios

/// What stands in drawn worlds when their stories begin.
struct DrawnBeginningTests {
    private static let drawn = try? (UInt64(1)...400).map { try WorldGenerator.world(seed: $0).scenario }

    private static func worlds(with isMeant: (World) -> Bool) throws -> Int {
        try #require(drawn).filter { isMeant($0.world) }.count
    }

    private static func projects(with isMeant: (Project) -> Bool) throws -> Int {
        try worlds { $0.projects.contains(where: isMeant) }
    }

    private static func items(with isMeant: (Item) -> Bool) throws -> Int {
        try projects { $0.items.contains(where: isMeant) }
    }

    private static func users(with isMeant: (NotifiedPerson) -> Bool) throws -> Int {
        try worlds { $0.people.compactMap(\.notified).contains(where: isMeant) }
    }

    /// Whether somebody watches some of a project's items of a kind, and not all.
    private static func hasSingleWatches(_ world: World) -> Bool {
        let watches = world.people.compactMap(\.notified).map { Set($0.watches) }
        return world.projects.contains { project in
            ItemKind.allCases.contains { kind in
                let items = Set(project.items.filter { $0.kind == kind }.map { $0.reference(in: project.path) })
                return watches.contains { !$0.isDisjoint(with: items) && !$0.isSuperset(of: items) }
            }
        }
    }

    @Test func `what is around the notifier is drawn in a share of the worlds, and left alone in the others`() throws {
        let usual = GitLabWorld()
        let counts = [
            try Self.worlds { $0.gitlab.timeZoneOffset != .zero },
            try Self.worlds { $0.gitlab.latency != usual.latency },
            try Self.worlds { $0.gitlab.authenticatedLimit != nil },
            try Self.worlds { $0.gitlab.noteLimit != nil },
            try Self.worlds { $0.apns.latency != APNsWorld().latency },
            try Self.worlds { $0.apns.deviceLatency != APNsWorld().deviceLatency },
            try Self.worlds { $0.apiLatency != .constant(.milliseconds(30)) },
            try Self.worlds { $0.receipts != ReceiptHabits() },
        ]
        for count in counts { #expect((15...150).contains(count), "\(counts) of 400") }
    }

    @Test func `items have a past, and differ`() throws {
        let counts = [
            try Self.items { $0.kind == .mergeRequest && !$0.assignees.isEmpty },
            try Self.items { !$0.reviewers.isEmpty },
            try Self.items { !$0.labels.isEmpty },
            try Self.items { $0.isDraft },
            try Self.items { $0.isConfidential },
            try Self.items { $0.state == .closed },
            try Self.items { $0.state == .merged },
            try Self.items { (10...150).contains($0.oldNotes) },
            try Self.items { $0.oldNotes > 150 },
            try Self.projects { $0.items.count > 15 },
        ]
        for count in counts { #expect((4...240).contains(count), "\(counts) of 400") }
        #expect(try Self.items { $0.isDraft && $0.state == .merged } == 0)
        #expect(try Self.items { $0.oldNotes > 1_200 } == 0)
    }

    @Test func `people differ in their devices, tokens, projects and what they watch`() throws {
        let counts = [
            try Self.worlds { $0.people.contains(where: \.isBot) },
            try Self.worlds { world in world.projects.contains { $0.members.count < world.people.count } },
            try Self.users { $0.devices.count == 3 },
            try Self.users { $0.token.scopes.contains(.api) },
            try Self.worlds(with: Self.hasSingleWatches),
            try Self.worlds { world in
                world.duties.contains { if case .weekdays = $0.rhythm { true } else { false } }
            },
        ]
        for count in counts { #expect((8...300).contains(count), "\(counts) of 400") }
        // The notifier has nothing to do for somebody who may read nothing.
        #expect(
            try Self.users { $0.token.scopes.allSatisfy { ![.api, .readAPI].contains($0) } } == 0
        )
    }

    @Test func `nobody is asked for what they cannot see`() throws {
        for scenario in try #require(Self.drawn) {
            for project in scenario.world.projects {
                let readers = Set(project.members.filter { $0.role >= .reporter }.map(\.username))
                for item in project.items where item.kind == .mergeRequest || item.isConfidential {
                    #expect(readers.isSuperset(of: item.assignees + item.reviewers))
                    #expect(!item.reviewers.contains(item.author))
                }
            }
        }
    }

    @Test func `several people do something to one item within a second`() throws {
        let counts = try #require(Self.drawn).map { scenario in
            let done = scenario.timeline.compactMap { entry -> (at: Duration, item: ItemReference, by: Username)? in
                guard case .at(let instant) = entry.occurrence, case .action(let action) = entry.event,
                    case .oneOf(let items) = action.on, items.count == 1,
                    case .oneOf(let people) = action.by, people.count == 1
                else { return nil }
                return (instant, items[0], people[0])
            }
            return done.indices.filter { index in
                done[..<index].contains {
                    $0.item == done[index].item && $0.by != done[index].by
                        && abs(($0.at - done[index].at).wholeMilliseconds) < 1_000
                }
            }.count
        }
        #expect(counts.filter { $0 > 0 }.count >= 20, "\(counts.filter { $0 > 0 }.count) of 400")
    }

    private static func has(_ kind: ActionKind, of person: Username?, in scenario: Scenario) -> Bool {
        scenario.timeline.contains { entry in
            guard let person, case .at = entry.occurrence, case .action(let action) = entry.event else { return false }
            return action.kind == kind && (action.by ?? action.user)?.people == [person]
        }
    }

    @Test func `somebody has no device for a time, and somebody comes when all is under way`() throws {
        let scenarios = try #require(Self.drawn)
        let without = scenarios.filter { scenario in
            scenario.world.people.contains { person in
                Self.has(.removeDevice, of: person.username, in: scenario)
                    && Self.has(.deviceReplace, of: person.username, in: scenario)
            }
        }
        let newcomers = scenarios.filter { scenario in
            scenario.timeline.contains { entry in
                guard entry.occurrence == .at(.seconds(1)), case .action(let action) = entry.event,
                    action.kind == .loseAccess, let person = action.user?.people.first
                else { return false }
                return Self.has(.register, of: person, in: scenario)
                    && Self.has(.regainAccess, of: person, in: scenario)
            }
        }
        #expect(without.count >= 4, "\(without.count) of 400")
        #expect(newcomers.count >= 4, "\(newcomers.count) of 400")
    }
}
