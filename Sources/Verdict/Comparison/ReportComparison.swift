/// Two reports of one scenario, seed by seed over the same worlds: the first is what was, the second what is asked about.
package struct ReportComparison: Sendable {
    /// What follows for the second.
    package enum Conclusion: String, Sendable, CaseIterable {
        case better, worse
        case noLongerProven = "no-longer-proven"
        case noDifference = "no-difference"
        case tooFewSeeds = "too-few-seeds"
    }

    /// What a report is of.
    package struct Side: Sendable, Equatable {
        /// The folder, as it was named.
        package var path: String
        /// The commit of the program that ran it.
        package var build: String
        var settings: [String: SettingValue]?
    }

    /// A requirement that was judged otherwise.
    package struct ChangedGate: Sendable, Equatable {
        /// As the scenario writes it.
        package var rule: String
        /// What it was judged to be in each report.
        package var first: Verdict
        package var second: Verdict
    }

    /// All judged figures together hold at this confidence.
    static let confidence = 0.95
    /// The three figures, and all counts of what went wrong together (Bonferroni, statistics §4).
    static let judged = ComparedFigure.Kind.judged.count + 1
    /// Of each interval, so that all of them together have that confidence.
    package static var confidenceOfEach: Double { 1 - (1 - confidence) / Double(judged) }
    /// With fewer seeds nothing is concluded from figures.
    package static var fewestSeeds: Int { PairedDifferences.fewestSeeds(confidence: confidenceOfEach) }

    package let scenario: String
    package let first: Side
    package let second: Side
    /// Seeds in both reports.
    package let seeds: [UInt64]
    /// Those under which neither crashed.
    package let wholeSeeds: Int
    /// Those under which both behaved alike.
    package let identicalSeeds: Int
    /// Whether both have these seeds and no others; else gates are not compared.
    package let hasAllSeeds: Bool
    package let figures: [ComparedFigure]
    /// Without a verdict.
    package let plain: [ComparedFigure]
    /// What must never happen, each by itself.
    package let counts: [ComparedCount]
    /// Of how many notifications and reminders; without a verdict.
    package let expected: [ComparedCount]
    package let invariants: ComparedCount
    package let crashes: ComparedCount
    /// The longest latency of each seed: how often the second's is longer.
    package let longest: ComparedCount
    /// In milliseconds.
    package let longestOfAll: (first: Int64?, second: Int64?)
    package let gates: [ChangedGate]
    package let deliveries: DeliveryDifferences

    /// - Throws: `ComparisonError` when the reports do not tell of the same worlds.
    package init(_ first: ComparedReport, _ second: ComparedReport) throws(ComparisonError) {
        let paired = try PairedSeeds(first, second)
        scenario = first.summary.scenario
        self.first = Side(first)
        self.second = Side(second)
        seeds = paired.pairs.map(\.seed)
        wholeSeeds = paired.whole.count
        identicalSeeds = paired.identical
        hasAllSeeds = paired.areAll
        figures = paired.figures(ComparedFigure.Kind.judged, confidence: Self.confidenceOfEach)
        plain = paired.figures([.latencyP50, .latencyP95], confidence: Self.confidenceOfEach)
        func count(_ title: String, _ value: (ComparedSeed.Figures) -> Int) -> ComparedCount {
            ComparedCount(title, paired.whole.map { ($0.seed, value($0.first), value($0.second)) })
        }
        counts = paired.wrongs
        expected = paired.expected
        invariants = count("invariants broken") { $0.invariantsBroken }
        crashes = ComparedCount(
            "crashes",
            paired.pairs.map { ($0.seed, $0.first == nil ? 1 : 0, $0.second == nil ? 1 : 0) }
        )
        longest = count("latency max") { Int(clamping: $0.longest ?? 0) }
        longestOfAll = (
            paired.whole.compactMap(\.first.longest).max(), paired.whole.compactMap(\.second.longest).max()
        )
        gates = paired.areAll ? Self.changes(first.summary.gates, second.summary.gates) : []
        deliveries = DeliveryDifferences(paired, first, second)
    }

    private static func changes(_ first: [ComparedSummary.Gate], _ second: [ComparedSummary.Gate]) -> [ChangedGate] {
        let former = Dictionary(first.map { ($0.rule, $0.verdict) }) { one, _ in one }
        return second.compactMap { gate in
            guard let before = former[gate.rule], before != gate.verdict else { return nil }
            return ChangedGate(rule: gate.rule, first: before, second: gate.verdict)
        }
    }

    /// What one side sets of the notifier and the other does not, as a scenario writes it: `notifier.sweepInterval=40s`.
    package func ownSettings(of side: Side) -> [String] {
        let other = side == first ? second : first
        return (side.settings ?? [:]).filter { other.settings?[$0.key] != $0.value }.sorted { $0.key < $1.key }
            .map { "notifier.\($0.key)=\($0.value)" }
    }

    // MARK: what follows

    /// Whether there are enough seeds for figures to say anything.
    var hasEnoughSeeds: Bool { wholeSeeds >= Self.fewestSeeds }

    /// Anything worse is worse, whatever else is better, and what is better outweighs no lost proof.
    package var conclusion: Conclusion {
        if !worse.isEmpty { return .worse }
        if !noLongerProven.isEmpty { return .noLongerProven }
        guard hasEnoughSeeds else { return .tooFewSeeds }
        return better.isEmpty ? .noDifference : .better
    }

    /// What it tells the caller.
    package var exitCode: ExitCode {
        switch conclusion {
        case .worse: .failed
        case .noLongerProven, .tooFewSeeds: .insufficientEvidence
        case .better, .noDifference: .met
        }
    }
}

extension ReportComparison.Side {
    fileprivate init(_ report: ComparedReport) {
        self.init(path: report.path, build: report.summary.build, settings: report.summary.settings)
    }
}
