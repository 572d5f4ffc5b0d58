extension CommandSyntax {
    static let crashSweep = CommandSyntax(
        name: "crash-sweep",
        summary: "crash the notifier at every durable step of a run, one after the other",
        operands: Operands(notation: "FILE", count: 1...1),
        flags: [
            Flag(name: "--seed", value: "N", summary: "the seed to run (default: the one in the file)"),
            Flag(name: "--at", value: "STEP:N", summary: "only the crash at a step's nth time"),
            Flag(name: "--every", value: "K", summary: "of each step only every kth time (default: 1, all of them)"),
            Flag(
                name: "--then",
                value: "N",
                summary: "after each crash another one, at the first N times of each step in the next process"
            ),
            Flag(
                name: "--keeps",
                value: "KIND",
                summary: "the power fails in the middle of commits; the disk keeps nothing, some, torn or garbage"
            ),
            Flag(name: "--jobs", value: "N", summary: "worker processes (default: one per core)"),
            Flag(name: "--out", value: "DIR", summary: "where the scenarios of findings go (default: nowhere)"),
        ],
        examples: [
            Example(
                command: "simctl crash-sweep scenarios/regressions/todo-undone.json --out findings",
                meaning: "every crash of a run"
            ),
            Example(
                command: "simctl crash-sweep scenarios/regressions/todo-undone.json --at after-push:2",
                meaning: "one of them"
            ),
            Example(
                command: "simctl crash-sweep scenarios/regressions/todo-undone.json --keeps torn",
                meaning: "a loss of power before every write and every sync"
            ),
        ],
        notes: [
            "A finding is what the run without a crash does not have. docs/crash-sweep.md says what counts as a step."
        ]
    )
}
