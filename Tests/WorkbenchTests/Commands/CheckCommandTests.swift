import FoundationEssentials
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict
@testable import Workbench

struct CheckCommandTests {
    private struct Outcome {
        var code: ExitCode
        var output = ""
        var errors = ""
    }

    private func check(_ arguments: String...) throws -> Outcome {
        guard case .check(let understood) = try Command(arguments: ["check"] + arguments) else { throw NoCheck() }
        var (output, errors) = ("", "")
        let command = CheckCommand(arguments: understood, output: { output += $0 }, errors: { errors += $0 })
        let code = command.run()
        return Outcome(code: code, output: output, errors: errors)
    }

    private struct NoCheck: Error {}

    @Test func `sound files are summed up`() throws {
        let outcome = try check(Places.fixtures + "/sound.json")
        #expect(outcome.code == .met)
        #expect(outcome.output.hasSuffix("sound.json: valid (3 people, 2 items, 2 steps in 4h, 1 gates, 1 probes)\n"))
        #expect(outcome.errors.isEmpty)
    }

    @Test func `one broken file among sound ones makes the exit code 65`() throws {
        let broken = Places.fixtures + "/broken/shape/no-time.json"
        let outcome = try check("--quiet", Places.fixtures + "/sound.json", broken)
        #expect(outcome.code == .invalidInput)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("no-time.json:"))
    }

    @Test func `the schema beside the scenarios is passed over, unless it is all there is`() throws {
        let schema = Places.scenarios + "/scenario.schema.json"
        #expect(try check("--quiet", Places.fixtures + "/sound.json", schema).code == .met)
        #expect(try check("--quiet", schema).code == .invalidInput)
    }

    @Test(arguments: [("/none.json", "file-not-found"), ("/broken", "not-a-file"), ("/sound.json/x", "file-not-found")])
    func `what cannot be read as a file has its code`(path: String, code: String) throws {
        let outcome = try check(Places.fixtures + path)
        #expect(outcome.code == .invalidInput)
        #expect(outcome.errors.contains("[\(code)]"))
    }

    @Test func `for programs there is one JSON object per file`() throws {
        let outcome = try check(
            "--json",
            Places.fixtures + "/sound.json",
            Places.fixtures + "/broken/meaning/merge-an-issue.json"
        )
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 2)
        let results = try lines.map { try JSONDecoder().decode(FileResult.self, from: Data($0.utf8)) }
        #expect(results.map(\.valid) == [true, false])
        #expect(results[1].problems.map(\.code) == ["impossible-action"])
        #expect(results[1].problems.map(\.pointer) == ["/timeline/2/on"])
        #expect(outcome.errors.isEmpty)
    }

    @Test func `a plan can be listed`() throws {
        let outcome = try check("--plan", "--quiet", Places.fixtures + "/sound.json")
        #expect(outcome.output.split(separator: "\n").map { $0.prefix(3) } == ["1h\t", "2h\t"])
    }

    private struct FileResult: Decodable {
        struct Problem: Decodable {
            var code: String
            var pointer: String
            var line: Int
        }

        var valid: Bool
        var problems: [Problem]
    }
}
