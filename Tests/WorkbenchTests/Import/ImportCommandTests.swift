import Platform
import Scenarios
import Testing
import Verdict

@testable import Workbench

struct ImportCommandTests {
    @Test func `a bundle becomes a scenario that the check takes`() throws {
        let folder = try TestFolder()
        try folder.write(BundleLines.base.joined(separator: "\n"), to: "incident.jsonl")
        let imported = try SimctlProcess.run(["import", "incident.jsonl", "-o", "imported.json"], in: folder)
        #expect(imported.exitCode == .met && imported.errors.contains("imported.json: 2 people, 1 item, "))
        #expect(try SimctlProcess.run(["check", "imported.json"], in: folder).exitCode == .met)
        let printed = try SimctlProcess.run(["import", "incident.jsonl"], in: folder)
        #expect(printed.output == (try folder.read("imported.json")))
    }

    @Test(arguments: ["incident.jsonl", "./incident.jsonl", "none/imported.json"])
    func `a scenario takes the place of no bundle`(out: String) throws {
        let folder = try TestFolder()
        let bundle = BundleLines.base.joined(separator: "\n")
        try folder.write(bundle, to: "incident.jsonl")
        let imported = try SimctlProcess.run(["import", "incident.jsonl", "-o", out], in: folder)
        #expect(imported.exitCode == .usage && imported.errors.contains("[out-not-writable]"), "\(imported.errors)")
        #expect(try folder.read("incident.jsonl") == bundle + "\n")
    }

    @Test func `person, item and instant alone become a scenario that runs`() throws {
        let folder = try TestFolder()
        let missed = ["import", "--missed", "@maria,team/backend!847,2026-03-02T14:10:00Z", "-o", "missed.json"]
        #expect(try SimctlProcess.run(missed, in: folder).exitCode == .met)
        let scenario = try ScenarioReader.read(path: "\(folder.path)/missed.json")
        #expect(scenario.timeline.count == 1 && scenario.start.utcText(.seconds) == "2026-03-02T13:10:00Z")
        #expect(try SimctlProcess.run(["run", "missed.json", "--quiet", "--out", "r"], in: folder).exitCode == .met)
    }

    @Test(arguments: [
        (["import"], ExitCode.usage, "missing-operand"), (["import", "--missed", "maria"], .usage, "bad-value"),
        (["import", "--missed", "maria,team/backend!847,2026-03-02T14:10:00Z"], .usage, "\"maria\" in --missed is no"),
        (["import", "--missed", "@maria,team/backend,2026-03-02T14:10:00Z"], .usage, "--missed is no item"),
        (["import", "--missed", "@maria,team/backend!847,2026-03-02T14:10:00"], .usage, "is no instant"),
        (["import"], .usage, "--missed '@maria,team/backend!847,2026-03-02T14:10:00Z'"),
        (["import", "--missed", "@maria,team/backend!847,9999-12-31T23:30:00Z"], .usage, "after the year 2199"),
        (["import", "none.jsonl"], .invalidInput, "unreadable-bundle"), (["import", "."], .invalidInput, "directory"),
        (["import", "bad.jsonl"], .invalidInput, "bad.jsonl, line 2: "),
        (
            ["import", "good.jsonl", "--missed", "@maria,team/backend!847,2026-03-02T14:10:00Z"], .invalidInput,
            "no @maria"
        ),
    ])
    func `what cannot be imported is refused with a way on`(arguments: [String], code: ExitCode, word: String) throws {
        let folder = try TestFolder()
        try folder.write(BundleLines.base[0] + "\n{\"kind\":", to: "bad.jsonl")
        try folder.write(BundleLines.base.joined(separator: "\n"), to: "good.jsonl")
        let result = try SimctlProcess.run(arguments, in: folder)
        #expect(result.exitCode == code && result.errors.contains(word), "\(result.errors)")
    }
}
