import FoundationEssentials
import JSON
package import Scenarios

/// A report, read from its files to be compared with another.
package struct ComparedReport: Sendable, Equatable {
    /// The folder, as it was named.
    package let path: String
    let summary: ComparedSummary
    /// Those that came to their end or crashed, by seed.
    let seeds: [UInt64: ComparedSeed]
    /// Causes of misses, as far as the ledger names them.
    let causes: [MissedPlace: String]

    /// One expected notification of one seed.
    package struct MissedPlace: Hashable, Sendable {
        package var seed: UInt64
        /// Its number in the ledger.
        package var activity: Int
        package var person: String
    }

    /// More seeds than these are not compared: their histograms are in memory together.
    package static let maximumSeeds = 10_000
    private static let ledgerLines = 100_000

    /// Reads a report.
    ///
    /// - Parameter path: the folder, or its `summary.json`.
    /// - Throws: `ReportError` for what is no report, half of one, a damaged one, or one of a newer format; `ComparisonError` for one of too
    ///   many seeds.
    package init(_ path: String) throws {
        var folder = path
        if folder.hasSuffix("/summary.json") || folder == "summary.json" {
            folder = String(folder.dropLast("summary.json".count))
            folder = folder.isEmpty ? "." : folder
        }
        while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        let reader = try ReportReader(folder, needing: ["summary.json", "seeds.jsonl"])
        let version: FormatVersion = try reader.decoded("summary.json")
        guard version.schemaVersion <= SummaryFile.schemaVersion else {
            throw ReportError.newer(path: "\(folder)/summary.json", version: version.schemaVersion)
        }
        let summary: ComparedSummary = try reader.decoded("summary.json")
        guard summary.seeds.count <= Self.maximumSeeds else {
            throw ComparisonError.tooManySeeds(path: folder, count: summary.seeds.count)
        }
        self.path = folder
        self.summary = summary
        seeds = try Self.seeds(reader, of: summary)
        causes = try Self.causes(reader)
    }

    init(path: String, summary: ComparedSummary, seeds: [ComparedSeed], causes: [MissedPlace: String] = [:]) {
        self.path = path
        self.summary = summary
        self.seeds = Dictionary(seeds.map { ($0.seed, $0) }) { first, _ in first }
        self.causes = causes
    }

    /// Whether a run of the scenario with these seeds can be held against this.
    ///
    /// - Throws: `ComparisonError` when it cannot.
    package func check(_ scenario: Scenario, seeds: ClosedRange<UInt64>) throws(ComparisonError) {
        guard summary.scenario == scenario.name else { throw .differentScenarios(scenario.name, summary.scenario) }
        if let world = summary.world, world != scenario.worldDigest {
            throw .differentWorlds(scenario: scenario.name)
        }
        guard seeds.count <= Self.maximumSeeds else {
            throw .tooManySeeds(path: "the run", count: seeds.count)
        }
        guard self.seeds.keys.contains(where: seeds.contains) else {
            let all = "\(seeds.lowerBound)-\(seeds.upperBound)"
            throw .noCommonSeeds(all, FigureText.seeds(self.seeds.keys.sorted()))
        }
    }

    /// Whether this is the report of that very scenario, with its settings, under these seeds and by this build.
    package func isReport(of scenario: Scenario, seeds: ClosedRange<UInt64>, build: String) -> Bool {
        let settings = JSONValue.object(scenario.notifier.values).text(indented: false)
        let expected = try? JSONDecoder().decode([String: SettingValue].self, from: Data(settings.utf8))
        return summary.scenario == scenario.name && summary.world == scenario.worldDigest && summary.build == build
            && summary.seeds.elementsEqual(seeds) && summary.settings == expected
    }

    /// Whether the scenario's requirements are the ones that it judges.
    package func judges(_ scenario: Scenario) -> Bool { summary.gates.map(\.rule) == scenario.expectations.map(\.rule) }

    private struct FormatVersion: Decodable { var schemaVersion: Int }

    private static func seeds(_ reader: ReportReader, of summary: ComparedSummary) throws -> [UInt64: ComparedSeed] {
        let expected = Set(summary.seeds)
        var seeds: [UInt64: ComparedSeed] = [:]
        try reader.eachValue(of: "seeds.jsonl") { (number, line: SeedLine) in
            let damage = ReportError.damaged(path: "\(reader.folder)/seeds.jsonl", line: number)
            guard line.schemaVersion <= SeedLines.schemaVersion else {
                throw ReportError.newer(path: "\(reader.folder)/seeds.jsonl", version: line.schemaVersion)
            }
            guard expected.contains(line.seed), seeds[line.seed] == nil, let seed = ComparedSeed(line) else {
                throw damage
            }
            seeds[line.seed] = seed
        }
        guard seeds.count == expected.count else {
            throw ReportError.damaged(path: "\(reader.folder)/seeds.jsonl", line: seeds.count + 1)
        }
        return seeds
    }

    /// A baseline may be kept without its ledger.
    private static func causes(_ reader: ReportReader) throws -> [MissedPlace: String] {
        guard reader.has("ledger.jsonl") else { return [:] }
        var causes: [MissedPlace: String] = [:]
        try reader.eachValue(of: "ledger.jsonl") { (_, line: LedgerLine) in
            guard causes.count < ledgerLines, let activity = line.activity, let cause = line.cause else { return }
            causes[MissedPlace(seed: line.seed, activity: activity, person: line.person)] = cause
        }
        return causes
    }
}

/// `summary.json` as far as a comparison needs it.
struct ComparedSummary: Decodable, Sendable, Equatable {
    struct Gate: Decodable, Sendable, Equatable {
        var rule: String
        var verdict: Verdict
    }

    var scenario: String
    var build: String
    var seeds: [UInt64]
    var gates: [Gate]
    /// Nil in reports of older programs.
    var world: String?
    var settings: [String: SettingValue]?
}

/// A setting as a report tells it, to be shown and to be compared.
enum SettingValue: Decodable, Sendable, Equatable, CustomStringConvertible {
    case text(String)
    case number(Double)
    case flag(Bool)
    case list([String])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else {
            self = .list(try value.decode([String].self))
        }
    }

    var description: String {
        switch self {
        case .text(let text): text
        case .number(let number): number == number.rounded() ? FigureText.decimal(number, 0) : "\(number)"
        case .flag(let flag): "\(flag)"
        case .list(let values): "[\(values.joined(separator: ", "))]"
        }
    }
}
