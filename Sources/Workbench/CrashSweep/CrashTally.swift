import Scenarios
import Verdict

/// What the crashes of a sweep came to, and how it is told. It does not depend on the order in which they end.
struct CrashTally {
    let file: String
    let seed: UInt64
    /// What the disk keeps.
    let keeps: KeptWrites
    /// What the run without a crash has as well.
    let known: Set<String>
    private var flaws: [CrashPoint: [String]] = [:]
    /// Those that never came, or whose second crash never did: the run was over, or the next process did not get so far.
    private var absent: Set<CrashPoint> = []

    init(file: String, seed: UInt64, keeps: KeptWrites = .all, known: Set<String>) {
        (self.file, self.seed, self.keeps, self.known) = (file, seed, keeps, known)
    }

    /// Crashes that were judged.
    var count: Int { flaws.count }
    /// Crashes with something wrong.
    var flawed: Int { flaws.values.reduce(0) { $0 + ($1.isEmpty ? 0 : 1) } }
    /// A sweep in which nobody died has no findings, and proves nothing.
    var exitCode: ExitCode {
        if flawed > 0 { return .failed }
        return absent.count == count ? .insufficientEvidence : .met
    }

    /// What is wrong with that crash and not without it.
    mutating func add(_ found: [String], at point: CrashPoint, came: Bool = true) -> [String] {
        if !came { absent.insert(point) }
        let news = found.filter { !known.contains($0) }
        flaws[point] = news
        return news
    }

    private var noun: String { keeps == .all ? "crashes" : "losses of power" }

    private var absences: [String] {
        let pairs = absent.count { $0.second != nil }
        let parts = [(absent.count - pairs, "never came"), (pairs, "second \(noun) never came")]
        return parts.filter { $0.0 > 0 }.map { "  \($0.0) \($0.1)" }
    }

    /// One line for all, one with the crashes of each step, one with those that never came, then one for each signature, with the command that repeats its first.
    var text: String {
        var points: [String: [CrashPoint]] = [:]
        for (point, found) in flaws { for signature in found { points[signature, default: []].append(point) } }
        let groups = points.map { (signature: $0, points: $1.sorted()) }
            .sorted { ($1.points.count, $0.signature) < ($0.points.count, $1.signature) }
        var lines = ["\(count) \(noun), \(flawed) with findings, \(groups.count) signatures"]
        lines += DurableStep.allCases.compactMap { step in
            let count = flaws.keys.count { $0.first.step == step }
            return count == 0 ? nil : "  \(step.rawValue) \(count)"
        }
        lines += absences
        if !known.isEmpty { lines.append("found without a crash as well: " + known.sorted().joined(separator: " | ")) }
        for group in groups {
            let shown = group.points.prefix(8).map(\.text).joined(separator: " ")
            let more = group.points.count > 8 ? " …" : ""
            lines.append("\(group.signature)   \(group.points.count) \(noun): \(shown)\(more)")
            if let first = group.points.first {
                let power = keeps == .all ? "" : " --keeps \(keeps.rawValue)"
                lines.append("  simctl crash-sweep \(file) --seed \(seed)\(power) --at \(first.text)")
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }
}
