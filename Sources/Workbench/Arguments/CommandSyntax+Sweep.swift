extension CommandSyntax {
    static let sweep = CommandSyntax(
        name: "sweep",
        summary: "try settings on the same worlds, or larger worlds: what each costs and brings",
        operands: Operands(notation: "SCENARIO", count: 1...1),
        flags: [
            Flag(
                name: "--vary",
                value: "notifier.KEY=A,B,C",
                summary: "try these values; repeated, every combination, at most \(SweepGrid.maximumCombinations)",
                isRepeatable: true
            ),
            Flag(
                name: "--want",
                value: "BOUND",
                summary: "pick the cheapest that keeps it, such as \"latency.p95 <= 60s\"; may be repeated",
                isRepeatable: true
            ),
            Flag(
                name: "--grow",
                value: "people|items|rate",
                summary: "instead: double the world until --until breaks, then find where"
            ),
            Flag(
                name: "--until",
                value: "GATE",
                summary:
                    "with --grow: what is to hold, such as \"excessLatency.p95 <= 60s\" (default: what the file expects)",
                isRepeatable: true
            ),
            Flag(name: "--largest", value: "N", summary: "with --grow: no larger world (default: 64 times the file)"),
            Flag(name: "--for", value: "T", summary: "with --grow: begin no world after this long, such as 10m"),
            Flag(
                name: "--seeds",
                value: "A..B",
                summary: "run these seeds under each, at least 10 (default: 1..10; with --grow 1..5, and fewer will do)"
            ),
            Flag(
                name: "--out",
                value: "DIR",
                summary:
                    "where the reports go, one for each combination (default: a folder under reports/); -o is the same"
            ),
            Flag(
                name: "--shard",
                value: "I/N",
                summary: "run the I-th of N parts of the combinations, for simctl merge"
            ),
            Flag(name: "--jobs", value: "N", summary: "worker processes (default: one per core)"),
            Flag(
                name: "--time-limit",
                value: "T",
                summary: "longest real time for one seed, such as 90s (default: 10m)"
            ),
            Flag(name: "--json", value: nil, summary: "print JSON on standard output, and nothing else"),
            Flag(name: "--quiet", value: nil, summary: "print the conclusion only"),
        ],
        examples: [
            Example(
                command: "simctl sweep scenarios/many-items.json --vary notifier.sweepInterval=20s,30s,1m",
                meaning: "a table, and which of them are worth a thought"
            ),
            Example(
                command: "simctl sweep scenarios/outage.json --vary notifier.sweepInterval=10s,30s "
                    + "--vary notifier.perPage=20,100 --seeds 1..20",
                meaning: "four combinations, more seeds"
            ),
            Example(
                command: "simctl sweep scenarios/team-of-twelve.json --grow items",
                meaning: "how many items a team may watch before what the file expects breaks"
            ),
        ],
        notes: [
            "Called again with the same DIR, it goes on where it was interrupted, and takes more values along. docs/tuning.md "
                + "explains the table.",
            "With --grow a key that is varied has one value, and every size leaves its scenario and report in DIR; the ends are "
                + "run again under as many other seeds. Exit code 1: the file itself breaks it; 2: nothing is proven.",
            "Exit code 1: no combination keeps the bound, or each fails a requirement; 2: none is proven to keep it.",
        ]
    )
}
