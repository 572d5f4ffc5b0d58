import Glibc
import HTTP
import Testing

/// Everything that the server and its commands put on the disk is for its owner alone: it holds what people write to each other, and
/// sealed tokens.
@Suite(.timeLimit(.minutes(2))) struct FileModeTests {
    @Test func `every file that the server and its commands make has mode 0600, and every folder 0700`() async throws {
        let world = try LiveWorld(settings: ["backups": "\"FOLDER/backups\""])
        let given = Set(Self.paths(below: world.folder))
        let newKey = ["ENCRYPTION_KEY_CURRENT": String(repeating: "b6", count: 32)]
            .merging(["ENCRYPTION_KEYS_OLD": String(repeating: "a5", count: 32)]) { $1 }
        try await world.serve {
            let server = try world.startServer()
            try await world.signIn(at: try await server.port())
            try await run(world, "backup")
            try await run(world, "export-incident", ["--to", "\(world.folder)/incident.jsonl"])
            expectPrivate(below: world.folder, but: given)
            // The log beside the database must be there for the next command.
            #expect(await server.end(by: SIGKILL) == -SIGKILL)
            try await run(world, "rotate-keys", [], newKey)
            let backup = try #require(TemporaryFolder.entries(of: "\(world.folder)/backups").first)
            try await run(world, "restore", ["--from", "\(world.folder)/backups/\(backup)"])
        }
        expectPrivate(below: world.folder, but: given)
        let made = Self.paths(below: world.folder).filter { !given.contains($0) }.map(Self.name)
        for name in [
            "notifier.db", "notifier.db.lock", "notifier.db.polls", "notifier.db.requests", "backups", "incident.jsonl",
        ] {
            #expect(made.contains(name), "\(name) was to be made; there is \(made)")
        }
    }

    @Test func `a database that others may read is theirs no more, nor is its log`() async throws {
        let world = try LiveWorld()
        let database = "\(world.folder)/notifier.db"
        let first = try world.startServer()
        _ = try await first.port()
        #expect(await first.end(by: SIGKILL) == -SIGKILL)
        for ending in ["", "-wal", "-shm"] { #expect(chmod(database + ending, 0o644) == 0, "\(ending)") }
        let second = try world.startServer()
        _ = try await second.port()
        for ending in ["", "-wal", "-shm"] {
            #expect(TemporaryFolder.mode(of: database + ending) == 0o600, "\(ending)")
        }
        #expect(second.passedText.contains("daemon.file_was_readable"))
        #expect(await second.end(by: SIGTERM) == 0)
    }

    private func run(
        _ world: LiveWorld,
        _ command: String,
        _ arguments: [String] = [],
        _ variables: [String: String] = [:]
    ) async throws {
        let process = try world.start(command, variables, arguments: arguments)
        let text = await process.rest()
        #expect(await process.end(by: nil) == 0, "\(command): \(text)")
    }

    private func expectPrivate(below folder: String, but given: Set<String>) {
        for path in Self.paths(below: folder) where !given.contains(path) {
            let isFolder = !TemporaryFolder.entries(of: path).isEmpty
            #expect(TemporaryFolder.mode(of: path) == (isFolder ? 0o700 : 0o600), "\(path)")
        }
    }

    private static func paths(below folder: String) -> [String] {
        TemporaryFolder.entries(of: folder).flatMap { ["\(folder)/\($0)"] + paths(below: "\(folder)/\($0)") }
    }

    private static func name(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? ""
    }
}
