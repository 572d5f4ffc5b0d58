import Scenarios

/// A scenario file that was found valid, with the very text that was checked.
struct CheckedScenario {
    var file: String
    var text: String
    var scenario: Scenario
}

/// Reads scenario files whole, before anything is done with any of them.
enum ScenarioFiles {
    /// - Throws: `ProgramError` with the problems of all files.
    static func read(_ files: [String]) throws(ProgramError) -> [CheckedScenario] {
        var checked: [CheckedScenario] = []
        var problems: [Problem] = []
        for file in files {
            do throws(InvalidScenario) {
                checked.append(try read(file))
            } catch {
                problems += error.problems
            }
        }
        guard problems.isEmpty else { throw invalid(problems, fileCount: files.count - checked.count) }
        return checked
    }

    static func read(_ file: String) throws(InvalidScenario) -> CheckedScenario {
        guard let bytes = try? FileBytes.read(path: file, limitBytes: ScenarioReader.limitBytes) else {
            // The reader knows how to say why.
            return CheckedScenario(file: file, text: "", scenario: try ScenarioReader.read(path: file))
        }
        let scenario = try ScenarioReader.read(bytes, file: file)
        return CheckedScenario(file: file, text: String(decoding: bytes, as: UTF8.self), scenario: scenario)
    }

    private static func invalid(_ problems: [Problem], fileCount: Int) -> ProgramError {
        let files = fileCount == 1 ? "1 scenario file is" : "\(fileCount) scenario files are"
        return ProgramError(.invalidScenario, "\(files) invalid; nothing was run", problems: problems)
    }
}
