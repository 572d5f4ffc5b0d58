/// Several settings of one scenario on the same worlds: what each costs and brings, and which to take.
package struct Sweep: Sendable {
    /// Of the intervals in the table, each by itself.
    package static let confidence = 0.95
    /// With fewer seeds the table's intervals would not hold (statistics §5).
    package static let fewestSeeds = PairedDifferences.enoughForMeans

    /// How a setting stands to a bound.
    package enum Standing: Sendable, Equatable {
        /// By all seeds together, and proven to be kept by more than half of all seeds like these.
        case kept
        /// Seen, but more seeds are needed to prove it.
        case unproven
        /// By all seeds together.
        case broken
    }

    /// Names of the varied keys.
    package let keys: [String]
    package let scenario: String
    package let seeds: [UInt64]
    package let points: [SweepPoint]
    package let wants: [SweepWant]
    /// For each of `SweepFigure.compared`.
    package let fronts: [ParetoFront]
    /// For each point, the worst of all wants.
    package let standings: [Standing]
    /// The cheapest that keeps all wants; nil without a want, or without such a setting.
    package let recommended: Int?
    /// Others that keep them and are not proven to ask more.
    let asCheap: [Int]

    /// One combination of settings with the report of its seeds.
    package struct Entry {
        var settings: [String]
        var report: ComparedReport

        package init(settings: [String], report: ComparedReport) {
            self.settings = settings
            self.report = report
        }
    }

    /// - Throws: `ComparisonError` when the reports do not tell of the same worlds.
    package init(keys: [String], _ entries: [Entry], wants: [SweepWant]) throws(ComparisonError) {
        precondition(!entries.isEmpty, "a sweep has a setting")
        for entry in entries.dropFirst() { _ = try PairedSeeds(entries[0].report, entry.report) }
        self.keys = keys
        self.wants = wants
        scenario = entries[0].report.summary.scenario
        seeds = entries[0].report.seeds.keys.sorted()
        let points = entries.map { entry in
            SweepPoint(settings: entry.settings, report: entry.report, drawSeed: 0)
        }
        self.points = points
        fronts = SweepFigure.compared.map { ParetoFront(points, by: $0) }
        let standings = points.map { point in
            wants.map { Self.standing(of: point, to: $0, among: points.count) }.max { $0.rank < $1.rank } ?? .kept
        }
        self.standings = standings
        let keeping = points.indices.filter { points[$0].isFeasible && standings[$0] == .kept }
        let cheapest = keeping.min { points[$0].meanRequests < points[$1].meanRequests }
        recommended = wants.isEmpty ? nil : cheapest
        asCheap = keeping.filter { other in
            guard let cheapest, other != cheapest, !wants.isEmpty else { return false }
            return !Self.asksMore(points[other], than: points[cheapest])
        }
    }

    private static func standing(of point: SweepPoint, to want: SweepWant, among count: Int) -> Standing {
        guard let value = point.value(want.figure) else { return .unproven }
        guard value <= Double(want.milliseconds) else { return .broken }
        guard want.figure.rank != .longest else { return .kept }
        // Each seed by itself; one of so many settings is chosen (Bonferroni).
        let values = point.seeds.compactMap(want.figure.value)
        let keeping = values.count { $0 <= want.milliseconds }
        let risk = (1 - Self.confidence) / Double(count)
        return SeedMajority.isProven(keeping: keeping, of: values.count, risk: risk) ? .kept : .unproven
    }

    private static func asksMore(_ one: SweepPoint, than other: SweepPoint) -> Bool {
        let differences = PairedDifferences(zip(one.seeds, other.seeds).map { Double($0.requests - $1.requests) })
        return differences.interval(confidence: 1 - 2 * (1 - confidence)).map { $0.lower > 0 } ?? false
    }

    /// What it tells the caller.
    package var exitCode: ExitCode {
        guard points.contains(where: \.isFeasible) else { return .failed }
        guard !wants.isEmpty, recommended == nil else { return .met }
        let isOpen = points.indices.contains { points[$0].isFeasible && standings[$0] == .unproven }
        return isOpen ? .insufficientEvidence : .failed
    }

    /// What to take, in one sentence.
    package var sentence: String {
        guard points.contains(where: \.isFeasible) else { return "every setting fails a requirement of the scenario" }
        let all = wants.map(\.text).joined(separator: " and ")
        guard !wants.isEmpty else {
            let count = points.indices.count { index in fronts.contains { $0.marks[index] == .onFront } }
            return "\(count) of \(points.count) settings are on a front; --want \"excessLatency.p95 <= 60s\" picks one"
        }
        if let recommended {
            let others = asCheap.map { name($0) }.joined(separator: ", ")
            return "recommended for \(all): \(name(recommended)), the fewest requests of those that keep it"
                + (others.isEmpty ? "" : "; not proven to ask more: \(others)")
        }
        let open = points.indices.filter { points[$0].isFeasible && standings[$0] == .unproven }
        guard !open.isEmpty else { return "no setting keeps \(all)" }
        return "no setting is proven to keep \(all); with more seeds perhaps: "
            + open.map { name($0) }.joined(separator: ", ")
    }

    /// Such as `sweepInterval=20s perPage=50`.
    package func name(_ index: Int) -> String {
        zip(keys, points[index].settings).map { "\($0)=\($1)" }.joined(separator: " ")
    }
}

extension Sweep.Standing {
    fileprivate var rank: Int {
        switch self {
        case .kept: 0
        case .unproven: 1
        case .broken: 2
        }
    }
}

extension SweepPoint {
    fileprivate var meanRequests: Double { requests(confidence: Sweep.confidence).value }
}
