import FoundationEssentials
import Glibc
import HTTP
import Testing

@testable import Daemon

@Suite struct RequestRecordTests {
    @Test func `the newest lines stay, within the bound of both files`() throws {
        let folder = try TemporaryFolder()
        let database = "\(folder.path)/notifier.db"
        let record = try #require(RequestRecord(.requests, beside: database, limitBytes: 1_000))
        for number in 0..<500 { record.append("line \(number)") }
        let lines = RequestRecord.lines(.requests, beside: database, limit: 10_000)
        #expect(lines.last == "line 499")
        #expect(lines.count > 90, "there are \(lines.count)")
        #expect(lines.map(String.init) == (500 - lines.count..<500).map { "line \($0)" })
        #expect(RequestRecord.lines(.requests, beside: database, limit: 3) == ["line 497", "line 498", "line 499"])
        for name in ["requests", "requests.old"] {
            let size = try Data(contentsOf: URL(filePath: "\(database).\(name)")).count
            #expect((1...1_000).contains(size), "\(name) has \(size) bytes")
            #expect(TemporaryFolder.mode(of: "\(database).\(name)") == 0o600)
        }
    }

    @Test func `a server that starts again goes on where the one before was`() throws {
        let folder = try TemporaryFolder()
        let database = "\(folder.path)/notifier.db"
        for number in 0..<30 {
            try #require(RequestRecord(.requests, beside: database, limitBytes: 100)).append("line \(number)")
        }
        let lines = RequestRecord.lines(.requests, beside: database, limit: 100)
        #expect(lines.last == "line 29" && (11...24).contains(lines.count), "there are \(lines)")
    }

    @Test func `without a folder there is no record, and nothing to read`() throws {
        let folder = try TemporaryFolder()
        #expect(RequestRecord(.requests, beside: "\(folder.path)/none/notifier.db") == nil)
        #expect(RequestRecord.lines(.requests, beside: "\(folder.path)/none/notifier.db", limit: 5).isEmpty)
    }

    @Test func `many threads write whole lines`() async throws {
        let folder = try TemporaryFolder()
        let database = "\(folder.path)/notifier.db"
        let record = try #require(RequestRecord(.requests, beside: database, limitBytes: 100_000))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask { for _ in 0..<200 { record.append(String(repeating: "\(number)", count: 40)) } }
            }
        }
        let lines = RequestRecord.lines(.requests, beside: database, limit: 10_000)
        #expect(lines.count == 1_600 && lines.allSatisfy { $0.count == 40 && Set($0).count == 1 })
    }
}

@Suite struct IncidentRequestTests {
    private static let line =
        #"{"kind":"request","at":1,"service":"gitlab","method":"GET","route":"/api/v4/todos","ms":3,"status":200}"#

    @Test func `a whole line goes into the report as it is`() {
        #expect(IncidentRedaction(nil).request(Self.line[...]) == Self.line)
    }

    @Test(arguments: [
        String(line.dropLast(20)), "", "{}", "[]", line.replacing("request", with: "delivery"),
        line.replacing("/api/v4/todos", with: "/glpat-abc"),
        line.replacing("todos", with: String(repeating: "a5", count: 32)),
    ])
    func `one that was cut, or holds what it should not, does not`(line: String) {
        #expect(IncidentRedaction(nil).request(line[...]) == nil)
    }
}
