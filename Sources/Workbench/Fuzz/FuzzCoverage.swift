import Scenarios
import Verdict

/// Which entries of the vocabulary and which probes have met which faults in worlds that were run, and in which world first.
struct FuzzCoverage {
    /// The tables whose entries meet faults, with all their entries.
    private static let tables: [(name: String, entries: [String])] =
        ["action", "setting"].map { table in
            (table, WorldVocabulary.all.filter { $0.hasPrefix("\(table) ") })
        } + [("probe", Probe.allCases.map { "probe \($0.rawValue)" })]

    /// The lowest seed of each.
    private var seeds: [Encounter: UInt64] = [:]
    private var faults: [FaultKind: Int] = [:]

    /// Takes in a world, with the probes that its run reached.
    mutating func add(_ world: DrawnWorld, probes: [String]) {
        var met = world.scenario.encounters
        let struck = world.scenario.faultCounts
        for probe in probes {
            for fault in struck.keys { met.insert(Encounter(entry: "probe \(probe)", fault: fault)) }
        }
        for encounter in met { seeds[encounter] = min(world.seed, seeds[encounter] ?? world.seed) }
        faults.merge(struck) { $0 + $1 }
    }

    /// One line: how many of the pairs of each table were reached.
    var line: String {
        let parts = Self.tables.map { table in
            let reached = table.entries.reduce(0) { $0 + faultsMet(by: $1).count }
            return "\(table.name) × fault \(reached) of \(table.entries.count * FaultKind.allCases.count)"
        }
        return "pairs reached: " + parts.joined(separator: ", ")
    }

    /// The whole of it as Markdown: how often each fault struck, then for each entry the faults that it has not met.
    var document: String {
        var lines = ["# What fuzzed worlds have reached", "", line, "", "| Fault | Entries |", "|---|---|"]
        lines += FaultKind.allCases.map { "| \($0.rawValue) | \(faults[$0, default: 0]) |" }
        for table in Self.tables {
            lines += ["", "| \(table.name) | Faults met | Not met |", "|---|---|---|"]
            lines += table.entries.map { entry in
                let met = faultsMet(by: entry)
                let missing = FaultKind.allCases.filter { !met.contains($0) }.map(\.rawValue)
                let rest = met.isEmpty ? "all" : missing.joined(separator: " ")
                return "| \(entry.dropFirst(table.name.count + 1)) | \(met.count) | \(rest) |"
            }
        }
        lines += ["", "Seeds that together reach all of it: " + covering.map(String.init).joined(separator: " ")]
        return lines.map { $0 + "\n" }.joined()
    }

    /// The seeds that were the first to reach a pair, in rising order.
    private var covering: [UInt64] { Set(seeds.values).sorted() }

    private func faultsMet(by entry: String) -> Set<FaultKind> {
        Set(FaultKind.allCases.filter { seeds[Encounter(entry: entry, fault: $0)] != nil })
    }
}
