import Glibc
import JSON
import ScenarioFixtures
import Scenarios
import Testing
import Verdict

@testable import Workbench

struct ShrinkCommandTests {
    /// Most of what happens here has nothing to do with the phone that misses a comment.
    private static let scenario = """
        {"name": "mine", "description": "A phone is away.", "seed": 3, "duration": "6h", "start": "2026-03-02T07:00:00Z",
         "world": {"people": [
           {"username": "@ana", "name": "Ana", "notified": {"devices": [{"name": "phone"}], "watches": ["team/x!1", "team/x!2"]}},
           {"username": "@ben", "name": "Ben"}, {"username": "@cid", "name": "Cid"}],
          "projects": [{"path": "team/x", "members": [{"username": "@ana", "role": "developer"},
            {"username": "@ben", "role": "developer"}, {"username": "@cid", "role": "developer"}],
           "mergeRequests": [{"iid": 1, "title": "One", "author": "@ben"}, {"iid": 2, "title": "Two", "author": "@cid"}]}]},
         "timeline": [{"every": "10m", "from": "5m", "until": "2h", "action": "comment", "by": "@ben", "on": "team/x!1"},
          {"every": "20m", "from": "5m", "until": "2h", "action": "push", "by": "@cid", "on": "team/x!2"},
          {"at": "1h", "action": "device-offline", "by": "@ana"}, {"at": "30m", "fault": "restart", "downFor": "1m"}],
         "expect": [{"missed": "= 0"}]}
        """

    @Test func `the smallest that fails alike is a scenario that fails alike`() throws {
        let folder = try TestFolder()
        try folder.write(Self.scenario, to: "mine.json")
        let shrunk = try SimctlProcess.run(["shrink", "mine.json", "-o", "small.json"], in: folder)
        #expect(shrunk.exitCode == .met)
        #expect(shrunk.output.isEmpty && shrunk.errors.hasPrefix("missed: device-away: "), "\(shrunk.errors)")
        let small = try ScenarioReader.read(path: "\(folder.path)/small.json")
        #expect(small.timeline.count <= 3)
        #expect(small.world.people.count == 2)
        #expect(small.description == "What is left of mine: missed: device-away.")
        #expect(
            try SimctlProcess.run(["run", "small.json", "--quiet", "--out", "report"], in: folder).exitCode == .failed
        )
        let again = try SimctlProcess.run(["shrink", "mine.json"], in: folder)
        #expect(again.output == (try folder.read("small.json")))
    }

    @Test(arguments: ["mine.json", "./mine.json", "link.json", "none/small.json", "folder", "mine.json/small.json"])
    func `where the result cannot go is said before the search, and the scenario stays`(out: String) throws {
        let folder = try TestFolder()
        try folder.write(Self.scenario, to: "mine.json")
        #expect(symlink("mine.json", "\(folder.path)/link.json") == 0)
        #expect(mkdir("\(folder.path)/folder", 0o755) == 0)
        let shrunk = try SimctlProcess.run(["shrink", "mine.json", "-o", out], in: folder)
        #expect(shrunk.exitCode == .usage && shrunk.errors.contains("[out-not-writable]"), "\(shrunk.errors)")
        #expect(!shrunk.errors.contains("candidates"))
        #expect(try folder.read("mine.json") == Self.scenario + "\n")
        #expect(folder.names == ["folder", "link.json", "mine.json"])
    }

    @Test func `what does not fail, or not so, cannot be shrunk`() throws {
        let folder = try TestFolder()
        try folder.write(Self.scenario, to: "mine.json")
        let other = try SimctlProcess.run(["shrink", "mine.json", "--finding", "duplicate"], in: folder)
        #expect(other.exitCode == .usage)
        #expect(other.errors.contains("[nothing-to-shrink]"))
        let found = "it has: missed: device-away | missed: overwritten-in-mailbox | gate: missed = 0"
        #expect(other.errors.contains(found), "\(other.errors)")
        try folder.write(Self.scenario.replacing("device-offline", with: "device-online"), to: "fine.json")
        let fine = try SimctlProcess.run(["shrink", "fine.json"], in: folder)
        #expect(fine.exitCode == .usage && fine.errors.contains("does not fail with seed 3"))
        let named = try SimctlProcess.run(["shrink", "fine.json", "--finding", "duplicate"], in: folder)
        #expect(named.exitCode == .usage && named.errors.contains("does not fail with seed 3"), "\(named.errors)")
    }
}
