import FakeGitLab
import HTTP
import Testing

@testable import Harness
@testable import Verdict
@testable import Workbench

/// What is written on a command line, and what is understood.
struct CommandTests {
    @Test func `a run takes files and every one of its flags in any order`() throws {
        var expected = RunArguments(files: ["a.json", "b.json"])
        expected.seeds = .range(1...100)
        expected.jobs = 3
        expected.output = OutputStyle(isJSON: true, isQuiet: true)
        expected.out = "there"
        expected.exploresSchedules = true
        expected.shard = Shard(number: 3, count: 20)
        expected.timeLimit = .seconds(90)
        let arguments = [
            "run", "--json", "a.json", "--seeds=1..100", "--jobs", "3", "b.json", "--quiet", "--out", "there",
            "--explore",
            "--time-limit", "1m30s", "--shard", "3/20",
        ]
        #expect(try Command(arguments: arguments) == .run(expected))
    }

    @Test func `a live run has a speed and a program`() throws {
        var expected = RunArguments(files: ["a.json"])
        expected.live = LiveArguments()
        #expect(try Command(arguments: ["run", "--live", "a.json"]) == .run(expected))
        expected.live = LiveArguments(speed: 600, notifierd: "there/notifierd")
        let arguments = ["run", "a.json", "--notifierd", "there/notifierd", "--live", "--speed=600"]
        #expect(try Command(arguments: arguments) == .run(expected))
    }

    @Test(arguments: [
        ["--speed", "60"], ["--notifierd", "x"], ["--live", "--jobs", "2"], ["--live", "--explore"],
        ["--live", "--shard", "1/2"], ["--live", "--time-limit", "1m"], ["--live", "--metrics-every", "30s"],
    ])
    func `flags of live runs and of others do not go together`(flags: [String]) {
        #expect { try Command(arguments: ["run", "a.json"] + flags) } throws: { error in
            (error as? ProgramError)?.code == .conflictingFlags
        }
    }

    @Test func `a run of one file needs nothing else`() throws {
        #expect(try Command(arguments: ["run", "a.json"]) == .run(RunArguments(files: ["a.json"])))
    }

    @Test func `after two dashes everything is a file`() throws {
        #expect(try Command(arguments: ["run", "--", "--odd"]) == .run(RunArguments(files: ["--odd"])))
    }

    @Test func `the schema that lies among the scenarios is passed over, unless it is all there is`() throws {
        let files = ["s/a.json", "s/scenario.schema.json"]
        #expect(try Command(arguments: ["run"] + files) == .run(RunArguments(files: ["s/a.json"])))
        #expect(try Command(arguments: ["check"] + files) == .check(CheckArguments(files: ["s/a.json"])))
        #expect(try Command(arguments: ["check", files[1]]) == .check(CheckArguments(files: [files[1]])))
    }

    @Test(arguments: [
        (["check", "a"], Command.check(CheckArguments(files: ["a"]))),
        (["schema"], .schema(.scenario)), (["schema", "scenario"], .schema(.scenario)),
        (["schema", "summary"], .schema(.report(.summary))), (["schema", "seeds"], .schema(.report(.seeds))),
        (["openapi"], .openAPI),
        (["merge", "a", "b", "-o", "c"], .merge(MergeArguments(folders: ["a", "b"], out: "c"))),
        (["doctor"], .doctor(files: [], output: OutputStyle())),
        (["doctor", "a", "b", "--json"], .doctor(files: ["a", "b"], output: OutputStyle(isJSON: true))),
        (["explain", "r", "17"], .explain(ExplainArguments(report: "r", activity: 17))),
        (["explain", "r", "#17"], .explain(ExplainArguments(report: "r", activity: 17))),
        (["explain", "r", "17", "--seed", "4"], .explain(ExplainArguments(report: "r", activity: 17, seed: 4))),
        (["bench", "--json"], .bench(output: OutputStyle(isJSON: true))),
        (["bench", "--duties"], .bench(output: OutputStyle(), part: .duties)),
        (["bench", "--team"], .bench(output: OutputStyle(), part: .team)),
        (["serve", "a.json"], .serve(ServeArguments(file: "a.json"))),
        (["worker"], .worker),
        (["--version"], .version),
        (["--help"], .help(HelpText.program)),
        (["help"], .help(HelpText.program)),
    ])
    func `each command is understood`(arguments: [String], command: Command) throws {
        #expect(try Command(arguments: arguments) == command)
    }

    @Test func `a server takes each of its flags`() throws {
        var expected = ServeArguments(file: "a.json")
        expected.speed = 60
        expected.gitlabPort = 8_443
        expected.apnsPort = 2_197
        expected.controlPort = 9_000
        expected.folder = "certs"
        expected.webhook = Webhook(
            origin: HTTPOrigin(scheme: "http", host: "127.0.0.1", port: 9_000),
            target: "/in",
            secret: WorldSecrets.webhook
        )
        let arguments = [
            "serve", "a.json", "--speed", "60", "--gitlab", "8443", "--apns=2197", "--control", "9000", "--cert-dir",
            "certs", "--webhooks", "http://127.0.0.1:9000/in",
        ]
        #expect(try Command(arguments: arguments) == .serve(expected))
    }

    @Test(arguments: [
        ["--speed", "0"], ["--speed", "fast"], ["--gitlab", "65536"], ["--apns", "x"],
        ["--webhooks", "http://example.com/in"], ["--webhooks", "https://127.0.0.1/in"], ["--webhooks", "9000"],
    ])
    func `a server refuses values out of range`(flags: [String]) {
        let error = #expect(throws: ProgramError.self) { try Command(arguments: ["serve", "a.json"] + flags) }
        #expect(error?.code == .badValue)
    }

    @Test func `a check takes each of its flags`() throws {
        var expected = CheckArguments(files: ["a", "b"])
        expected.output = OutputStyle(isJSON: true, isQuiet: true)
        expected.showsPlan = true
        #expect(try Command(arguments: ["check", "--plan", "a", "--json", "b", "--quiet"]) == .check(expected))
    }

    @Test(arguments: [
        ([], ProgramError.Code.missingOperand),
        (["check"], .missingOperand),
        (["check", "--frobnicate", "x.json"], .unknownFlag),
        (["rnu", "a"], .unknownCommand),
        (["--seeds"], .unknownFlag),
        (["run"], .missingOperand),
        (["run", "a", "--sede", "1"], .unknownFlag),
        (["run", "a", "-s"], .unknownFlag),
        (["run", "a", "--seed"], .missingValue),
        (["run", "a", "--seed="], .missingValue),
        (["run", "a", "--seed", "--json"], .missingValue),
        (["run", "a", "--json=yes"], .unexpectedValue),
        (["run", "a", "--json", "--json"], .repeatedFlag),
        (["run", "a", "--seed", "1", "--seeds", "1..2"], .conflictingFlags),
        (["run", "a", "--seed", "-1"], .badValue),
        (["run", "a", "--seed", "+1"], .badValue),
        (["run", "a", "--seed", "1..2"], .badValue),
        (["run", "a", "--seed", "9007199254740992"], .badValue),
        (["run", "a", "--seeds", "5"], .badValue),
        (["run", "a", "--seeds", "2..1"], .badValue),
        (["run", "a", "--seeds", "1...2"], .badValue),
        (["run", "a", "--seeds", "..2"], .badValue),
        (["run", "a", "--seeds", "0..100000"], .badValue),
        (["run", "a", "--jobs", "0"], .badValue),
        (["run", "a", "--jobs", "257"], .badValue),
        (["run", "a", "--time-limit", "90"], .badValue),
        (["run", "a", "--time-limit", "0s"], .badValue),
        (["run", "a", "--shard", "3"], .badValue),
        (["run", "a", "--shard", "0/20"], .badValue),
        (["run", "a", "--shard", "21/20"], .badValue),
        (["run", "a", "--shard", "1/0"], .badValue),
        (["run", "a", "--shard", "1/10001"], .badValue),
        (["run", "a", "--shard", "+1/2"], .badValue),
        (["run", "a", "--shard", "1/2/3"], .badValue),
        (["merge"], .missingOperand),
        (["merge", "a", "-o"], .missingValue),
        (["schema", "a"], .unexpectedOperand),
        (["explain", "r"], .missingOperand),
        (["explain", "r", "note/1"], .badValue),
        (["explain", "r", "a", "b"], .unexpectedOperand),
        (["bench", "a"], .unexpectedOperand),
        (["serve", "a", "--apns-streams", "0"], .badValue),
        (["serve", "a", "--apns-bad-answers", "0"], .badValue),
        (["bench-push"], .missingOperand),
        (["bench-push", "a", "--rounds", "7"], .badValue),
        (["bench-push", "a", "--concurrency", "many"], .badValue),
    ])
    func `what cannot be understood is a usage error with a stable code`(
        arguments: [String],
        code: ProgramError.Code
    ) {
        let error = #expect(throws: ProgramError.self) { try Command(arguments: arguments) }
        #expect(error?.code == code)
        #expect(error?.code.exitCode == .usage)
    }

    @Test(arguments: [
        (["rnu", "a"], "did you mean simctl run?"),
        (["dcotor"], "did you mean simctl doctor?"),
        (["run", "a", "--sede", "1"], "did you mean --seed?"),
        (["run", "a", "--qiuet"], "did you mean --quiet?"),
        (["run", "a", "--seed", "1..2"], "for a range write --seeds 1..2"),
        (["run", "a", "--seeds", "2..1"], "--seeds 1..2"),
        (["frobnicate"], "simctl --help lists them"),
        (["schema", "sumary"], "did you mean simctl schema summary?"),
        (["run", "a", "--shard", "0/20"], "--shard 1/20 to --shard 20/20"),
        (["run", "a", "--seeds", "1.."], "--seeds 1..100"),
        (["run", "a", "--seeds", ".."], "--seeds 1..100"),
        (
            ["sweep", "a", "--grow", "items", "--until", "excessLatency.p95 <= 60"],
            "a time has a unit: --until \"excessLatency.p95 <= 60s\""
        ),
    ])
    func `a usage error names the nearest thing that exists`(arguments: [String], hint: String) {
        let error = #expect(throws: ProgramError.self) { try Command(arguments: arguments) }
        #expect(error?.hint == hint)
    }

    @Test func `help tells the exit codes of its own command`() {
        let shrink = HelpText.command(CommandSyntax.shrink)
        #expect(shrink.contains("a scenario that does not fail") && !shrink.contains("all requirements met"))
        #expect(!HelpText.command(CommandSyntax.importing).contains("an invariant broke"))
        #expect(HelpText.command(CommandSyntax.fuzz).contains("something was found"))
        #expect(HelpText.command(CommandSyntax.run).contains("an invariant broke"))
    }

    @Test(arguments: CommandSyntax.all.map(\.name))
    func `every command explains itself with examples that it understands`(name: String) throws {
        let syntax = try #require(CommandSyntax.named(name))
        guard case .help(let text) = try Command(arguments: [name, "--help"]) else {
            Issue.record("no help for \(name)")
            return
        }
        #expect(try Command(arguments: ["help", name]) == .help(text))
        #expect(!syntax.examples.isEmpty)
        for flag in syntax.flags { #expect(text.contains(flag.name)) }
        let codes = syntax.outcomes.map(\.code.rawValue)
        #expect(codes == codes.sorted())
        #expect(syntax.outcomes.contains { $0.code == .met } && syntax.outcomes.contains { $0.code == .usage })
        for outcome in syntax.outcomes {
            let lines = text.split(separator: "\n").filter { $0.hasPrefix("  \(outcome.code.rawValue) ") }
            #expect(lines.contains { $0.hasSuffix(" " + outcome.meaning) }, "\(outcome.meaning)")
        }
        for example in syntax.examples {
            #expect(text.contains(example.command))
            // A shell takes the quotes away.
            let bare = example.command.split(separator: " ").map { String($0.filter { $0 != "'" }) }
            let words = bare.prefix { $0 != ">" }
            #expect(throws: Never.self) { try Command(arguments: Array(words.dropFirst())) }
        }
    }
}
