import Platform
import Verdict

/// What `simctl run --baseline` is asked for.
struct BaselineArguments: Equatable {
    /// The folder of a report, or its `summary.json`.
    var path: String
    var tolerances = Tolerances()
}

extension BaselineArguments {
    /// Flags that ask for another kind of run, of which there is no baseline.
    private static let excluded = ["--live", "--shard"]

    /// Nil without `--baseline`.
    init?(_ arguments: ParsedArguments) throws(ProgramError) {
        guard let path = arguments.values["--baseline"] else {
            guard arguments.has("--tolerance") else { return nil }
            throw ProgramError(.conflictingFlags, "--tolerance needs --baseline", hint: "--baseline reports/latest")
        }
        if let flag = Self.excluded.first(where: arguments.has) {
            throw ProgramError(
                .conflictingFlags,
                "--baseline and \(flag) exclude each other",
                hint: flag == "--shard" ? "merge the shards, then simctl compare" : nil
            )
        }
        guard arguments.scenarioFiles.count == 1 else {
            throw ProgramError(
                .conflictingFlags,
                "--baseline is for one scenario, and several files are named",
                hint: "run each with its own baseline"
            )
        }
        self.path = path
        if let text = arguments.values["--tolerance"] { tolerances = try Self.tolerances(text) }
    }

    /// From `10%`, or `excessLatency.p95=5s,requests.gitlab=2%`.
    private static func tolerances(_ text: String) throws(ProgramError) -> Tolerances {
        var tolerances = Tolerances()
        var seen: Set<String> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            let sides = part.split(separator: "=", maxSplits: 1).map(String.init)
            let name = sides.count == 2 ? sides[0] : ""
            guard seen.insert(name).inserted else {
                throw ProgramError(
                    .badValue,
                    "--tolerance says twice what is tolerated: \(part)",
                    hint: "keep one of them"
                )
            }
            if sides.count == 2 {
                guard let kind = ComparedFigure.Kind.judged.first(where: { $0.rawValue == name }) else {
                    throw unknown(name)
                }
                guard let amount = amount(sides[1], isDuration: kind != .requests) else { throw bad(part) }
                tolerances.own[kind] = amount
            } else {
                guard let amount = share(part) else { throw bad(part) }
                tolerances.others = amount
            }
        }
        return tolerances
    }

    private static func amount(_ text: String, isDuration: Bool) -> Tolerances.Amount? {
        if let share = share(text) { return share }
        if isDuration { return DurationNotation.parse(text).map { .absolute(Double($0.wholeMilliseconds)) } }
        guard let count = Int(text), (0...1_000_000_000).contains(count) else { return nil }
        return .absolute(Double(count))
    }

    private static func share(_ text: String) -> Tolerances.Amount? {
        guard text.hasSuffix("%"), let percent = Double(text.dropLast()), (0...1_000).contains(percent) else {
            return nil
        }
        return .share(percent / 100)
    }

    private static func unknown(_ name: String) -> ProgramError {
        let names = ComparedFigure.Kind.judged.map(\.rawValue)
        return ProgramError(
            .badValue,
            "--tolerance knows no figure \(name)",
            hint: NearestName.find(name, in: names).map { "did you mean \($0)?" }
                ?? "it knows " + names.joined(separator: ", ")
        )
    }

    private static func bad(_ text: String) -> ProgramError {
        ProgramError(
            .badValue,
            "\"\(text)\" is not a tolerance: --tolerance takes a share of the baseline, or amounts of single figures",
            hint: "--tolerance 5%, --tolerance excessLatency.p95=5s,requests.gitlab=2%"
        )
    }
}
