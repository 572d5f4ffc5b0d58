import Testing
import Verdict

@testable import Workbench

struct LiveNewFileTests {
    @Test func `a file that is there already stays as it is, and a folder must be there`() throws {
        let folder = try TestFolder()
        let path = try folder.write("kept", to: "there.jsonl")
        let error = #expect(throws: ProgramError.self) { _ = try LiveNewFile(path) }
        #expect(error?.code == .outNotWritable && error?.code.exitCode == .usage)
        #expect(try folder.read("there.jsonl") == "kept\n")
        #expect(throws: ProgramError.self) { _ = try LiveNewFile("\(folder.path)/none/new.jsonl") }
        #expect(folder.names == ["there.jsonl"])
    }

    @Test func `it goes where nothing came of the work`() throws {
        let folder = try TestFolder()
        let path = "\(folder.path)/new.jsonl"
        var file: LiveNewFile? = try LiveNewFile(path)
        #expect(folder.names == ["new.jsonl"])
        file = nil
        #expect(folder.names.isEmpty)
        file = try LiveNewFile(path)
        try file?.write(lines: ["one", "two"])
        file = nil
        #expect(try folder.read("new.jsonl") == "one\ntwo\n")
    }

    /// What stands behind `--incident`, and the name of the refusal.
    @Test(arguments: [
        (["there.jsonl", "a.json"], "[out-not-writable]"), (["none/new.jsonl", "a.json"], "[out-not-writable]"),
        (["new.jsonl", "a.json", "b.json"], "[conflicting-flags]"),
    ])
    func `a live run does not begin when its incident report has no place`(arguments: [String], code: String) throws {
        let folder = try TestFolder()
        try folder.write("kept", to: "there.jsonl")
        for name in ["a", "b"] { try folder.write(makeScenarioText(name: name), to: "\(name).json") }
        let live = ["run", "--live", "--notifierd", "/bin/true", "--incident"]
        let refused = try SimctlProcess.run(live + arguments, in: folder)
        #expect(refused.exitCode == .usage && refused.errors.contains(code), "\(refused.errors)")
        #expect(folder.names == ["a.json", "b.json", "there.jsonl"])
        #expect(try folder.read("there.jsonl") == "kept\n")
    }
}
