package import JSON

/// Whether a report is worse than a baseline by more than a tolerance: yes, no, or too little evidence (statistics §6).
package struct BaselineJudgement: Sendable {
    /// A figure with what would not matter.
    struct Figure: Sendable {
        var figure: ComparedFigure
        /// Milliseconds, or requests of a seed.
        var tolerance: Double
        var verdict: Verdict
        /// So many seeds would probably decide; nil when they are no help, or it is decided.
        var seedsNeeded: Int?
    }

    /// All figures together hold at this confidence, on the side that matters.
    static let confidence = 0.95
    /// Of each figure's interval, which has two sides.
    static var confidenceOfEach: Double { 1 - 2 * (1 - confidence) / Double(ComparedFigure.Kind.judged.count) }
    /// With fewer seeds in both nothing is decided.
    package static var fewestSeeds: Int { PairedDifferences.fewestSeeds(confidence: confidenceOfEach) }

    let baseline: String
    let build: String
    let seeds: Int
    let figures: [Figure]
    /// What has no tolerance: one more is a failure.
    let counts: [ComparedCount]
    /// Of how many; without a verdict.
    let expected: [ComparedCount]

    /// - Throws: `ComparisonError` when the reports do not tell of the same worlds.
    package init(
        _ report: ComparedReport,
        baseline: ComparedReport,
        tolerances: Tolerances
    ) throws(ComparisonError) {
        let paired = try PairedSeeds(baseline, report)
        self.baseline = baseline.path
        build = baseline.summary.build
        seeds = paired.whole.count
        figures = paired.figures(ComparedFigure.Kind.judged, confidence: Self.confidenceOfEach).map { figure in
            Self.judge(figure, tolerance: tolerances.amount(figure.kind, baseline: figure.first ?? 0))
        }
        expected = paired.expected
        counts =
            paired.wrongs + [
                ComparedCount(
                    "invariants broken",
                    paired.whole.map { ($0.seed, $0.first.invariantsBroken, $0.second.invariantsBroken) }
                ),
                ComparedCount(
                    "crashes",
                    paired.pairs.map { ($0.seed, $0.first == nil ? 1 : 0, $0.second == nil ? 1 : 0) }
                ),
            ]
    }

    private static func judge(_ figure: ComparedFigure, tolerance: Double) -> Figure {
        guard let interval = figure.interval else {
            return Figure(figure: figure, tolerance: tolerance, verdict: .insufficient)
        }
        if interval.upper <= tolerance { return Figure(figure: figure, tolerance: tolerance, verdict: .pass) }
        if interval.lower > tolerance { return Figure(figure: figure, tolerance: tolerance, verdict: .fail) }
        let room = tolerance - max(0, figure.difference ?? 0)
        return Figure(
            figure: figure,
            tolerance: tolerance,
            verdict: .insufficient,
            seedsNeeded: figure.differences.seedsNeeded(toDetect: room, confidence: figure.confidence)
        )
    }

    /// Of all figures and counts together.
    package var verdict: Verdict {
        var verdict = Verdict.pass
        for count in counts where count.second > count.first { verdict = verdict.combined(with: .fail) }
        for figure in figures { verdict = verdict.combined(with: figure.verdict) }
        return verdict
    }

    /// What it tells the caller.
    package var exitCode: ExitCode {
        switch verdict {
        case .pass: .met
        case .fail: .failed
        case .insufficient: .insufficientEvidence
        }
    }

    // MARK: for people

    /// What follows, and what it follows from.
    package var sentence: String {
        switch verdict {
        case .pass: return "no worse than the baseline"
        case .fail:
            let counted = counts.filter { $0.second > $0.first }.map { "\($0.title) \($0.first) -> \($0.second)" }
            let measured = figures.filter { $0.verdict == .fail }.map { worse in
                "\(worse.figure.kind.title) by more than \(worse.figure.kind.text(worse.tolerance))"
            }
            return "worse than the baseline: " + (counted + measured).joined(separator: "; ")
        case .insufficient:
            guard seeds >= Self.fewestSeeds else {
                return
                    "too few seeds to compare with the baseline: \(seeds) in both, and \(Self.fewestSeeds) are needed"
            }
            let open = figures.filter { $0.verdict == .insufficient }.map { figure in
                figure.figure.kind.title + (figure.seedsNeeded.map { " (about \($0) seeds would do)" } ?? "")
            }
            return "too little evidence to compare with the baseline: " + open.joined(separator: "; ")
        }
    }

    /// A line for each figure, the sentence, and what both verdicts together come to; for the end of a run.
    package func text(after report: RunReport, isQuiet: Bool) -> String {
        var lines = figures.map(Self.line)
        lines += expected.filter { $0.more + $0.fewer > 0 }.map { "       \($0.title)  \($0.first) -> \($0.second)" }
        lines += counts.filter { $0.first != $0.second }.map { count in
            let examples = count.examples.isEmpty ? "" : ", seeds \(FigureText.seeds(count.examples))"
            return " \((count.second > count.first ? Verdict.fail : .pass).label)  \(count.title)  "
                + "\(count.first) -> \(count.second)\(examples)"
        }
        if !isQuiet { lines.insert("baseline  \(baseline)   build \(build)   \(seeds) seeds in both", at: 0) }
        lines.append(sentence)
        let code = ExitCode.worst(of: [report.exitCode, exitCode])
        if !isQuiet { lines.append("exit \(code.rawValue) (by itself: \(report.exitReason))") }
        let text = lines.map { TerminalText.trimmed(TerminalText.plain($0)) + "\n" }.joined()
        return isQuiet ? text : "\n" + text
    }

    private static func line(_ judged: Figure) -> String {
        let (figure, kind) = (judged.figure, judged.figure.kind)
        let values = "\(figure.first.map(kind.text) ?? "-") -> \(figure.second.map(kind.text) ?? "-")"
        let interval = figure.interval.map { "\(kind.signed($0.lower)) to \(kind.signed($0.upper))" } ?? "too few seeds"
        return " \(judged.verdict.label)  \(TerminalText.padded(kind.title, to: 18))  "
            + "\(TerminalText.padded(values, to: 18))  \(interval), tolerance \(kind.text(judged.tolerance))"
    }

    // MARK: for programs

    /// The judgement as a JSON value, its members in a fixed order.
    package var json: JSONValue {
        .object([
            JSONMember("baseline", .string(baseline)), JSONMember("build", .string(build)),
            JSONMember("seeds", .integer(Int64(seeds))), JSONMember("verdict", .string(verdict.rawValue)),
            JSONMember("exitCode", .integer(Int64(exitCode.rawValue))), JSONMember("sentence", .string(sentence)),
            JSONMember("figures", .array(figures.map(Self.json))),
            JSONMember("counts", .array(counts.map(Self.json))),
            JSONMember("expected", .array(expected.map(Self.expectedJSON))),
        ])
    }

    private static func json(_ judged: Figure) -> JSONValue {
        let figure = judged.figure
        return .object([
            JSONMember("figure", .string(figure.kind.rawValue)),
            JSONMember("unit", .string(figure.kind.isDuration ? "milliseconds" : "requests")),
            JSONMember("verdict", .string(judged.verdict.rawValue)),
            JSONMember("baseline", ComparisonFile.decimal(figure.first)),
            JSONMember("observed", ComparisonFile.decimal(figure.second)),
            JSONMember("lower", ComparisonFile.decimal(figure.interval?.lower)),
            JSONMember("upper", ComparisonFile.decimal(figure.interval?.upper)),
            JSONMember("tolerance", ComparisonFile.decimal(judged.tolerance)),
            JSONMember("seedsNeeded", judged.seedsNeeded.map { .integer(Int64($0)) } ?? .null),
        ])
    }

    private static func json(_ count: ComparedCount) -> JSONValue {
        .object([
            JSONMember("count", .string(count.title)), JSONMember("baseline", .integer(Int64(count.first))),
            JSONMember("observed", .integer(Int64(count.second))),
            JSONMember("verdict", .string((count.second > count.first ? Verdict.fail : .pass).rawValue)),
        ])
    }

    private static func expectedJSON(_ count: ComparedCount) -> JSONValue {
        .object([
            JSONMember("count", .string(count.title)), JSONMember("baseline", .integer(Int64(count.first))),
            JSONMember("observed", .integer(Int64(count.second))),
        ])
    }
}
