import Verdict

/// What may be written after `simctl NAME`: the one table from which arguments are read and help is printed.
struct CommandSyntax: Sendable {
    /// The operands of a command: what stands there without a flag.
    struct Operands: Sendable {
        /// As in the usage line, such as `FILE…`.
        var notation: String
        var count: ClosedRange<Int>

        static let none = Operands(notation: "", count: 0...0)
    }

    struct Flag: Sendable {
        /// With its dashes.
        var name: String
        /// What its value is called; nil for a flag without one.
        var value: String?
        var summary: String
        /// Whether it may stand several times, each with a value of its own.
        var isRepeatable = false
    }

    struct Example: Sendable {
        var command: String
        var meaning: String
    }

    struct Outcome: Sendable {
        var code: ExitCode
        var meaning: String

        init(_ code: ExitCode, _ meaning: String) {
            (self.code, self.meaning) = (code, meaning)
        }

        /// Of a command that judges no requirement: what it says when it is done, and what keeps any command from that.
        static func own(_ outcomes: [Outcome], and others: [ExitCode] = []) -> [Outcome] {
            outcomes + ([.usage, .invalidInput, .internalError] + others).map { Outcome($0, $0.summary) }
        }
    }

    var name: String
    var summary: String
    var operands: Operands
    var flags: [Flag]
    var examples: [Example]
    /// More to know, as paragraphs.
    var notes: [String] = []
    /// What it ends with, where that is not all that a run ends with, or means something else.
    var outcomes = ExitCode.allCases.map { Outcome($0, $0.summary) }

    /// Every command has it.
    static let help = Flag(name: "--help", value: nil, summary: "print this text")

    /// The commands a person may call, in the order of the help text.
    static let all = [
        run, merge, report, compare, sweep, fuzz, shrink, crashSweep, importing, check, schema, openAPI, doctor,
        explain, bench,
        benchPush, serve, completion, manual,
    ]

    /// Files named on a command line beyond these are refused.
    static let maximumFiles = 1_000

    static func named(_ name: String) -> CommandSyntax? {
        all.first { $0.name == name }
    }

    func flag(named name: String) -> Flag? {
        name == Self.help.name ? Self.help : flags.first { $0.name == name }
    }
}

extension CommandSyntax {
    private static let json = Flag(
        name: "--json",
        value: nil,
        summary: "print JSON on standard output, and nothing else"
    )
    private static let quiet = Flag(name: "--quiet", value: nil, summary: "print only the result lines")
    private static let out = Flag(
        name: "--out",
        value: "DIR",
        summary: "where the report goes (default: a folder under reports/); -o is the same"
    )
    private static let timeLimit = Flag(
        name: "--time-limit",
        value: "T",
        summary: "longest real time for one seed, such as 90s (default: 10m)"
    )
    private static let oneOrMoreFiles = Operands(notation: "FILE…", count: 1...maximumFiles)

    static let run = CommandSyntax(
        name: "run",
        summary: "run scenarios and judge what the notifier delivered",
        operands: oneOrMoreFiles,
        flags: [
            Flag(name: "--seed", value: "N", summary: "run this seed (default: the one in the file)"),
            Flag(name: "--seeds", value: "A..B", summary: "run all seeds from A to B and judge them together"),
            Flag(name: "--shard", value: "I/N", summary: "run the I-th of N parts of the seeds, for simctl merge"),
            Flag(name: "--jobs", value: "N", summary: "worker processes (default: one per core)"),
            json,
            quiet,
            out,
            Flag(name: "--explore", value: nil, summary: "let the seed also choose among runnable jobs"),
            timeLimit,
            Flag(
                name: "--baseline",
                value: "REPORT",
                summary: "also fail when worse than this report or its summary.json, beyond noise and tolerance"
            ),
            Flag(
                name: "--tolerance",
                value: "T",
                summary: "with --baseline: what would not matter, 5% or excessLatency.p95=5s,… (default: 10%)"
            ),
            Flag(
                name: "--metrics-every",
                value: "T",
                summary: "also report the notifier's metrics over virtual time, asked for every T, such as 30s"
            ),
            Flag(
                name: "--live",
                value: nil,
                summary: "on sockets, against notifierd in a process of its own, and in simulation beside it"
            ),
            Flag(name: "--speed", value: "N", summary: "with --live: N times as fast as the clock (default: 60)"),
            Flag(name: "--notifierd", value: "PATH", summary: "with --live: the program (default: beside simctl)"),
            Flag(
                name: "--incident",
                value: "FILE",
                summary: "with --live: also keep what notifierd export-incident tells in the end, of the first seed"
            ),
        ],
        examples: [
            Example(command: "simctl run scenarios/outage.json", meaning: "one run with the file's own seed"),
            Example(
                command: "simctl run scenarios/outage.json --seeds 1..300",
                meaning: "three hundred, judged together"
            ),
            Example(command: "simctl run scenarios/*.json --quiet", meaning: "the whole library, one line per gate"),
            Example(command: "simctl run scenarios/restart.json --seed 41 --json", meaning: "for a machine"),
            Example(
                command: "simctl run scenarios/outage.json --seeds 1..20 --baseline baselines/outage",
                meaning: "no worse than that report"
            ),
            Example(command: "simctl run --live --speed 60 scenarios/restart.json", meaning: "an hour in a minute"),
        ],
        notes: [
            "Every file is checked before anything runs. With several files the exit code is the one that matters most.",
            "With --out and several files, DIR gets one folder per scenario. Among several files, those that end in "
                + ".schema.json are passed over.",
        ]
    )

    static let merge = CommandSyntax(
        name: "merge",
        summary: "put the shards of a run, a sweep or a fuzz together",
        operands: Operands(notation: "DIR…", count: 1...Shard.maximumCount),
        flags: [out, json, quiet, timeLimit],
        examples: [
            Example(
                command: "simctl merge shards/1 shards/2 shards/3 -o reports/week",
                meaning: "the folders that --shard 1/3, 2/3 and 3/3 wrote, in any order"
            ),
            Example(
                command: "simctl merge findings/* -o all",
                meaning: "what simctl fuzz --shard found, as one call tells it"
            ),
        ],
        notes: [
            "The report is, byte for byte, that of one call over all seeds, but for the figures of real time. One seed is run "
                + "again, to tell it in detail; it must give the same run as in its shard.",
            "The table of a sweep and what a fuzzing tells are those of one call, too; the reports of a sweep's combinations are "
                + "copied. Without -o nothing but the table is kept of a fuzzing.",
            "All shards must be there, each once, of one scenario, one choice of seeds and this very build.",
        ]
    )

    static let check = CommandSyntax(
        name: "check",
        summary: "say what is wrong with scenario files, without running them",
        operands: oneOrMoreFiles,
        flags: [
            Flag(name: "--json", value: nil, summary: "print one JSON object per file"),
            Flag(name: "--quiet", value: nil, summary: "say nothing about valid files"),
            Flag(name: "--plan", value: nil, summary: "also list what happens when, by the file's own seed"),
        ],
        examples: [
            Example(command: "simctl check scenarios/*.json", meaning: "exit 0 when all are valid, else 65"),
            Example(
                command: "simctl check --plan scenarios/outage.json",
                meaning: "every step, nothing left to chance"
            ),
        ]
    )

    static let schema = CommandSyntax(
        name: "schema",
        summary: "print the JSON Schema of scenario files, or of a file of a report",
        operands: Operands(notation: "[scenario|summary|seeds]", count: 0...1),
        flags: [],
        examples: [
            Example(
                command: "simctl schema summary > scenarios/summary.schema.json",
                meaning: "what summary.json obeys"
            ),
            Example(
                command: "simctl schema > scenarios/scenario.schema.json",
                meaning: "the file editors complete from"
            ),
        ]
    )

    static let openAPI = CommandSyntax(
        name: "openapi",
        summary: "print the OpenAPI document of the notifier's REST API",
        operands: .none,
        flags: [],
        examples: [
            Example(command: "simctl openapi > openapi.json", meaning: "what GET /openapi.json gives")
        ]
    )

    static let doctor = CommandSyntax(
        name: "doctor",
        summary: "prove that the same seed always gives the same run",
        operands: Operands(notation: "[SCENARIO…]", count: 0...maximumFiles),
        flags: [json, quiet],
        examples: [
            Example(command: "simctl doctor", meaning: "every file of scenarios/"),
            Example(command: "simctl doctor scenarios/restart.json", meaning: "one of them"),
        ],
        notes: [
            "Each scenario runs twice in one process, in two more processes with another time zone, language and home "
                + "folder, and once after another seed. When a digest differs, the first differing event is printed."
        ]
    )

    static let explain = CommandSyntax(
        name: "explain",
        summary: "tell the story of one activity, in order",
        operands: Operands(notation: "REPORT ACTIVITY", count: 2...2),
        flags: [
            Flag(name: "--seed", value: "N", summary: "whose activity, when the report holds several seeds"), json,
        ],
        examples: [
            Example(command: "simctl explain reports/latest 17", meaning: "an activity by its number in the ledger")
        ],
        notes: [
            "A run prints the line that explains its first miss; ledger.jsonl in the report lists the activities, abnormal "
                + "ones first. Of several seeds the report keeps only the abnormal ones."
        ],
        outcomes: [
            Outcome(.met, "the story is told, whatever its end"),
            Outcome(.usage, "wrong arguments, or an activity or a seed that the report does not have"),
            Outcome(.invalidInput, "a folder that is no report, or a damaged one"),
            Outcome(.internalError, ExitCode.internalError.summary),
        ]
    )

    static let bench = CommandSyntax(
        name: "bench",
        summary: "measure the speed and the memory of a run",
        operands: .none,
        flags: [
            Flag(name: "--duties", summary: "only a year of duties, which needs no scenario"),
            Flag(
                name: "--team",
                summary: "only the memory of three hundred people's day (scenarios/bench/big-team.json)"
            ),
            json, quiet,
        ],
        examples: [
            Example(command: "simctl bench", meaning: "a table of figures and goals"),
            Example(command: "simctl bench --json", meaning: "the same for a machine"),
        ],
        notes: ["Reads scenarios/bench/reference-day.json and scenarios/quiet-month.json below the current directory."]
    )

    static let benchPush = CommandSyntax(
        name: "bench-push",
        summary: "measure how fast the notifier pushes to a served APNs",
        operands: Operands(notation: "SERVED", count: 1...1),
        flags: [
            Flag(name: "--rounds", value: "N", summary: "notifications for each device, 1 to 6 (default: 1)"),
            Flag(
                name: "--concurrency",
                value: "N",
                summary: "pushes under way at the same time, 1 to 1000 (default: the notifier's)"
            ),
            Flag(
                name: "--folder",
                value: "DIR",
                summary: "where the database is made (default: a folder that is deleted afterwards)"
            ),
        ],
        examples: [
            Example(
                command: "simctl bench-push served.json --rounds 5",
                meaning: "rate and percentiles as one JSON object"
            )
        ],
        notes: [
            "SERVED is a file with the first line of simctl serve, whose world tells people and devices. The notifier's outbox "
                + "is filled through its REST API; then its delivery runs on a database file until the outbox is empty. Its "
                + "log goes to standard error. make bench-live calls this."
        ]
    )

    static let serve = CommandSyntax(
        name: "serve",
        summary: "serve a scenario's GitLab and APNs on sockets, for any client",
        operands: Operands(notation: "FILE", count: 1...1),
        flags: [
            Flag(name: "--speed", value: "N", summary: "let time pass N times as fast, 1 to 86400 (default: 1)"),
            Flag(name: "--gitlab", value: "PORT", summary: "where GitLab listens (default: any free port)"),
            Flag(name: "--apns", value: "PORT", summary: "where APNs for production listens (default: any free port)"),
            Flag(name: "--control", value: "PORT", summary: "where the control API listens (default: any free port)"),
            Flag(
                name: "--cert-dir",
                value: "DIR",
                summary: "where the authority to trust and the provider key are written (default: a folder that goes "
                    + "with the server)"
            ),
            Flag(
                name: "--apns-streams",
                value: "N",
                summary: "how many streams APNs allows on a connection that has shown a good token (default: 1000)"
            ),
            Flag(
                name: "--apns-bad-answers",
                value: "N",
                summary: "after how many bad answers APNs ends a connection (default: 2000, as it has been seen to)"
            ),
            Flag(
                name: "--instant",
                value: nil,
                summary: "APNs answers at once, without the time a real one takes"
            ),
            Flag(
                name: "--webhooks",
                value: "URL",
                summary: "where GitLab's webhooks go, http:// on this machine (default: nowhere)"
            ),
            Flag(name: "--quiet", value: nil, summary: "print the first line only, without the trace"),
        ],
        examples: [
            Example(
                command: "simctl serve scenarios/newcomer.json",
                meaning: "the first line says where everything is"
            ),
            Example(
                command: "simctl serve scenarios/outage.json --speed 60 --gitlab 8443 --cert-dir certs",
                meaning: "an hour a minute"
            ),
        ],
        notes: [
            "Everything listens on 127.0.0.1 only. The world has no notifier of its own: yours is the one. It ends on SIGTERM "
                + "and Ctrl-C. docs/serve.md says more."
        ]
    )
}
