/// What went wrong, by name: misses by cause and the first few cases, each with the way to its story.
struct TroubleLines {
    private let report: RunReport
    private let options: TerminalSummary.Options

    private static let cases = 5
    private static let backtraceLines = 12

    init(_ report: RunReport, _ options: TerminalSummary.Options) {
        self.report = report
        self.options = options
    }

    var lines: [String] { causes + cases + backtraces }

    private var causes: [String] {
        var counts: [String: Int] = [:]
        for cause in report.results.flatMap(\.causes) { counts[cause.code, default: 0] += cause.count }
        guard !counts.isEmpty else { return [] }
        let ranked = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let text = ranked.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return TerminalText.wrapped("missed \(counts.values.reduce(0, +)): \(text)", width: TerminalSummary.width)
    }

    private var cases: [String] {
        let abnormal = report.results.flatMap(\.abnormal)
        var lines = abnormal.prefix(Self.cases).flatMap(describe)
        let inAll = report.results.reduce(0) { $0 + $1.abnormalInAll }
        if inAll > Self.cases { lines.append(" and \(inAll - Self.cases) more in ledger.jsonl") }
        if let activity = abnormal.lazy.compactMap(\.activity).first, let folder = options.reportFolder {
            lines.append("explain  simctl explain \(folder) \(activity)")
        }
        return lines
    }

    private func describe(_ line: LedgerLine) -> [String] {
        let at = FigureText.instant(milliseconds: line.atNanoseconds / 1_000_000)
        var text = " \(line.abnormal.joined(separator: "+")) seed \(line.seed) \(at)"
        if let activity = line.activity {
            text += " #\(activity) \(line.kind ?? "") by @\(line.actor ?? "") on \(line.item ?? "no item")"
        } else {
            text += " \"\(line.itemTitle ?? "")\""
        }
        text += " for @\(line.person)"
        let wrapped = TerminalText.wrapped(text, width: TerminalSummary.width - 1)
        let first = wrapped.enumerated().map { $0.offset == 0 ? " \($0.element)" : "   \($0.element)" }
        return first + (line.causeSentence.map { ["   \($0)"] } ?? [])
    }

    private var backtraces: [String] {
        report.crashes.prefix(1).flatMap { crash -> [String] in
            let lines = crash.backtrace.split(separator: "\n").prefix(Self.backtraceLines)
            return ["backtrace of seed \(crash.seed)"] + lines.map { "  \($0)" }
        }
    }
}
