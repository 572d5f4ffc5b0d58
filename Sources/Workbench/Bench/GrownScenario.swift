import JSON
import Platform
import Scenarios

/// Multiplies what a scenario holds, to see how the cost of a run grows with it.
///
/// Poll intervals and the request budget are fixed in every variant, the original included: otherwise the notifier would
/// rightly poll many items less often, and the growth would look better than it is.
enum GrownScenario {
    /// The scenario itself under the conditions of the comparison.
    static func baseline(_ scenario: Scenario) -> Scenario {
        var baseline = scenario
        for key in ["intervalSmall", "intervalMedium", "intervalLarge"] { baseline.notifier[key] = .string("1m") }
        // An app that puts so many items on its list at once would be slowed down, too.
        for key in ["requestsPerHour", "requestsPerMinute"] { baseline.notifier[key] = .integer(1_000_000) }
        baseline.expectations = []
        baseline.probes = []
        return baseline
    }

    /// With so many times the items in every project, each watched by whoever watched the original.
    static func withItems(_ scenario: Scenario, times factor: Int) -> Scenario {
        var grown = baseline(scenario)
        for index in grown.world.projects.indices {
            grown.world.projects[index].items = copies(of: grown.world.projects[index].items, times: factor)
        }
        for index in grown.world.people.indices {
            guard var notified = grown.world.people[index].notified else { continue }
            notified.watches = notified.watches.flatMap { watched in
                copyNumbers(of: watched, in: scenario, times: factor).map { iid in
                    ItemReference(project: watched.project, kind: watched.kind, iid: iid)
                }
            }
            grown.world.people[index].notified = notified
        }
        return grown
    }

    /// With so many times the people who are notified, each copy watching what the original watches.
    static func withPeople(_ scenario: Scenario, times factor: Int) -> Scenario {
        var grown = baseline(scenario)
        let notified = grown.world.people.filter { $0.notified != nil }
        for person in notified {
            for number in 1..<factor {
                guard let username = Username("\(person.username.text)-\(number)") else { continue }
                var copy = person
                copy.username = username
                grown.world.people.append(copy)
                for index in grown.world.projects.indices {
                    add(username, like: person, to: &grown.world.projects[index])
                }
            }
        }
        return grown
    }

    private static func add(_ username: Username, like person: Person, to project: inout Project) {
        guard let member = project.members.first(where: { $0.username == person.username }) else { return }
        project.members.append(Member(username: username, role: member.role))
    }

    private static func copies(of items: [Item], times factor: Int) -> [Item] {
        items.flatMap { item in
            numbers(of: item, among: items, times: factor).map { iid in
                var copy = item
                copy.iid = iid
                return copy
            }
        }
    }

    private static func copyNumbers(of watched: ItemReference, in scenario: Scenario, times factor: Int) -> [Int64] {
        let items = scenario.world.project(watched.project)?.items ?? []
        guard let item = items.first(where: { $0.kind == watched.kind && $0.iid == watched.iid }) else {
            return [watched.iid]
        }
        return numbers(of: item, among: items, times: factor)
    }

    /// The item's own number, then numbers beyond all others of its kind.
    private static func numbers(of item: Item, among items: [Item], times factor: Int) -> [Int64] {
        let stride = items.map(\.iid).max() ?? 0
        return (0..<Int64(factor)).map { item.iid + $0 * stride }
    }
}
