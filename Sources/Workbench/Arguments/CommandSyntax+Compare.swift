import Verdict

extension CommandSyntax {
    static let compare = CommandSyntax(
        name: "compare",
        summary: "say whether a build or a setting is better or worse, seed by seed",
        operands: Operands(notation: "A B | SCENARIO", count: 1...2),
        flags: [
            Flag(name: "--with-simctl", value: "PATH", summary: "with SCENARIO: B is run by this build"),
            Flag(
                name: "--set",
                value: "notifier.KEY=VALUE",
                summary: "with SCENARIO: B has this setting; may be repeated",
                isRepeatable: true
            ),
            Flag(
                name: "--seeds",
                value: "A..B",
                summary: "with SCENARIO: run these seeds on both sides (default: 1..20)"
            ),
            Flag(
                name: "--reports",
                value: "DIR",
                summary: "with SCENARIO: where the reports a and b go (default: a folder under reports/)"
            ),
            Flag(name: "--jobs", value: "N", summary: "worker processes (default: one per core)"),
            Flag(
                name: "--time-limit",
                value: "T",
                summary: "longest real time for one seed, such as 90s (default: 10m)"
            ),
            Flag(name: "--out", value: "FILE", summary: "also write the comparison as JSON; -o is the same"),
            Flag(name: "--html", value: "FILE", summary: "also write the comparison as a page for people"),
            Flag(name: "--json", value: nil, summary: "print JSON on standard output, and nothing else"),
            Flag(name: "--quiet", value: nil, summary: "print the conclusion only"),
        ],
        examples: [
            Example(command: "simctl compare reports/before reports/after", meaning: "two reports of one scenario"),
            Example(
                command: "simctl compare scenarios/outage.json --with-simctl ../new/simctl",
                meaning: "this build (A) and another one (B)"
            ),
            Example(
                command: "simctl compare scenarios/outage.json --set notifier.sweepInterval=40s",
                meaning: "the file as it is (A) and with another setting (B)"
            ),
            Example(
                command: "simctl compare reports/before reports/after --html comparison.html",
                meaning: "a page to send to somebody"
            ),
        ],
        notes: [
            "A is what was, B is what is asked about. Exit code 1: B is worse in something. Excess latency is judged, not plain latency, "
                + "whose percentiles jump with how long an outage lasts. docs/comparing.md says how.",
            "The two must be of one scenario: only its notifier, expect, probes and description may differ.",
        ],
        outcomes: Outcome.own(
            [
                Outcome(.met, "B is better and in nothing worse, or no difference was seen"),
                Outcome(.failed, "B is worse in something"),
                Outcome(.insufficientEvidence, "a gate is no longer proven with B, or there are too few seeds"),
            ],
            and: [.timeLimit, .interrupted]
        )
    )
}
