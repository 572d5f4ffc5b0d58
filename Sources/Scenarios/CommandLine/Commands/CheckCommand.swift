/// `simctl check`: says of each file what is wrong with it.
struct CheckCommand {
    var files: [String]
    var console: LiveConsole

    func run() -> ExitCode {
        var reports: [JSONValue] = []
        var isValid = true
        for file in files {
            let problems = problems(of: file)
            isValid = isValid && problems.isEmpty
            reports.append(json(file, problems))
            if !console.style.isJSON { printText(file, problems) }
        }
        if console.style.isJSON {
            console.print(.object([JSONMember("files", .array(reports)), JSONMember("valid", .bool(isValid))]))
        }
        return isValid ? .met : .invalidInput
    }

    private func problems(of file: String) -> [Problem] {
        do throws(InvalidScenario) {
            _ = try ScenarioFiles.read(file)
            return []
        } catch {
            return error.problems
        }
    }

    private func printText(_ file: String, _ problems: [Problem]) {
        if problems.isEmpty {
            if !console.style.isQuiet { console.print("\(file): valid\n") }
        } else {
            console.note(problems.map { $0.text + "\n" }.joined())
        }
    }

    private func json(_ file: String, _ problems: [Problem]) -> JSONValue {
        .object([
            JSONMember("file", .string(file)),
            JSONMember("problems", .array(problems.map(\.json))),
            JSONMember("valid", .bool(problems.isEmpty)),
        ])
    }
}
