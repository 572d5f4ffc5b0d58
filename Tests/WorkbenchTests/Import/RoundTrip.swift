import Harness
import JSON
import Platform
import ScenarioFixtures
import Scenarios

@testable import Verdict
@testable import Workbench

/// A scenario, what its operator would send of it, and the scenario that comes of that, both run.
struct RoundTrip {
    /// What one of the two runs came to.
    struct Side {
        /// Later than any news may be, but for what the owner of most of its time excuses.
        private static let late = Duration.minutes(2).wholeNanoseconds
        /// A cycle: which second of it a notifier polls at stands in no report, and decides what of it a fault still meets.
        private static let phase = Duration.seconds(30).wholeNanoseconds

        var expected = 0
        var missed: [String: Int] = [:]
        var duplicates = 0
        var unexpected = 0
        var late: [String: Int] = [:]
        /// How much is late whichever phase polls have, and how much could be, by owner.
        var surelyLate: [String: Int] = [:]
        var perhapsLate: [String: Int] = [:]
        var median: Int64 = 0
        var requests = 0
        /// Nothing of what a person had silenced is expected: how much for which reason.
        var silenced: [String: Int] = [:]

        /// What each person was told of turns and by programs, sorted: how much of which kind.
        var turns: [String] = []

        init(_ record: RunRecord) {
            let lines = Assessment.ledger(record)
            let required = lines.filter { $0.standing == "expected" }
            expected = required.count
            for line in required where line.abnormal.contains("missed") {
                missed[line.cause ?? "none", default: 0] += 1
            }
            duplicates = lines.count { $0.abnormal.contains("duplicate") }
            unexpected = lines.count { $0.abnormal.contains("unexpected") }
            late = Self.owners(of: required, over: Self.late)
            let first = required.first { ($0.latencyNanoseconds ?? 0) > Self.late }?.atNanoseconds ?? 0
            let met = required.filter { $0.atNanoseconds > first + Self.phase }
            surelyLate = Self.owners(of: met, over: Self.late + Self.phase)
            perhapsLate = Self.owners(of: required, over: Self.late - Self.phase)
            let unmet = required.count { ((first - Self.phase)..<first).contains($0.atNanoseconds) }
            perhapsLate = perhapsLate.mapValues { $0 + unmet }
            for line in lines where line.standing == "not-for-them" {
                guard let reason = line.reason, ["muted", "actor-denied"].contains(reason) else { continue }
                silenced[reason, default: 0] += 1
            }
            let pushes = Dictionary(grouping: record.pushes) { $0.person?.text ?? "" }.values.map { pushes in
                let kinds = pushes.compactMap { $0.content?.type }.filter {
                    ["duty", "reminder", "signal"].contains($0)
                }
                return Dictionary(kinds.map { ($0, 1) }, uniquingKeysWith: +).map { "\($0) \($1)" }.sorted()
                    .joined(separator: ", ")
            }
            turns = pushes.sorted()
            let latencies = required.compactMap(\.latencyNanoseconds).sorted()
            median = latencies.isEmpty ? 0 : latencies[latencies.count / 2]
            requests = Assessment.assess(record).whole.requestsGitLab
        }

        /// How much came later than that, by who owns most of its time.
        private static func owners(of lines: [LedgerLine], over nanoseconds: Int64) -> [String: Int] {
            lines.filter { ($0.latencyNanoseconds ?? 0) > nanoseconds }.reduce(into: [:]) { counts, line in
                let owners = (line.owners ?? [:]).sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                counts[owners.first?.key ?? "none", default: 0] += 1
            }
        }
    }

    var original: Side
    var imported: Side
    /// The scenario that came of it.
    var text: String

    /// - Parameters:
    ///   - scenario: as it stands in the library.
    ///   - isReported: whether everybody who missed something says so.
    /// - Throws: What running and importing throw.
    init(_ scenario: Scenario, isReported: Bool = false) throws {
        var options = RunOptions()
        options.exportsIncident = true
        let outcome = try ScenarioRun.perform(try scenario.plan(seed: scenario.seed), options: options)
        var lines = outcome.incidentLines
        if isReported { lines += try Self.reports(Assessment.ledger(outcome.record), scenario, lines) }
        let bundle = try IncidentBundle(bytes: Array(lines.map { $0 + "\n" }.joined().utf8))
        text = try IncidentScenario(bundle, name: "imported").text()
        let read = try ScenarioReader.read(Array(text.utf8), file: "imported.json")
        original = Side(outcome.record)
        imported = Side(try ScenarioRun.perform(try read.plan(seed: read.seed)).record)
    }

    /// What those say who missed something, as `export-incident --missed` puts it: in the order in which people and items of a scenario
    /// with one project are numbered.
    private static func reports(_ ledger: [LedgerLine], _ scenario: Scenario, _ lines: [String]) throws -> [String] {
        let people = scenario.world.people.filter { $0.notified != nil }.map(\.username.text)
        let items = scenario.world.itemReferences.sorted().map(\.description)
        precondition(lines.count { $0.hasPrefix(#"{"kind":"item""#) } == items.count, "every item is in the bundle")
        return ledger.filter { $0.abnormal.contains("missed") }.compactMap { line in
            guard let person = people.firstIndex(of: line.person),
                let item = line.item.flatMap({ items.firstIndex(of: $0) })
            else { return nil }
            let at = scenario.start.microseconds + line.atNanoseconds / 1_000
            return #"{"kind":"report","account":\#(person + 1),"item":\#(item + 1),"at":\#(at)}"#
        }
    }
}
