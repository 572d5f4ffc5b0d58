import Scenarios

/// The report as people read it in a terminal: the verdict first, failures before passes, the
/// command that reproduces a failure last. What was run stands above it, printed before the first seed is in (`RunHeader`).
/// Stable, so that two outputs can be compared line by line.
package enum TerminalSummary {
    /// How the text is rendered.
    package struct Options: Sendable {
        /// ANSI colours beside the words; nothing is said by colour alone.
        package var isColoured = false
        /// One line for each requirement and nothing else.
        package var isQuiet = false
        /// The folder the report was written to, for the hints.
        package var reportFolder: String?
        /// Whether the exit code is told; what is judged besides may have another.
        package var tellsExit = true

        package init(isColoured: Bool = false, isQuiet: Bool = false, reportFolder: String? = nil) {
            self.isColoured = isColoured
            self.isQuiet = isQuiet
            self.reportFolder = reportFolder
        }
    }

    /// The text, each line ended by a newline.
    package static func render(_ report: RunReport, options: Options = Options()) -> String {
        let verdict = VerdictLines(report: report, options: options)
        guard !options.isQuiet else { return text(verdict.lines, options) }
        let blocks = [
            verdict.lines, LatencyTable(report).lines, TroubleLines(report, options).lines, RunLines(report).lines,
            ending(report, options),
        ]
        return blocks.filter { !$0.isEmpty }.map { text($0, options) }.joined(separator: "\n")
    }

    /// The command that runs the worst seed again.
    static func reproduction(of report: RunReport) -> String? {
        report.worstSeed.map { "simctl run \(quoted(report.scenarioPath ?? report.scenario.name)) --seed \($0)" }
    }

    package static let width = 80

    private static func text(_ lines: [String], _ options: Options) -> String {
        lines.map { line in
            let plain = TerminalText.plain(line)
            return (options.isColoured ? coloured(plain) : plain) + "\n"
        }.joined()
    }

    /// Colours the verdict at the beginning of a line.
    private static func coloured(_ line: String) -> String {
        for verdict in Verdict.allCases where line.hasPrefix(" \(verdict.label)  ") {
            return " \u{1B}[\(verdict.colour)m\(verdict.label)\u{1B}[0m" + line.dropFirst(1 + verdict.label.count)
        }
        return line
    }

    private static func ending(_ report: RunReport, _ options: Options) -> [String] {
        var lines = TerminalText.wrapped(report.claim, width: width)
        if let folder = options.reportFolder { lines += ["report \(folder)", "page   \(folder)/report.html"] }
        if options.tellsExit { lines.append("exit \(report.exitCode.rawValue) (\(report.exitReason))") }
        guard report.verdict == .fail, let command = reproduction(of: report) else { return lines }
        return lines + [command]
    }

    /// A word of a shell command.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                || "-_./@%+=:,".utf8.contains($0)
        }
        guard !isPlain || word.isEmpty else { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

/// One line for each requirement.
struct VerdictLines {
    let report: RunReport
    let options: TerminalSummary.Options

    var lines: [String] {
        let findings = report.findings
        let ruleWidth = min(34, findings.map(\.rule.count).max() ?? 0)
        let seenWidth = min(14, findings.map(\.observed.count).max() ?? 0)
        let boundWidth = min(14, findings.map(\.bound.count).max() ?? 0)
        return findings.flatMap { finding in
            var line = " \(finding.verdict.label)  \(TerminalText.padded(finding.rule, to: ruleWidth))"
            line += "  \(TerminalText.padded(finding.observed, to: seenWidth))"
            if boundWidth > 0 { line += "  \(TerminalText.padded(finding.bound, to: boundWidth))" }
            if !finding.margin.isEmpty { line += "  \(finding.margin)" }
            return withNote(line, finding)
        }
    }

    private func withNote(_ line: String, _ finding: Finding) -> [String] {
        let line = TerminalText.trimmed(line)
        guard let note = finding.note, !(options.isQuiet && finding.verdict == .pass) else { return [line] }
        let oneLine = "\(line)  \(note)"
        if options.isQuiet || oneLine.count <= TerminalSummary.width { return [oneLine] }
        return [line] + TerminalText.wrapped(note, width: TerminalSummary.width - 7).map { "       \($0)" }
    }
}

extension Verdict {
    /// The ANSI code of its colour.
    fileprivate var colour: Int {
        switch self {
        case .pass: 32
        case .fail: 31
        case .insufficient: 33
        }
    }
}
