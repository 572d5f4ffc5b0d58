import Testing
import Verdict

@testable import Workbench

struct BuildTests {
    @Test func `a program is named by the identification its linker wrote`() {
        var head = [0x7F, 0x45, 0x4C, 0x46] + [UInt8](repeating: 0, count: 76)
        head += [4, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0, 0x47, 0x4E, 0x55, 0] + [UInt8](repeating: 7, count: 16)
        head += [4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 0x47, 0x4E, 0x55, 0] + (0xA0...0xB3).map { UInt8($0) }
        #expect(ELFBuildID.find(in: head) == "a0a1a2a3a4a5")
        #expect(ELFBuildID.find(in: Array(head.dropFirst())) == nil)
        #expect(ELFBuildID.find(in: Array(head.prefix(100))) == nil)
    }

    @Test func `without one it is named by its content`() throws {
        let folder = try TestFolder()
        let (one, two) = (try folder.write("one", to: "one"), try folder.write("two", to: "two"))
        let name = LiveBuild.identification(of: one)
        #expect(name.count == 12)
        #expect(name == LiveBuild.identification(of: one))
        #expect(name != LiveBuild.identification(of: two))
        #expect(LiveBuild.identification(of: folder.path + "/none") == "unknown")
    }

    @Test func `the program says its version and build`() throws {
        let result = try SimctlProcess.run(["--version"], in: try TestFolder())
        let build = LiveBuild.identification(of: try SimctlProcess.executable())
        #expect(result.output == "simctl \(LiveBuild.version) build \(build)\n")
        #expect(result.exitCode == .met)
    }
}
