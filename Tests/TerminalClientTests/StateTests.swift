import FoundationEssentials
import Live
import NotifierKit
import Platform
import Testing

@testable import TerminalClient

/// What the program keeps between two commands.
struct StateTests {
    /// A folder that goes with the test.
    private static func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/gitlab-notify-\(LiveEntropy().uuidString())"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    @Test func `secrets lie in files of their owner alone, and are replaced in one step`() async throws {
        try await Self.withFolder { folder in
            let keys = LiveKeyFiles(folder: folder, clock: LiveSurroundings.Clock())
            #expect(try keys.read("credentials") == nil)
            try keys.write(Data("one".utf8), for: "credentials")
            try keys.write(Data("two".utf8), for: "credentials")
            #expect(try keys.read("credentials") == Data("two".utf8))
            let path = "\(folder)/credentials.json"
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["credentials.json"])
            try keys.delete("credentials")
            try keys.delete("credentials")
            #expect(try keys.read("credentials") == nil)
        }
    }

    @Test func `a folder that cannot be made is told, and signs nobody out`() async throws {
        let keys = LiveKeyFiles(folder: "/dev/null/state", clock: LiveSurroundings.Clock())
        let error = #expect(throws: KeyStoreError.self) { try keys.write(Data(), for: "credentials") }
        guard case .unavailable = error else {
            Issue.record("it is \(String(describing: error))")
            return
        }
    }

    @Test func `before the first sign-in there is no folder, and it is made for whoever claims something in it`()
        async throws
    {
        try await Self.withFolder { folder in
            let claim = try #require(try LiveSurroundings.claim("tail", in: folder))
            let isTaken = try LiveSurroundings.claim("tail", in: folder) == nil
            #expect(isTaken)
            claim.release()
        }
        try await Self.withFolder { folder in
            let keys = LiveKeyFiles(folder: folder, clock: LiveSurroundings.Clock())
            let isTaken = try await keys.exclusively { true }
            #expect(isTaken)
        }
    }

    @Test func `of two who want to refresh one waits for the other`() async throws {
        try await Self.withFolder { folder in
            let keys = LiveKeyFiles(folder: folder, clock: LiveSurroundings.Clock())
            try keys.write(Data("0".utf8), for: "count")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await keys.exclusively {
                            let text = (try? keys.read("count")).flatMap { $0 }.map {
                                String(decoding: $0, as: UTF8.self)
                            }
                            await Task.yield()
                            try? keys.write(Data("\((text.flatMap { Int($0) } ?? 0) + 1)".utf8), for: "count")
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try keys.read("count") == Data("20".utf8))
        }
    }

    @Test func `what one process changes another sees, and no change is lost between them`() async throws {
        try await Self.withFolder { folder in
            try LivePrivateFile.makeFolder(folder)
            let stores = (0..<4).map { _ in
                StateDatabase(path: "\(folder)/state.db") { () throws(KeyValueStoreError) in }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for store in stores {
                    group.addTask {
                        for _ in 0..<25 { try await store.update("list") { $0 = ($0 ?? Data()) + [1] } }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await stores[0].value(for: "list")?.count == 100)
            try await stores[1].update("list") { $0 = nil }
            #expect(try await stores[2].value(for: "list") == nil)
        }
    }
}
