import JSON
import Platform
import Scenarios
import Verdict

/// `simctl shrink`: the smallest scenario that still fails in the same way.
struct ShrinkCommand {
    var arguments: ShrinkArguments
    var console: LiveConsole
    var environment: InheritedEnvironment

    /// - Throws: `ProgramError` when the scenario is none, or does not fail, or nothing can be run or written.
    func run() throws(ProgramError) -> ExitCode {
        let checked = try ScenarioFiles.read([arguments.file])[0]
        if let out = arguments.out { try LiveOutFile.check(out, besides: arguments.file) }
        let signals = try RunCommand.signals()
        let whole = try start(checked, signals)
        var shrinker = ScenarioShrinker(whole.document)
        var isInterrupted = false
        do throws(ProgramError) {
            try shrinker.shrink { (candidate) throws(ProgramError) in
                guard let scenario = Self.read(candidate) else { return false }
                if console.showsProgress { console.note("\r\(candidate.timelineCount) entries in the timeline  ") }
                return try findings(candidate, scenario, signals).contains(whole.finding)
            }
        } catch {
            guard error.code == .interrupted else { throw error }
            isInterrupted = true
        }
        if console.showsProgress { console.note("\r") }
        try hand(over: shrinker, of: whole, from: checked)
        return isInterrupted ? .interrupted : .met
    }

    /// What is to be made smaller, and what is to stay wrong with it.
    private struct Whole {
        var document: JSONValue
        var finding: String
    }

    /// Every occurrence by itself when that fails as the file does, else the file.
    private func start(_ checked: CheckedScenario, _ signals: LiveSignals) throws(ProgramError) -> Whole {
        let seed = arguments.seed.seeds(of: checked.scenario).lowerBound
        var scenario = checked.scenario
        scenario.seed = seed
        let written = Self.document(scenario.json)
        let found = try findings(written, scenario, signals)
        guard let worst = found.first else {
            throw ProgramError(
                .nothingToShrink,
                "\(checked.file) does not fail with seed \(seed)",
                hint: "--seed takes one that does: simctl run \(checked.file) --seeds 1..100"
            )
        }
        let finding = arguments.finding ?? worst
        guard found.contains(finding) else {
            throw ProgramError(
                .nothingToShrink,
                "\(checked.file) does not have the finding \"\(finding)\" with seed \(seed)",
                hint: "it has: " + found.joined(separator: " | ")
            )
        }
        if let planned = try? checked.scenario.plan(seed: seed) {
            let document = Self.document(planned.json)
            if let expanded = Self.read(document), try findings(document, expanded, signals).contains(finding) {
                return Whole(document: document, finding: finding)
            }
        }
        return Whole(document: written, finding: finding)
    }

    private func findings(
        _ document: JSONValue,
        _ scenario: Scenario,
        _ signals: LiveSignals
    ) throws(ProgramError) -> [String] {
        var found: [String] = []
        let source = ScenarioSource(file: arguments.file, text: document.text(indented: false))
        var pool = WorkerPool(
            count: 1,
            preamble: [.load(scenario: 0, source: source)],
            timeLimit: RunArguments.defaultTimeLimit,
            signals: signals,
            launch: { [environment] _ in .worker(environment) }
        )
        try pool.run([.judge(RunOrder(scenario: 0, seed: scenario.seed))]) { (_, outcome) throws(ProgramError) in
            found = RunFailure(outcome, of: scenario).findings
            return []
        }
        return found
    }

    private static func document(_ text: String) -> JSONValue {
        var reader = JSONReader(bytes: Array(text.utf8))
        guard let node = try? reader.read() else { preconditionFailure("a written scenario is JSON") }
        return node.value
    }

    /// Nil for what the checks refuse.
    private static func read(_ document: JSONValue) -> Scenario? {
        try? ScenarioReader.read(Array(document.text(indented: false).utf8), file: "candidate.json")
    }

    private func hand(
        over shrinker: ScenarioShrinker,
        of whole: Whole,
        from checked: CheckedScenario
    ) throws(ProgramError) {
        let description = "What is left of \(checked.scenario.name): \(whole.finding)."
        let text = shrinker.best.replacingText("description", with: description).text(indented: true) + "\n"
        if let out = arguments.out {
            do throws(SystemFailure) {
                try LiveFile.write(text: text, to: out)
            } catch {
                throw error.programError
            }
        } else {
            console.print(text)
        }
        console.note(
            "\(whole.finding): \(whole.document.timelineCount) entries of the timeline before, "
                + "\(shrinker.best.timelineCount) after, \(shrinker.proposals) candidates\n"
        )
    }
}

extension JSONValue {
    fileprivate var timelineCount: Int {
        guard case .array(let entries)? = self["timeline"] else { return 0 }
        return entries.count
    }

    /// The object with another text as that member, in its place.
    fileprivate func replacingText(_ key: String, with text: String) -> JSONValue {
        guard let members else { return self }
        return .object(members.map { $0.key == key ? JSONMember(key, .string(text)) : $0 })
    }
}
