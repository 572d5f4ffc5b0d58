import JSON
import ScenarioFixtures
import Scenarios
import Testing
import Verdict

@testable import Workbench

/// The real program's other commands, and how it speaks.
@Suite(.serialized) struct ProgramTests {
    @Test func `an error is told to people and to programs alike`() {
        let error = ProgramError(.outIsAFile, "x is not a folder", hint: "name a folder")
        #expect(error.text == "simctl: error: x is not a folder [out-is-a-file]\n  hint: name a folder\n")
        let json = #"{"code":"out-is-a-file","hint":"name a folder","message":"x is not a folder"}"#
        #expect(error.json.text(indented: false) == json)
    }

    @Test func `help and the schema go to standard output and end well`() throws {
        for arguments in [["--help"], ["run", "--help"], ["help", "doctor"], ["schema"], ["openapi"]] {
            let result = try SimctlProcess.run(arguments, in: try TestFolder())
            #expect(result.exitCode == .met)
            #expect(!result.output.isEmpty)
            #expect(result.errors == "")
        }
    }

    @Test func `a usage error goes to standard error, or to standard output as JSON`() throws {
        let text = try SimctlProcess.run(["run", "a.json", "--sede", "1"], in: try TestFolder())
        #expect(text.exitCode == .usage)
        #expect(text.output == "")
        #expect(text.errors.contains("did you mean --seed?"))
        let json = try SimctlProcess.run(["run", "a.json", "--sede", "1", "--json"], in: try TestFolder())
        #expect(json.exitCode == .usage)
        #expect(json.output.hasPrefix(#"{"error":{"code":"unknown-flag","hint":"#))
        #expect(json.errors == "")
    }

    @Test func `a result that cannot be written is no success, and is told`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        let calls = [["--version"], ["check", "tiny.json"], ["run", "tiny.json", "--json", "--out", "r"]]
        for arguments in calls {
            let result = try SimctlProcess.run(arguments, in: folder, redirection: ">/dev/full")
            #expect(result.exitCode == .internalError, "\(arguments)")
            #expect(result.errors.contains("writing the result failed: No space left on device [system]"))
        }
        #expect(try folder.read("r/summary.json").contains("\"verdict\""))
    }

    @Test func `a reader that has gone changes nothing`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        let result = try SimctlProcess.run(["run", "tiny.json", "--out", "r"], in: folder, redirection: "| true")
        #expect(result.exitCode == .met)
        #expect(!result.errors.contains("failed"))
    }

    @Test func `check tells a sound file from a broken one`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "sound.json")
        try folder.write("[]", to: "broken.json")
        #expect(try SimctlProcess.run(["check", "sound.json"], in: folder).exitCode == .met)
        let result = try SimctlProcess.run(["check", "sound.json", "broken.json"], in: folder)
        #expect(result.exitCode == .invalidInput)
        #expect(result.errors.contains("broken.json:1:1"))
    }

    @Test func `with JSON there is one object per scenario on standard output and nothing else`() throws {
        let folder = try TestFolder()
        for name in ["a", "b"] { try folder.write(makeScenarioText(name: name), to: name + ".json") }
        let result = try SimctlProcess.run(["run", "a.json", "b.json", "--json", "--out", "r"], in: folder)
        let lines = result.output.split(separator: "\n")
        #expect(result.errors == "")
        #expect(lines.count == 2)
        for (line, name) in zip(lines, ["a", "b"]) {
            #expect(line.hasPrefix("{\"schemaVersion\":"))
            #expect(line.contains("\"scenario\":\"\(name)\""))
            #expect(line.hasSuffix("}"))
        }
    }

    @Test func `quiet lines name their scenario when there are several`() throws {
        let folder = try TestFolder()
        for name in ["a", "bb"] { try folder.write(makeScenarioText(name: name), to: name + ".json") }
        let result = try SimctlProcess.run(["run", "a.json", "bb.json", "--quiet", "--out", "r"], in: folder)
        let lines = result.output.split(separator: "\n")
        #expect(!lines.isEmpty)
        for line in lines { #expect(line.hasPrefix("a  ") || line.hasPrefix("bb ")) }
    }

    @Test func `the same run in another language, zone and home prints the same verdict`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        let plain = try SimctlProcess.run(["run", "tiny.json", "--quiet", "--out", "r"], in: folder)
        let trace = try folder.read("r/trace.jsonl")
        let varied = try SimctlProcess.run(
            ["run", "tiny.json", "--quiet", "--out", "r"],
            in: folder,
            environment: ["TZ=CHAST-12:45", "LC_ALL=tr_TR.UTF-8", "HOME=/nowhere", "SWIFT_BACKTRACE=color=yes"]
        )
        #expect(plain.output == varied.output)
        #expect(plain.exitCode == varied.exitCode)
        #expect(try folder.read("r/trace.jsonl") == trace)
    }

    @Test func `explain refuses what is not a report and an activity that no report knows`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        #expect(try SimctlProcess.run(["explain", ".", "1"], in: folder).exitCode == .invalidInput)
        _ = try SimctlProcess.run(["run", "tiny.json", "--out", "r"], in: folder)
        let result = try SimctlProcess.run(["explain", "r", "999999", "--json"], in: folder)
        #expect(result.exitCode == .usage)
        #expect(result.output.hasPrefix(#"{"error":{"code":"unknown-activity""#))
    }
}
