import FoundationEssentials
import Scenarios
import Testing

struct CheckCommandTests {
    private struct Outcome {
        var code: Int32
        var output = ""
        var errors = ""
    }

    private func check(_ arguments: String...) -> Outcome {
        var outcome = Outcome(code: -1)
        var (output, errors) = ("", "")
        outcome.code = CheckCommand.run(arguments, output: { output += $0 }, errors: { errors += $0 })
        (outcome.output, outcome.errors) = (output, errors)
        return outcome
    }

    @Test func `sound files are summed up`() {
        let outcome = check(Places.fixtures + "/sound.json")
        #expect(outcome.code == 0)
        #expect(outcome.output.hasSuffix("sound.json: valid (3 people, 2 items, 2 steps in 4h, 1 gates, 1 probes)\n"))
        #expect(outcome.errors.isEmpty)
    }

    @Test func `one broken file among sound ones makes the exit code 65`() {
        let outcome = check("--quiet", Places.fixtures + "/sound.json", Places.fixtures + "/broken/shape/no-time.json")
        #expect(outcome.code == 65)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("no-time.json:"))
    }

    @Test func `the schema beside the scenarios is passed over`() {
        #expect(check("--quiet", Places.scenarios + "/scenario.schema.json").code == 0)
    }

    @Test(arguments: [("/none.json", "file-not-found"), ("/broken", "not-a-file"), ("/sound.json/x", "file-not-found")])
    func `what cannot be read as a file has its code`(path: String, code: String) {
        let outcome = check(Places.fixtures + path)
        #expect(outcome.code == 65)
        #expect(outcome.errors.contains("[\(code)]"))
    }

    @Test func `for programs there is one JSON object per file`() throws {
        let outcome = check(
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

    @Test(arguments: [[], ["--frobnicate", "x.json"]])
    func `wrong usage has its own exit code`(arguments: [String]) {
        var errors = ""
        #expect(CheckCommand.run(arguments, output: { _ in }, errors: { errors += $0 }) == 64)
        #expect(errors.contains("usage: simctl check"))
    }

    @Test func `a plan can be listed`() {
        let outcome = check("--plan", "--quiet", Places.fixtures + "/sound.json")
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
