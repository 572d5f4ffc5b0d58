import Platform
import Scenarios
import Verdict

/// What fuzzed worlds came to, and how it is told. It does not depend on the order in which they end.
struct FuzzTally {
    /// Those that worlds were held against their twins under.
    let relations: [WorldRelation]
    private var flaws: [UInt64: [Flaw]] = [:]
    private(set) var coverage = FuzzCoverage()
    private(set) var refused = 0
    /// Twins that were held against their worlds, and facts in which a difference would have been a finding.
    private var twins: [WorldRelation: (count: Int, facts: Int)] = [:]
    private var powerLosses = 0
    private var digests: [UInt64: String] = [:]

    init(relations: [WorldRelation] = []) { self.relations = relations }

    /// Of the findings of one world under one signature so many are told one by one.
    private static let detailsTold = 3

    /// Worlds that were judged.
    var count: Int { flaws.count }
    /// Worlds with something wrong.
    var flawed: Int { flaws.values.reduce(0) { $0 + ($1.isEmpty ? 0 : 1) } }
    var exitCode: ExitCode { flawed == 0 ? .met : .failed }

    mutating func add(_ findings: WorldFamily.Findings, of world: DrawnWorld) {
        flaws[world.seed] = findings.flaws
        coverage.add(world, probes: findings.probes)
        refused += world.refused
        powerLosses += findings.powerLosses
        digests[world.seed] = findings.digest
        for (relation, facts) in findings.compared {
            let sum = twins[relation] ?? (0, 0)
            twins[relation] = (sum.count + 1, sum.facts + facts)
        }
    }

    /// One line for all, one for what was reached, one for the twins, one for their losses of power, one for the digest of it all, then those
    /// of each signature, the most frequent first.
    var text: String {
        var seeds: [String: Set<UInt64>] = [:]
        for (seed, found) in flaws { for flaw in found { seeds[flaw.signature, default: []].insert(seed) } }
        let groups = seeds.map { (signature: $0, seeds: $1.sorted()) }
            .sorted { ($1.seeds.count, $0.signature) < ($0.seeds.count, $1.signature) }
        var lines = ["\(count) worlds, \(flawed) with findings, \(groups.count) signatures, \(refused) draws refused"]
        lines.append(coverage.line)
        if !relations.isEmpty { lines.append(twinLine) }
        if relations.contains(.powerLosses) { lines.append("\(powerLosses) losses of power") }
        lines.append("digest \(digest)")
        for group in groups { lines += self.lines(group.signature, group.seeds) }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Over those of all worlds by seed: two calls that print the same ran the same, to the byte.
    private var digest: String {
        var digest = RunningDigest()
        for (seed, part) in digests.sorted(by: { $0.key < $1.key }) {
            digest.fold(seed)
            digest.fold(part)
        }
        return digest.text
    }

    private var twinLine: String {
        let parts = relations.map { relation in
            let sum = twins[relation] ?? (0, 0)
            return "\(relation.rawValue) \(sum.count) with \(sum.facts) facts"
        }
        return "twins compared: " + parts.joined(separator: ", ")
    }

    /// Which worlds have it, the command that repeats the first of them, and what it is about there.
    private func lines(_ signature: String, _ seeds: [UInt64]) -> [String] {
        let shown = seeds.prefix(8).map(String.init).joined(separator: " ")
        var lines = ["\(signature)   \(seeds.count) worlds: \(shown)\(seeds.count > 8 ? " …" : "")"]
        guard let first = seeds.first else { return lines }
        let found = (flaws[first] ?? []).filter { $0.signature == signature }
        let twins = relations == [.powerLosses] ? " --power-losses" : " --relations"
        let flag = found.contains { $0.kind == .toldDifferently || $0.kind == .twin } ? twins : ""
        lines.append("  simctl fuzz --seeds \(first)..\(first)\(flag)")
        let details = found.map(\.detail).filter { !$0.isEmpty }
        lines += details.prefix(Self.detailsTold).map { "  \($0)" }
        if details.count > Self.detailsTold { lines.append("  and \(details.count - Self.detailsTold) more") }
        return lines
    }
}
