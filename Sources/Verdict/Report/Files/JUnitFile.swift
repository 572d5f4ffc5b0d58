import Scenarios

/// `junit.xml`: one case for each requirement. A failed one is a failure; insufficient evidence is an error, never
/// skipped, so that no pipeline takes it for green.
package enum JUnitFile {
    /// The document, ended by a newline; the same bytes for the same report.
    package static func text(_ report: RunReport) -> String {
        let cases = report.requirements
        let failures = cases.count { $0.verdict == .fail }
        let errors = cases.count { $0.verdict == .insufficient }
        let counts = "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"0\""
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        text += "<testsuites name=\"simctl\" \(counts)>\n"
        text += "  <testsuite name=\"\(escaped(report.scenario.name))\" \(counts)>\n"
        text += properties(report)
        for requirement in cases { text += testCase(requirement, of: report) }
        return text + "  </testsuite>\n</testsuites>\n"
    }

    private static func properties(_ report: RunReport) -> String {
        let properties = [
            ("build", report.build), ("seeds", FigureText.seeds(report.seeds)), ("digest", report.digest),
            ("claim", report.claim),
        ]
        let lines = properties.map { "      <property name=\"\($0)\" value=\"\(escaped($1))\"/>\n" }
        return "    <properties>\n\(lines.joined())    </properties>\n"
    }

    private static func testCase(_ finding: Finding, of report: RunReport) -> String {
        // GitLab knows a case by both, and of equal ones in a job it keeps the first: the same scenario may run over other seeds.
        let classname = "\(report.scenario.name) [seeds \(FigureText.seeds(report.seeds))]"
        let name = "name=\"\(escaped(finding.rule))\" classname=\"\(escaped(classname))\""
        guard let element = finding.verdict.element else { return "    <testcase \(name)/>\n" }
        let parts = ["observed \(finding.observed)", finding.bound, finding.margin, finding.note ?? ""]
        let message = parts.filter { !$0.isEmpty }.joined(separator: ", ")
        let command = TerminalSummary.reproduction(of: report) ?? ""
        return """
                <testcase \(name)>
                  <\(element) type="\(finding.verdict.rawValue)" message="\(escaped(message))">\(escaped(command))</\(element)>
                </testcase>

            """
    }

    /// Text for an attribute or element. Characters XML 1.0 cannot hold become U+FFFD.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&apos;"
            case "\n": escaped += "&#10;"
            case "\t": escaped += "&#9;"
            case "\r": escaped += "&#13;"
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

extension Verdict {
    fileprivate var element: String? {
        switch self {
        case .pass: nil
        case .fail: "failure"
        case .insufficient: "error"
        }
    }
}

extension RunReport {
    /// Every requirement as a case of its own: the findings, with each unbroken invariant by name.
    var requirements: [Finding] {
        let named = findings.filter { !$0.rule.hasSuffix(" invariants") }
        guard !results.isEmpty else { return named }
        let broken = Set(results.flatMap(\.violations).map(\.invariant))
        let kept = ViolationRecord.Invariant.allCases.filter { !broken.contains($0) }
        return named + kept.map { Finding(verdict: .pass, rule: "invariant \($0.rawValue)", observed: "0 broken") }
    }
}
