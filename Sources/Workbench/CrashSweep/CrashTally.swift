import Scenarios
import Verdict

/// What the crashes of a sweep came to, and how it is told. It does not depend on the order in which they end.
struct CrashTally {
    let file: String
    let seed: UInt64
    /// What the run without a crash has as well.
    let known: Set<String>
    private var flaws: [CrashPoint: [String]] = [:]

    init(file: String, seed: UInt64, known: Set<String>) {
        (self.file, self.seed, self.known) = (file, seed, known)
    }

    /// Crashes that were judged.
    var count: Int { flaws.count }
    /// Crashes with something wrong.
    var flawed: Int { flaws.values.reduce(0) { $0 + ($1.isEmpty ? 0 : 1) } }
    var exitCode: ExitCode { flawed == 0 ? .met : .failed }

    /// What is wrong with that crash and not without it.
    mutating func add(_ found: [Flaw], at point: CrashPoint) -> [String] {
        let news = found.map(\.signature).filter { !known.contains($0) }
        flaws[point] = news
        return news
    }

    /// One line for all, one with the crashes of each step, then one for each signature, with the command that repeats its first.
    var text: String {
        var points: [String: [CrashPoint]] = [:]
        for (point, found) in flaws { for signature in found { points[signature, default: []].append(point) } }
        let groups = points.map { (signature: $0, points: $1.sorted()) }
            .sorted { ($1.points.count, $0.signature) < ($0.points.count, $1.signature) }
        var lines = ["\(count) crashes, \(flawed) with findings, \(groups.count) signatures"]
        lines += DurableStep.allCases.compactMap { step in
            let count = flaws.keys.count { $0.step == step }
            return count == 0 ? nil : "  \(step.rawValue) \(count)"
        }
        if !known.isEmpty { lines.append("found without a crash as well: " + known.sorted().joined(separator: " | ")) }
        for group in groups {
            let shown = group.points.prefix(8).map(\.text).joined(separator: " ")
            let more = group.points.count > 8 ? " …" : ""
            lines.append("\(group.signature)   \(group.points.count) crashes: \(shown)\(more)")
            if let first = group.points.first {
                lines.append("  simctl crash-sweep \(file) --seed \(seed) --at \(first.text)")
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }
}

extension CrashPoint: Comparable {
    static func < (left: CrashPoint, right: CrashPoint) -> Bool { left.rank < right.rank }

    private var rank: (Int, Int) { (DurableStep.allCases.firstIndex(of: step) ?? 0, occurrence) }
}
