import FakeGitLab
import Glibc
import HTTP
import Testing

@testable import FakeAPNs
@testable import SQLite

/// The server as its users get it: a process of its own, sockets, a database file. The fakes answer over sockets as well.
@Suite(.timeLimit(.minutes(2))) struct DaemonTests {
    @Test func `a comment reaches the phone, and the next one after the server was killed and started again`()
        async throws
    {
        let world = try LiveWorld()
        try await world.serve {
            var screen = world.displayed.makeAsyncIterator()
            let first = try world.startServer()
            try await world.signIn(at: try await first.port())
            try world.gitlab.comment(by: "bob", on: LiveWorld.mergeRequest, body: "Looks good.")
            #expect(await screen.next() == "Looks good.")
            #expect(await first.end(by: SIGKILL) == -SIGKILL)

            try world.gitlab.comment(by: "bob", on: LiveWorld.mergeRequest, body: "Merge it?")
            let second = try world.startServer()
            _ = try await second.port()
            let shown = await world.next(after: "Looks good.")
            #expect(shown == "Merge it?")
            #expect(await second.end(by: SIGTERM) == 0)
        }
        #expect(world.fleet.notifications(of: LiveWorld.bundleID, on: LiveWorld.phone).count == 2)
    }

    /// The database is then one file, which can be copied by itself; a server that was killed leaves the log beside it.
    @Test(arguments: [(SIGTERM, Int32(0), false), (SIGKILL, -SIGKILL, true)])
    func `a server that ends in order takes its log into the database`(
        signal: Int32,
        status: Int32,
        leavesLog: Bool
    ) async throws {
        let world = try LiveWorld()
        let files = { (ending: String) in TemporaryFolder.entries(of: world.folder).contains("notifier.db" + ending) }
        try await world.serve {
            let server = try world.startServer()
            try await world.signIn(at: try await server.port())
            #expect(files("-wal") && files("-shm"))
            #expect(await server.end(by: signal) == status)
        }
        #expect(files(""))
        #expect(files("-wal") == leavesLog && files("-shm") == leavesLog)
        guard !leavesLog else { return }
        let database = try Database(path: "\(world.folder)/notifier.db", options: DatabaseOptions(isReadOnly: true))
        #expect(try database.first("SELECT count(*) FROM watches") { $0.int(0) } == 1)
        #expect(try database.first("PRAGMA integrity_check") { $0.text(0) } == "ok")
    }

    @Test func `a server that was asked to stop ends in order and answers until then`() async throws {
        let world = try LiveWorld()
        let server = try world.startServer()
        let port = try await server.port()
        #expect(await world.get("/health", at: port)?.status == 200)
        #expect(await world.get("/health/ready", at: port)?.status == 200)
        #expect(await server.end(by: SIGINT) == 0)
        #expect(await world.get("/health", at: port) == nil)
    }

    /// Arguments, and the exit status they lead to.
    private static let mistakes: [([String], Int32)] = [
        (["bogus"], 64), ([], 64), (["run", "--config", "/nonexistent/notifierd.json"], 65),
    ]

    @Test(arguments: mistakes)
    func `what cannot be is refused before anything starts`(arguments: [String], status: Int32) async throws {
        let server = try DaemonProcess(arguments, environment: [])
        #expect(await server.line()?.hasPrefix("notifierd: error: ") == true)
        #expect(await server.line()?.hasPrefix("  hint: ") == true)
        #expect(await server.line() == nil)
        #expect(await server.end(by: nil) == status)
    }

    @Test func `all that is wrong is told at once`() async throws {
        let nothing = try DaemonProcess(["check-config"], environment: [])
        let said = await nothing.rest()
        #expect(await nothing.end(by: nil) == 65)
        for word in ["no GitLab is listed", "ENCRYPTION_KEY_CURRENT is not set", "SESSION_KEY is not set"] {
            #expect(said.contains(word), "\(said)")
        }
        let world = try LiveWorld(
            settings: [
                "authorities": "\"FOLDER/notifierd.json\"", "backups": "\"FOLDER/key.p8\"",
                "database": "\"FOLDER/none/notifier.db\"",
            ]
        )
        let check = try world.start("check-config")
        let told = await check.rest()
        #expect(await check.end(by: nil) == 65)
        for word in ["holds no certificate", "\"backups\" names", "\"database\" lies in \(world.folder)/none"] {
            #expect(told.contains(word), "\(told)")
        }
    }

    /// A key of the settings, and what a server says that finds this there.
    @Test(arguments: [
        ("authorities", "FOLDER/none.pem", "none.pem cannot be read"),
        ("authorities", "FOLDER/key.p8", "holds no certificate"), ("backups", "FOLDER/key.p8", "which is not a folder"),
        ("database", "FOLDER", "which is a folder"),
    ])
    func `what is no such thing as the settings say is refused`(key: String, path: String, word: String) async throws {
        let world = try LiveWorld(settings: [key: "\"\(path)\""])
        for command in ["check-config", "run"] {
            let process = try world.start(command)
            let said = await process.rest()
            #expect(await process.end(by: nil) == 65 && said.contains(word), "\(said)")
        }
        #expect(!TemporaryFolder.entries(of: world.folder).contains { $0.hasSuffix(".lock") })
    }

    @Test func `a database of another program's stays as it is`() async throws {
        let world = try LiveWorld(settings: ["database": "\"FOLDER/other.db\""])
        let path = "\(world.folder)/other.db"
        try Database(path: path).executeScript("PRAGMA journal_mode = DELETE; CREATE TABLE other (id INTEGER)")
        #expect(chmod(path, 0o644) == 0)
        let before = TemporaryFolder.entries(of: world.folder)
        let refused = try world.startServer()
        let text = await refused.rest()
        #expect(await refused.end(by: nil) == 65 && text.contains("nothing was changed"), "\(text)")
        #expect(TemporaryFolder.mode(of: path) == 0o644)
        #expect(TemporaryFolder.entries(of: world.folder) == before)
    }

    @Test func `a damaged database is refused with the way back, and one of a newer program with its own`() async throws
    {
        let world = try LiveWorld()
        let database = try world.files.write(String(repeating: "no database ", count: 900), to: "notifier.db")
        let before = TemporaryFolder.entries(of: world.folder)
        let refused = try world.startServer()
        let text = await refused.rest()
        #expect(await refused.end(by: nil) == 65)
        #expect(text.contains("[database-damaged]") && text.contains("notifierd restore --from BACKUP"), "\(text)")
        #expect(TemporaryFolder.entries(of: world.folder).filter { $0 != "notifier.db.lock" } == before)
        #expect(unlink(database) == 0)
        let sound = try world.startServer()
        _ = try await sound.port()
        #expect(await sound.end(by: SIGTERM) == 0)
    }
}
