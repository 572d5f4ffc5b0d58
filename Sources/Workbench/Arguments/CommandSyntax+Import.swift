import Verdict

extension CommandSyntax {
    static let importing = CommandSyntax(
        name: "import",
        summary: "make a scenario from an incident report",
        operands: Operands(notation: "[BUNDLE]", count: 0...1),
        flags: [
            Flag(
                name: "--missed",
                value: "TEXT",
                summary: "who missed what when: a person, an item and an instant; may be repeated",
                isRepeatable: true
            ),
            Flag(
                name: "--out",
                value: "FILE",
                summary: "where the scenario goes (default: standard output); -o is the same"
            ),
        ],
        examples: [
            Example(
                command: "simctl import incident.jsonl -o incident.json",
                meaning: "what notifierd export-incident wrote"
            ),
            Example(
                command: "simctl import \(MissedNews.example)",
                meaning: "nothing is known but person, item and time"
            ),
        ],
        notes: [
            "What the bundle does not say is guessed, and marked as a guess in the scenario. With a bundle, --missed takes the names that "
                + "the scenario made of it has. docs/bug-reports.md goes the whole way."
        ],
        outcomes: Outcome.own([Outcome(.met, "the scenario is written; whether it fails says simctl run")])
    )
}
