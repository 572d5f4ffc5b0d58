import Platform

/// Tells the story of one activity from the files of a report.
package enum Explanation {
    /// What happened on GitLab, then for each person why it was or was not for them, and in order polls, faults, pushes
    /// and what the devices showed; each line ended by a newline. `seed` says which seed's activity is meant where the
    /// ledger holds several; nil means the first. Throws `ReportError` for a folder that is not a report, a damaged one, and
    /// an activity it does not know.
    package static func story(of activity: Int, in reportFolder: String, seed: UInt64? = nil) throws -> String {
        let reader = try ReportReader(reportFolder)
        try checkFormat(of: reader)
        let ledger = try reader.ledger()
        let matching = ledger.filter { $0.activity == activity && (seed == nil || $0.seed == seed) }
        guard let first = matching.first else { throw unknown(activity, seed, ledger, seeds: seeds(of: reader)) }
        let lines = matching.filter { $0.seed == first.seed }
        let end = lines.map(\.endNanoseconds).max() ?? first.atNanoseconds
        let polls = try Polls(reader.trace(from: first.atNanoseconds, to: end), about: first, lines)
        var story = heading(first)
        for line in lines { story += chapter(line, polls) }
        return story.map { TerminalText.plain($0) + "\n" }.joined()
    }

    private struct Format: Decodable {
        var schemaVersion: Int64
    }

    /// What a later program wrote may mean something else under the same name.
    private static func checkFormat(of reader: ReportReader) throws {
        guard let format = try? reader.decoded("summary.json") as Format,
            format.schemaVersion > SummaryFile.schemaVersion
        else { return }
        throw ReportError.newer(path: "\(reader.folder)/summary.json", version: Int(format.schemaVersion))
    }

    private struct Summary: Decodable {
        var seeds: [UInt64]
    }

    /// Nil where the summary does not say.
    private static func seeds(of reader: ReportReader) -> ClosedRange<UInt64>? {
        let seeds = (try? reader.decoded("summary.json") as Summary)?.seeds ?? []
        guard let first = seeds.min(), let last = seeds.max() else { return nil }
        return first...last
    }

    /// The ledger of one seed knows every activity, that of several only what was abnormal.
    private static func unknown(
        _ activity: Int,
        _ seed: UInt64?,
        _ ledger: [LedgerLine],
        seeds: ClosedRange<UInt64>?
    ) -> ReportError {
        if let seed, let seeds, !seeds.contains(seed) { return .unknownSeed(seed, known: seeds) }
        let numbers = ledger.compactMap(\.activity)
        guard let first = numbers.min(), let last = numbers.max() else {
            let areSeveral = seeds.map { $0.lowerBound < $0.upperBound } ?? false
            return areSeveral && activity > 0 ? .notInLedger(activity) : .unknownActivity(activity, known: nil)
        }
        let isWhole = seeds.map { $0.lowerBound == $0.upperBound } ?? ledger.contains { $0.abnormal.isEmpty }
        return isWhole || activity < 1 ? .unknownActivity(activity, known: first...last) : .notInLedger(activity)
    }

    private static func heading(_ line: LedgerLine) -> [String] {
        let title = line.itemTitle.map { " \"\($0)\"" } ?? ""
        return [
            "activity \(line.activity ?? 0)  \(line.kind ?? "") by @\(line.actor ?? "") on \(line.item ?? "no item")\(title)",
            "seed \(line.seed)  done at \(clock(line.atNanoseconds))",
        ]
    }

    private static func chapter(_ line: LedgerLine, _ polls: Polls) -> [String] {
        var text = ["", "@\(line.person)  \(line.standing): \(line.reasonSentence ?? "")"]
        guard line.standing != "not-for-them" else { return text }
        let scenes = Scenes(line, polls).inOrder
        text += scenes.map { "  \(clock($0.at))  \(TerminalText.padded($0.place, to: 9)) \($0.what)" }
        return text + outcome(line)
    }

    private static func outcome(_ line: LedgerLine) -> [String] {
        if let code = line.cause { return ["  missed: \(code). \(line.causeSentence ?? "")"] }
        guard line.knownNanoseconds != nil else { return ["  nobody had to learn of it, and nobody did"] }
        var text: [String] = []
        if let latency = line.latencyNanoseconds, let excess = line.excessLatencyNanoseconds {
            text.append("  shown after \(length(latency)), of which \(length(excess)) are excess")
            let parts = LatencyOwner.allCases.compactMap { owner in
                line.owners?[owner.rawValue].map { "\(owner.label) \(length($0))" }
            }
            text.append("  \(parts.joined(separator: " | "))")
        } else {
            text.append("  known by catching up, never displayed by push")
        }
        if line.abnormal.contains("duplicate") { text.append("  shown again as something new: a duplicate") }
        return text
    }

    private static func length(_ nanoseconds: Int64) -> String {
        FigureText.precise(milliseconds: nanoseconds / 1_000_000)
    }

    /// With milliseconds, because a story is told in order.
    static func clock(_ nanoseconds: Int64) -> String {
        let milliseconds = nanoseconds / 1_000_000
        let fraction = String(String(milliseconds % 1_000 + 1_000).dropFirst())
        return "\(FigureText.instant(milliseconds: milliseconds)).\(fraction)"
    }
}

extension LedgerLine {
    /// Until when the story goes: the last thing that happened to it, or half an hour after it could be read.
    fileprivate var endNanoseconds: Int64 {
        let known = [
            atNanoseconds, enqueuedNanoseconds, displayedNanoseconds, caughtUpNanoseconds, attempts.last?.atNanoseconds,
        ]
        let last = (known + [deviceEvents.last?.atNanoseconds]).compactMap { $0 }.max() ?? atNanoseconds
        let pollable = max(pollableNanoseconds ?? atNanoseconds, atNanoseconds)
        // A file may hold any number; what goes on for ever ends with the last one.
        let (patience, isBeyond) = pollable.addingReportingOverflow(Ledger.patience.wholeNanoseconds)
        return knownNanoseconds == nil ? max(last, isBeyond ? .max : patience) : last
    }
}
