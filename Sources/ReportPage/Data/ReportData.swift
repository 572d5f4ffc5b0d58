import Verdict

/// Everything the page shows, read from the files of a report. Of equal files it is equal; nothing is read from anywhere else.
package struct ReportData: Sendable {
    /// Of each seed's figures this is kept; the rest is added up.
    let summary: SummaryData
    private(set) var seeds: [SeedFigures] = []
    private(set) var latency = PooledHistogram()
    private(set) var excess = PooledHistogram()
    /// In alphabetical order.
    var people: [PersonFigures] { byName.values.sorted { $0.name < $1.name } }
    private var byName: [String: PersonFigures] = [:]
    /// Expected notifications that no line of a seed lists.
    private(set) var deliveriesLeftOut = 0
    /// Abnormal lines of the ledger: at most ``abnormalKept`` of each kind, and the first of as many seeds.
    private(set) var abnormal: [LedgerLine] = []
    private var seedsWithLines: Set<UInt64> = []
    /// How many lines there are of each kind of trouble.
    private(set) var abnormalCounts: [String: Int] = [:]
    /// Nil when the report has none, as older ones.
    let timeline: RunTimeline?
    /// Files that the folder has, sorted.
    let files: [String]

    /// Lines of each kind of trouble that are kept, the first ones.
    static let abnormalKept = 200

    /// Reads a report.
    ///
    /// - Throws: `ReportError` for what is no report, half of one, a damaged one, or one of a newer format.
    package init(folder: String) throws {
        let reader = try ReportReader(folder)
        summary = try reader.value(of: "summary.json", knownVersion: SummaryData.knownVersion)
        timeline =
            reader.has("timeline.json")
            ? try reader.value(of: "timeline.json", knownVersion: RunTimeline.currentVersion) : nil
        files = Self.names.filter { reader.has($0) }
        try reader.eachValue(of: "seeds.jsonl") { number, line in try add(line, number, folder) }
        try reader.eachValue(of: "ledger.jsonl") { _, line in add(line) }
        try timeline?.check(in: folder)
    }

    private mutating func add(_ line: SeedLine, _ number: Int, _ folder: String) throws {
        guard line.schemaVersion <= SummaryData.knownVersion else {
            throw ReportError.newer(path: "\(folder)/seeds.jsonl", version: line.schemaVersion)
        }
        seeds.append(SeedFigures(line))
        if let histograms = line.histograms {
            latency.add(histograms.latency)
            excess.add(histograms.excessLatency)
        }
        guard let deliveries = line.deliveries else { return }
        deliveriesLeftOut += deliveries.leftOut
        for row in deliveries.rows {
            guard row.count == 4, let person = row[1], deliveries.people.indices.contains(Int(person)) else {
                throw ReportError.damaged(path: "\(folder)/seeds.jsonl", line: number)
            }
            change(deliveries.people[Int(person)]) { figures in
                figures.expected += 1
                if let known = row[2] { figures.known.add(known) } else { figures.missed += 1 }
            }
        }
    }

    private mutating func add(_ line: LedgerLine) {
        for what in line.abnormal {
            abnormalCounts[what, default: 0] += 1
            change(line.person) { figures in
                if what == "duplicate" { figures.duplicates += 1 }
                if what == "unexpected" { figures.unexpected += 1 }
                if what == "late" { figures.late += 1 }
            }
        }
        guard let first = line.abnormal.first else { return }
        let isFirstOfSeed = seedsWithLines.count < Self.abnormalKept && seedsWithLines.insert(line.seed).inserted
        if isFirstOfSeed || (abnormalCounts[first] ?? 0) <= Self.abnormalKept { abnormal.append(line) }
    }

    private mutating func change(_ name: String, _ body: (inout PersonFigures) -> Void) {
        body(&byName[name, default: PersonFigures(name: name)])
    }

    /// What a report's folder can hold, and what it is.
    static let contents: [(name: String, what: String)] = [
        ("summary.json", "the verdict and all figures, for programs"),
        ("seeds.jsonl", "the figures of each seed, a line each"),
        ("ledger.jsonl", "a line per activity and person, abnormal ones first; for several seeds the abnormal ones"),
        ("timeline.json", "how the seed that is told in detail went over its time"),
        ("trace.jsonl", "everything that happened under that seed"),
        ("scenario.resolved.json", "that seed's scenario with every choice made; a scenario itself"),
        ("junit.xml", "a test case for each requirement"), ("summary.md", "a few lines for a merge request"),
        ("metrics.txt", "figures in OpenMetrics"),
        ("metrics-series.txt", "the notifier's own metrics over virtual time"),
        ("shard.json", "which part of a run this is"), ("shard-results.jsonl", "what simctl merge needs"),
    ]

    private static var names: [String] { contents.map(\.name) }
}

extension ReportReader {
    /// A file that is one JSON value with a version.
    fileprivate func value<Value: Decodable>(of name: String, knownVersion: Int) throws -> Value {
        let version: VersionData = try decoded(name)
        guard version.schemaVersion <= knownVersion else {
            throw ReportError.newer(path: "\(folder)/\(name)", version: version.schemaVersion)
        }
        return try decoded(name)
    }
}

extension RunTimeline {
    /// Positions that lie outside the columns would be drawn outside the picture.
    fileprivate func check(in folder: String) throws {
        let isSound =
            slots.count == Self.columns && lengthMilliseconds > 0 && columnMilliseconds > 0
            && points.count <= Self.columns * LatencyRows.count && cells.count <= Self.columns * LatencyRows.count
            && cells.allSatisfy { (0..<Self.columns).contains($0.column) && (0..<LatencyRows.count).contains($0.row) }
        guard isSound else { throw ReportError.damaged(path: "\(folder)/timeline.json", line: 1) }
    }
}
