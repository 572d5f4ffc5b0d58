import Verdict

extension CommandSyntax {
    static let fuzz = CommandSyntax(
        name: "fuzz",
        summary: "draw worlds that nobody wrote down, run them and say what is wrong",
        operands: .none,
        flags: [
            Flag(name: "--seeds", value: "A..B", summary: "one world for each seed from A to B"),
            Flag(
                name: "--for",
                value: "T",
                summary: "begin no world after this long, such as 10m (without --seeds: from 1)"
            ),
            Flag(
                name: "--relations",
                value: nil,
                summary: "run twins of each world that differ in what must not matter, and compare what was told"
            ),
            Flag(
                name: "--power-losses",
                value: nil,
                summary: "run a twin of each world whose power fails four times in the middle of commits, and no other"
            ),
            Flag(name: "--shard", value: "I/N", summary: "run the I-th of N parts of the seeds, for simctl merge"),
            Flag(name: "--jobs", value: "N", summary: "worker processes (default: one per core)"),
            Flag(name: "--out", value: "DIR", summary: "where findings go (default: nowhere); -o is the same"),
        ],
        examples: [
            Example(command: "simctl fuzz --seeds 1..100 --out findings", meaning: "a hundred worlds"),
            Example(command: "simctl fuzz --for 10m --out findings", meaning: "as many as ten minutes hold"),
            Example(command: "simctl fuzz --seeds 17..17", meaning: "the world of one seed again"),
            Example(command: "simctl fuzz --seeds 1..60 --relations", meaning: "sixty worlds, each with its twins"),
        ],
        notes: [
            "Faults end and every world comes to rest before it is judged. The output does not depend on --jobs. "
                + "docs/fuzzed-worlds.md says what counts as a finding.",
            "--seeds or --for is needed. --out gets a scenario of each finding, fuzz-SEED.json, and coverage.md, which says "
                + "what was drawn; with --shard also what simctl merge needs.",
        ],
        outcomes: [
            Outcome(.met, "nothing was found"), Outcome(.failed, "something was found"),
            Outcome(.usage, ExitCode.usage.summary), Outcome(.internalError, ExitCode.internalError.summary),
            Outcome(.timeLimit, "a world took longer than ten minutes"),
            Outcome(.interrupted, "interrupted; what was found until then is told"),
        ]
    )
}
