/// Exit codes of the commands about scenario files (design §9).
package enum ScenarioExitCode {
    package static let success: Int32 = 0
    /// The command line is wrong.
    package static let usage: Int32 = 64
    /// A scenario file is wrong.
    package static let invalidScenario: Int32 = 65
}

/// `simctl check FILE…`: says whether scenario files are sound, without running anything.
package enum CheckCommand {
    package static let help = """
        usage: simctl check [--json] [--quiet] [--plan] FILE...

        Reads scenario files and reports everything that is wrong with them: place, JSON pointer, what would be
        allowed, and the nearest name. Nothing is run.

          --json    one JSON object per line and file
          --quiet   say nothing about sound files
          --plan    also list what happens when, with every choice made by the scenario's own seed

        examples:
          simctl check scenarios/outage.json
          simctl check --quiet scenarios/*.json

        exit codes: 0 all files are sound, 64 wrong usage, 65 a file is not a valid scenario
        """

    /// Runs the command. `output` takes text for standard output, `errors` for standard error, each with its newline;
    /// returns the exit code.
    package static func run(
        _ arguments: [String],
        output: (String) -> Void,
        errors: (String) -> Void
    ) -> Int32 {
        if arguments.contains("--help") || arguments.contains("-h") {
            output(help + "\n")
            return ScenarioExitCode.success
        }
        let options = arguments.filter { $0.hasPrefix("--") }
        let files = arguments.filter { !$0.hasPrefix("--") }
        if let unknown = options.first(where: { !["--json", "--quiet", "--plan"].contains($0) }) {
            errors("simctl check: unknown option \(unknown)\n\(help)\n")
            return ScenarioExitCode.usage
        }
        guard !files.isEmpty else {
            errors("simctl check: name at least one scenario file\n\(help)\n")
            return ScenarioExitCode.usage
        }
        var code = ScenarioExitCode.success
        // The schema stands beside the scenarios, so that a pattern such as scenarios/*.json names it, too.
        for file in files where !file.hasSuffix(".schema.json") && !check(file, Set(options), output, errors) {
            code = ScenarioExitCode.invalidScenario
        }
        return code
    }

    private static func check(
        _ file: String,
        _ options: Set<String>,
        _ output: (String) -> Void,
        _ errors: (String) -> Void
    ) -> Bool {
        do throws(InvalidScenario) {
            let scenario = try ScenarioReader.read(path: file)
            // The reader has planned it once already, so this cannot fail.
            guard let plan = try? scenario.plan(seed: scenario.seed) else { return false }
            if options.contains("--json") {
                output(summary(of: plan, file: file).text(indented: false) + "\n")
            } else if !options.contains("--quiet") {
                output(sentence(about: plan, file: file) + "\n")
            }
            if options.contains("--plan") { for step in plan.steps { output(line(for: step) + "\n") } }
            return true
        } catch {
            if options.contains("--json") {
                let object = JSONValue.object([
                    JSONMember("file", .string(file)),
                    JSONMember("valid", .bool(false)),
                    JSONMember("problems", .array(error.problems.map(\.json))),
                ])
                output(object.text(indented: false) + "\n")
            } else {
                for problem in error.problems { errors(problem.text + "\n") }
            }
            return false
        }
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

/// `simctl schema`: prints the JSON Schema of scenario files.
package enum SchemaCommand {
    package static let help = """
        usage: simctl schema

        Prints the JSON Schema (draft 2020-12) of scenario files. Name it as "$schema" in a scenario, and editors
        complete and check it.

        example:
          simctl schema > scenarios/scenario.schema.json
        """

    /// The schema, with a newline at its end.
    package static var schema: String { SchemaWriter.scenarioSchema() }

    /// Runs the command; see `CheckCommand.run`.
    package static func run(
        _ arguments: [String],
        output: (String) -> Void,
        errors: (String) -> Void
    ) -> Int32 {
        if arguments == ["--help"] || arguments == ["-h"] {
            output(help + "\n")
            return ScenarioExitCode.success
        }
        guard arguments.isEmpty else {
            errors("simctl schema: takes no arguments\n\(help)\n")
            return ScenarioExitCode.usage
        }
        output(schema)
        return ScenarioExitCode.success
    }
}
