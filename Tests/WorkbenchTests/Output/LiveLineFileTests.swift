import Testing

@testable import Workbench

struct LiveLineFileTests {
    @Test func `lines that come one after the other stand in the file, many or none`() throws {
        let folder = try TestFolder()
        for count in [0, 1, 30_000] {
            let lines = (0..<count).map { "line \($0)" }
            let file = try LiveLineFile(to: "\(folder.path)/lines")
            for line in lines { file.write(line) }
            try file.end()
            #expect(try folder.read("lines") == lines.map { $0 + "\n" }.joined())
        }
    }

    @Test func `a disk that takes nothing is told at the end, and a folder that is not there at once`() throws {
        let full = try LiveLineFile(to: "/dev/full")
        for number in 0..<30_000 { full.write("line \(number)") }
        #expect(throws: SystemFailure.self) { try full.end() }
        #expect(throws: SystemFailure.self) { try LiveLineFile(to: "/nonexistent/lines") }
    }
}
