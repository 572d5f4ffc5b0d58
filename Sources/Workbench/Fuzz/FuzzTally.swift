import Scenarios
import Verdict

/// What fuzzed worlds came to, and how it is told. It does not depend on the order in which they end.
struct FuzzTally {
    private var flaws: [UInt64: [Flaw]] = [:]
    private(set) var coverage = FuzzCoverage()
    private(set) var refused = 0

    /// Worlds that were judged.
    var count: Int { flaws.count }
    /// Worlds with something wrong.
    var flawed: Int { flaws.values.reduce(0) { $0 + ($1.isEmpty ? 0 : 1) } }
    var exitCode: ExitCode { flawed == 0 ? .met : .failed }

    mutating func add(_ found: [Flaw], probes: [String] = [], of world: DrawnWorld) {
        flaws[world.seed] = found
        coverage.add(world, probes: probes)
        refused += world.refused
    }

    /// One line for all, then one for each signature, the most frequent first, with the command that repeats its first seed.
    var text: String {
        var seeds: [String: [UInt64]] = [:]
        for (seed, found) in flaws { for flaw in found { seeds[flaw.signature, default: []].append(seed) } }
        let groups = seeds.map { (signature: $0, seeds: $1.sorted()) }
            .sorted { ($1.seeds.count, $0.signature) < ($0.seeds.count, $1.signature) }
        var lines = ["\(count) worlds, \(flawed) with findings, \(groups.count) signatures, \(refused) draws refused"]
        lines.append(coverage.line)
        for group in groups {
            let shown = group.seeds.prefix(8).map(String.init).joined(separator: " ")
            let more = group.seeds.count > 8 ? " …" : ""
            lines.append("\(group.signature)   \(group.seeds.count) worlds: \(shown)\(more)")
            if let first = group.seeds.first { lines.append("  simctl fuzz --seeds \(first)..\(first)") }
        }
        return lines.map { $0 + "\n" }.joined()
    }
}
