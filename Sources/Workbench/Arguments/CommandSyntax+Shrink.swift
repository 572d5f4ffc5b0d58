import Verdict

extension CommandSyntax {
    static let shrink = CommandSyntax(
        name: "shrink",
        summary: "find the smallest scenario that still fails in the same way",
        operands: Operands(notation: "FILE", count: 1...1),
        flags: [
            Flag(name: "--seed", value: "N", summary: "the seed that fails (default: the one in the file)"),
            Flag(
                name: "--finding",
                value: "TEXT",
                summary: "what is to stay wrong, such as \"missed: token-dead\" (default: what is worst)"
            ),
            Flag(
                name: "--out",
                value: "FILE",
                summary: "where the result goes (default: standard output); -o is the same"
            ),
        ],
        examples: [
            Example(
                command: "simctl shrink my.json --seed 41 -o small.json",
                meaning: "what seed 41 of simctl run my.json --seeds 1..100 fails of"
            ),
            Example(command: "simctl shrink big.json --finding not-drained", meaning: "keep to one finding"),
        ],
        notes: [
            "Every recurring entry becomes its single occurrences first. Ctrl-C ends it with the best so far. "
                + "docs/shrinking.md says what counts as the same way."
        ],
        outcomes: [
            Outcome(.met, "the smallest is written"),
            Outcome(.usage, "wrong arguments, or a scenario that does not fail, or not with that finding"),
            Outcome(.invalidInput, ExitCode.invalidInput.summary),
            Outcome(.internalError, ExitCode.internalError.summary),
            Outcome(.timeLimit, "a candidate took longer than ten minutes"),
            Outcome(.interrupted, "interrupted; the smallest until then is written"),
        ]
    )
}
