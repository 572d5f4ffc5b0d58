import Platform
import Verdict

/// The arguments of `simctl compare`.
struct CompareArguments: Equatable {
    /// What is compared.
    enum Subject: Equatable {
        /// Two folders of reports, or their `summary.json`.
        case reports(String, String)
        /// One scenario, run twice.
        case scenario(String, CompareRuns)
    }

    var subject: Subject
    var output = OutputStyle()
    /// The file named with `--out`.
    var out: String?
    /// The file named with `--html`.
    var page: String?
}

/// How the two sides of a comparison are run.
struct CompareRuns: Equatable {
    var seeds = SeedSelection.range(1...20)
    /// Another build for the second side.
    var otherProgram: String?
    /// Settings of the second side.
    var settings: [SettingChange] = []
    /// The folder in which the two reports go.
    var reports: String?
    var jobs: Int?
    var timeLimit = RunArguments.defaultTimeLimit
}

extension CompareArguments {
    /// Flags that only a scenario has use for.
    private static let ofRuns = ["--with-simctl", "--set", "--seeds", "--reports", "--jobs", "--time-limit"]

    init(_ arguments: ParsedArguments) throws(ProgramError) {
        let operands = arguments.operands
        if operands.count == 2 {
            if let flag = Self.ofRuns.first(where: arguments.has) {
                throw ProgramError(
                    .conflictingFlags,
                    "\(flag) is for a scenario that is run, and two reports are not",
                    hint: "simctl compare SCENARIO \(flag) …"
                )
            }
            subject = .reports(operands[0], operands[1])
        } else {
            subject = .scenario(operands[0], try CompareRuns(arguments))
        }
        output = OutputStyle(arguments)
        out = arguments.values["--out"]
        page = arguments.values["--html"]
        if let page, page == out {
            throw ProgramError(.conflictingFlags, "--out and --html name one file", hint: "name two files")
        }
    }
}

extension CompareRuns {
    init(_ arguments: ParsedArguments) throws(ProgramError) {
        for text in arguments.all("--set") { settings.append(try SettingChange(text, flag: "--set")) }
        otherProgram = arguments.values["--with-simctl"]
        guard otherProgram != nil || !settings.isEmpty else {
            throw ProgramError(
                .missingOperand,
                "a scenario is compared with itself only under another build or other settings",
                hint: "--with-simctl PATH, --set notifier.KEY=VALUE, or name two reports"
            )
        }
        if let first = SettingChange.repeated(settings) {
            throw ProgramError(.repeatedFlag, "notifier.\(first) is set twice", hint: "keep one of them")
        }
        if arguments.has("--seeds") { seeds = try SeedSelection(arguments) }
        if case .range(let range) = seeds, range.count > ComparedReport.maximumSeeds {
            throw ProgramError(
                .badValue,
                "\(range.count) seeds: at most \(ComparedReport.maximumSeeds) are compared",
                hint: "--seeds 1..1000 tells small differences"
            )
        }
        reports = arguments.values["--reports"]
        if let text = arguments.values["--jobs"] { jobs = try RunArguments.jobs(text) }
        if let text = arguments.values["--time-limit"] { timeLimit = try RunArguments.timeLimit(text) }
    }
}
