import JSON
import Platform
import Scenarios
import Verdict

/// `simctl check FILE…`: says whether scenario files are sound, without running anything.
struct CheckCommand {
    let arguments: CheckArguments
    /// Takes text for standard output, with its newlines.
    let output: (String) -> Void
    /// Takes text for standard error, with its newlines.
    let errors: (String) -> Void

    /// Checks every file, also after one that is broken.
    func run() -> ExitCode {
        var code = ExitCode.met
        for file in arguments.files where !check(file) { code = .invalidInput }
        return code
    }

    private func check(_ file: String) -> Bool {
        do throws(InvalidScenario) {
            let scenario = try ScenarioReader.read(path: file)
            // The reader has planned it once already, so this cannot fail.
            guard let plan = try? scenario.plan(seed: scenario.seed) else { return false }
            accept(plan, file: file)
            return true
        } catch {
            refuse(error, file: file)
            return false
        }
    }

    private func accept(_ plan: ResolvedScenario, file: String) {
        if arguments.output.isJSON {
            output(Self.summary(of: plan, file: file).text(indented: false) + "\n")
        } else if !arguments.output.isQuiet {
            output(Self.sentence(about: plan, file: file) + "\n")
        }
        guard arguments.showsPlan else { return }
        for step in plan.steps { output(Self.line(for: step) + "\n") }
    }

    private func refuse(_ error: InvalidScenario, file: String) {
        guard arguments.output.isJSON else {
            for problem in error.problems { errors(problem.text + "\n") }
            return
        }
        let object = JSONValue.object([
            JSONMember("file", .string(file)),
            JSONMember("valid", .bool(false)),
            JSONMember("problems", .array(error.problems.map(\.json))),
        ])
        output(object.text(indented: false) + "\n")
    }

    private static func sentence(about plan: ResolvedScenario, file: String) -> String {
        let scenario = plan.scenario
        let counts = [
            "\(scenario.world.people.count) people",
            "\(scenario.world.itemReferences.count) items",
            "\(plan.steps.count) steps in \(DurationNotation.text(scenario.duration))",
            "\(scenario.expectations.count) gates",
            "\(scenario.probes.count) probes",
        ]
        let skipped = plan.skippedOccurrences == 0 ? "" : ", \(plan.skippedOccurrences) occurrences skipped"
        return "\(file): valid (\(counts.joined(separator: ", "))\(skipped))"
    }

    private static func summary(of plan: ResolvedScenario, file: String) -> JSONValue {
        .object([
            JSONMember("file", .string(file)),
            JSONMember("valid", .bool(true)),
            JSONMember("name", .string(plan.scenario.name)),
            JSONMember("steps", .integer(Int64(plan.steps.count))),
            JSONMember("skippedOccurrences", .integer(Int64(plan.skippedOccurrences))),
            JSONMember("problems", .array([])),
        ])
    }

    /// One step of the plan, such as `1h2m  comment {…}`.
    private static func line(for step: Step) -> String {
        "\(DurationNotation.text(step.offset))\t\(ScenarioEncoder.entry(step.asEntry).text(indented: false))"
    }
}
