import Scenarios

/// `summary.md`: the verdict in a few lines, for a note on a merge request.
///
/// Whatever comes from the scenario or the machine stands in code spans, so that GitLab and GitHub show it as it is: no name becomes
/// markup, a mention or a link. There are no tables, because what ends a cell cannot be told from what is in it.
package enum MarkdownFile {
    /// More requirements than these are counted, not listed; failures come first.
    static let requirements = 40
    /// Longer texts are cut.
    static let textLength = 300

    /// The same bytes for the same report, ended by a newline.
    package static func text(_ report: RunReport) -> String {
        let blocks = [[title(report)], findings(report), misses(report), ending(report)]
        return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    private static func title(_ report: RunReport) -> String {
        "### \(report.verdict.word): \(code(report.scenario.name)), seeds \(FigureText.seeds(report.seeds))"
    }

    /// Paths that were reached are counted in one line: they say nothing that a reader could act on.
    private static func findings(_ report: RunReport) -> [String] {
        let reached = report.probes.count { $0.seeds > 0 }
        let told = report.findings.filter { $0.verdict != .pass || !$0.isProbe }
        let left = told.count - requirements
        let more = left > 0 ? ["- … and \(left) more in summary.json"] : []
        let probes = "- **\(Verdict.pass.word)** \(reached) of \(report.probes.count) probes reached"
        return told.prefix(requirements).map(line) + more + (reached > 0 ? [probes] : [])
    }

    private static func line(_ finding: Finding) -> String {
        var parts = ["- **\(finding.verdict.word)** \(code(finding.rule))"]
        if !finding.observed.isEmpty { parts.append("seen \(code(finding.observed))") }
        if !finding.bound.isEmpty { parts.append("proven \(code(finding.bound))") }
        if !finding.margin.isEmpty { parts.append(code(finding.margin)) }
        if let note = finding.note { parts.append(code(note)) }
        return parts.joined(separator: ", ")
    }

    private static func misses(_ report: RunReport) -> [String] {
        let misses = report.misses.sorted { ($1.count, $0.code) < ($0.count, $1.code) }
        guard !misses.isEmpty else { return [] }
        let causes = misses.map { "\(code($0.code)) \($0.count)" }.joined(separator: ", ")
        return ["Missed \(misses.reduce(0) { $0 + $1.count }) of \(report.whole.total.expected): \(causes)"]
    }

    private static func ending(_ report: RunReport) -> [String] {
        let exit = "Exit code \(report.exitCode.rawValue): \(report.exitReason); build \(code(report.build))."
        guard let command = TerminalSummary.reproduction(of: report) else { return [exit] }
        let what = report.verdict == .fail ? "To repeat the worst seed" : "To repeat one seed"
        return ["\(exit)  ", "\(what): \(code(command, cut: false))"]
    }

    /// A code span that shows the text on one line, whatever stands in it.
    static func code(_ text: String, cut isCut: Bool = true) -> String {
        let plain = oneLine(text)
        let shown = isCut ? TerminalText.cut(plain, to: textLength) : plain
        guard !shown.isEmpty else { return "` `" }
        let fence = String(repeating: "`", count: longestRun(of: "`", in: shown) + 1)
        // A blank at each end is taken off by the reader, and keeps a backtick apart from the fence.
        let pad =
            shown.hasPrefix("`") || shown.hasSuffix("`") || shown.hasPrefix(" ") && shown.hasSuffix(" ") ? " " : ""
        return fence + pad + shown + pad + fence
    }

    /// Without line ends, other control characters, and those that turn the direction of text round.
    private static func oneLine(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x9, 0xA, 0xD, 0x85, 0x2028, 0x2029: line.append(" ")
            case ..<0x20, 0x7F...0x9F, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: continue
            default: line.append(scalar)
            }
        }
        return String(line)
    }

    private static func longestRun(of character: Character, in text: String) -> Int {
        var longest = 0
        var run = 0
        for other in text {
            run = other == character ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }
}

extension Verdict {
    /// In the words of a sentence's beginning.
    fileprivate var word: String {
        switch self {
        case .pass: "Pass"
        case .fail: "Fail"
        case .insufficient: "Not proven"
        }
    }
}
