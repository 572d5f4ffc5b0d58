import FakeAPNs
import FakeGitLab
import Glibc
import HTTP
import Testing

@testable import SQLite

/// The commands on a database that the real server made.
@Suite(.timeLimit(.minutes(2))) struct DatabaseCommandTests {
    private static let newKey = String(repeating: "b6", count: 32)
    private static let oldKey = String(repeating: "a5", count: 32)

    /// A world whose server has signed Ann in and told her of a comment; `body` gets the server, which runs.
    private func withHistory(
        _ settings: [String: String] = [:],
        _ body: (LiveWorld, DaemonProcess, UInt16) async throws -> Void
    ) async throws {
        let world = try LiveWorld(settings: settings)
        try await world.serve {
            var screen = world.displayed.makeAsyncIterator()
            let server = try world.startServer()
            let port = try await server.port()
            try await world.signIn(at: port)
            try world.gitlab.comment(by: "bob", on: LiveWorld.mergeRequest, body: "Looks good.")
            #expect(await screen.next() == "Looks good.")
            try await server.wait(for: "delivery.accepted")
            try await body(world, server, port)
        }
    }

    private func run(
        _ world: LiveWorld,
        _ command: String,
        _ arguments: [String] = [],
        _ variables: [String: String] = [:]
    ) async throws -> (status: Int32, text: String) {
        let process = try world.start(command, variables, arguments: arguments)
        let text = await process.rest()
        return (await process.end(by: nil), text)
    }

    private func backups(_ world: LiveWorld) -> [String] {
        TemporaryFolder.entries(of: "\(world.folder)/backups").map { "\(world.folder)/backups/\($0)" }
    }

    private func rows(_ path: String) throws -> Int? {
        try Database(path: path).first("SELECT (SELECT count(*) FROM notifications) + (SELECT count(*) FROM accounts)")
        {
            $0.int(0)
        }
    }

    @Test func `an operator tells everybody, while the server runs and while it does not`() async throws {
        try await withHistory { world, server, port in
            let told = try await run(world, "announce", ["--title", "Maintenance at 18:00", "--text", "For an hour."])
            #expect(told.status == 0 && told.text.contains("told to 1 person on 1 device"), "\(told.text)")
            let nobody = try await run(world, "announce", ["--title", "Hello", "--person", "nobody"])
            #expect(nobody.status == 65 && nobody.text.contains("[nobody-to-tell]"), "\(nobody.text)")
            for title in ["", " ", "two\nlines", String(repeating: "x", count: 101)] {
                let refused = try await run(world, "announce", ["--title", title])
                #expect(refused.status == 64, "\(title): \(refused.text)")
            }
            #expect(try rows("\(world.folder)/notifier.db") == 3)
            #expect(await server.end(by: SIGTERM) == 0)
            let over = ["--title", "Over", "--text", "It is.", "--person", "@Ann"]
            #expect(try await run(world, "announce", over).status == 0)
            let next = try world.startServer()
            _ = try await next.port()
            // What was pushed and not recorded when the server was asked to stop may be pushed once more.
            var awaited: Set = ["For an hour.", "It is."]
            var screen = world.displayed.makeAsyncIterator()
            while !awaited.isEmpty, let body = await screen.next() { awaited.remove(body) }
            #expect(awaited.isEmpty)
            #expect(await next.end(by: SIGTERM) == 0)
        }
    }

    @Test func `a backup is made while the server runs, and restored once it has stopped`() async throws {
        try await withHistory(["backups": "\"FOLDER/backups\""]) { world, server, _ in
            let made = try await run(world, "backup")
            #expect(made.status == 0 && made.text.contains("verified"), "\(made.text)")
            let backup = try #require(backups(world).first)
            #expect(TemporaryFolder.mode(of: backup) == 0o600)
            let early = try await run(world, "restore", ["--from", backup])
            #expect(early.status == 70 && early.text.contains("[database-in-use]"), "\(early.text)")
            #expect(early.text.contains("process \(server.identifier)"))
            // What was not checkpointed when the server was killed stands in the log beside the database.
            #expect(await server.end(by: SIGKILL) == -SIGKILL)

            let database = "\(world.folder)/notifier.db"
            try Database(path: database).execute("DELETE FROM accounts")
            let restored = try await run(world, "restore", ["--from", backup])
            #expect(restored.status == 0, "\(restored.text)")
            #expect(TemporaryFolder.mode(of: database) == 0o600)
            #expect(try rows(database) == 2)
            let former = TemporaryFolder.entries(of: world.folder).first {
                $0.hasPrefix("notifier.db.before-") && !$0.contains("-wal") && !$0.contains("-shm")
            }
            #expect(try rows("\(world.folder)/\(try #require(former))") == 0)
            #expect(try rows(backup) == 2)

            let next = try world.startServer()
            _ = try await next.port()
            try world.gitlab.comment(by: "bob", on: LiveWorld.mergeRequest, body: "Merge it?")
            let shown = await world.next(after: "Looks good.")
            #expect(shown == "Merge it?")
            #expect(await next.end(by: SIGTERM) == 0)
        }
    }

    @Test func `a database that is named by a link is restored where it lies`() async throws {
        let world = try LiveWorld()
        let server = try world.startServer()
        _ = try await server.port()
        #expect(await server.end(by: SIGTERM) == 0)
        let made = try await run(world, "backup", ["--to", "\(world.folder)/backups"])
        #expect(made.status == 0, "\(made.text)")
        let link = "\(world.folder)/notifier.db"
        #expect(rename(link, "\(world.folder)/real.db") == 0 && symlink("real.db", link) == 0)
        let restored = try await run(world, "restore", ["--from", try #require(backups(world).first)])
        #expect(restored.status == 0, "\(restored.text)")
        var status = stat()
        let isLink = lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
        #expect(isLink)
        #expect(TemporaryFolder.entries(of: world.folder).contains { $0.hasPrefix("real.db.before-") })
    }

    @Test func `a second server on the same database is refused`() async throws {
        let world = try LiveWorld()
        let first = try world.startServer()
        _ = try await first.port()
        let second = try await run(world, "run")
        #expect(second.status == 70 && second.text.contains("[database-in-use]"))
        #expect(await first.end(by: SIGTERM) == 0)
    }

    /// A text in place of a backup, and the code of its refusal.
    @Test(arguments: ["", "no database at all", "SQLite format 3\0 but nothing behind it"])
    func `what is no backup is refused, and the database stays`(text: String) async throws {
        let world = try LiveWorld()
        let server = try world.startServer()
        _ = try await server.port()
        #expect(await server.end(by: SIGTERM) == 0)
        let before = TemporaryFolder.entries(of: world.folder)
        let file = try world.files.write(text, to: "backup.sqlite")
        let refused = try await run(world, "restore", ["--from", file])
        #expect(refused.status == 65 && refused.text.contains("[backup-unusable]"), "\(refused.text)")
        #expect(TemporaryFolder.entries(of: world.folder) == (before + ["backup.sqlite"]).sorted())
    }

    @Test func `a database of somebody else's is no backup`() async throws {
        let world = try LiveWorld()
        let path = "\(world.folder)/other.sqlite"
        try Database(path: path).executeScript("PRAGMA journal_mode = DELETE; CREATE TABLE other (id INTEGER)")
        let refused = try await run(world, "restore", ["--from", path])
        #expect(refused.status == 65 && refused.text.contains("[backup-unusable]"), "\(refused.text)")
    }

    @Test func `after a change of keys the old one is needed no more`() async throws {
        try await withHistory { world, server, _ in
            let keys = ["ENCRYPTION_KEY_CURRENT": Self.newKey, "ENCRYPTION_KEYS_OLD": Self.oldKey]
            let early = try await run(world, "rotate-keys", [], keys)
            #expect(early.status == 70 && early.text.contains("[database-in-use]"))
            #expect(await server.end(by: SIGTERM) == 0)

            let wrong = try await run(world, "rotate-keys", [], ["ENCRYPTION_KEY_CURRENT": Self.newKey])
            #expect(wrong.status == 65 && wrong.text.contains("[keys-incomplete]"), "\(wrong.text)")
            let done = try await run(world, "rotate-keys", [], keys)
            #expect(done.status == 0 && done.text.contains("alone opens"), "\(done.text)")

            let next = try world.startServer(["ENCRYPTION_KEY_CURRENT": Self.newKey])
            _ = try await next.port()
            try world.gitlab.comment(by: "bob", on: LiveWorld.mergeRequest, body: "Merge it?")
            let shown = await world.next(after: "Looks good.")
            #expect(shown == "Merge it?")
            #expect(await next.end(by: SIGTERM) == 0)
        }
    }

    @Test func `a backup that is not there is no matter of the settings`() async throws {
        let done = try await run(LiveWorld(), "restore", ["--from", "nothere"])
        #expect(done.text.contains("there is no file nothere") && done.text.contains("hint: --from"), "\(done.text)")
    }

    /// Root may look into every folder.
    @Test(.enabled(if: geteuid() != 0))
    func `a database in a folder of the server's user is not said to be missing`() async throws {
        let world = try LiveWorld(settings: ["database": "\"FOLDER/private/notifier.db\""])
        let folder = "\(world.folder)/private"
        #expect(mkdir(folder, 0o700) == 0)
        _ = try world.files.write("", to: "private/notifier.db")
        #expect(chmod(folder, 0) == 0)
        let done = try await run(world, "backup", ["--to", "\(world.folder)/backups"])
        #expect(chmod(folder, 0o700) == 0)
        #expect(done.status == 70 && done.text.contains("cannot be reached: Permission denied"), "\(done.text)")
    }

    @Test func `a folder in which no backup can be made is named`() async throws {
        let world = try LiveWorld()
        _ = try world.files.write("", to: "notifier.db")
        let done = try await run(world, "backup", ["--to", "\(world.folder)/none/backups"])
        #expect(done.status == 70 && done.text.contains("[cannot-write]"), "\(done.text)")
        #expect(done.text.contains("to \(world.folder)/none/backups: "), "\(done.text)")
    }

    /// Arguments, and the exit status they lead to.
    private static let mistakes: [([String], Int32)] = [
        (["backup"], 65), (["backup", "--to", "/nonexistent/folder"], 65), (["restore"], 64),
        (["restore", "--from", "/nonexistent/backup"], 65), (["backup", "--too", "x"], 64), (["backup", "--to"], 64),
        (["rotate-keys", "--to", "x"], 64), (["export-incident"], 64), (["restor"], 64), (["announce"], 64),
    ]

    @Test(arguments: mistakes)
    func `a command that cannot be done says why`(arguments: [String], status: Int32) async throws {
        let world = try LiveWorld()
        let done = try await run(world, arguments[0], Array(arguments.dropFirst()))
        #expect(done.status == status, "\(done.text)")
        #expect(done.text.hasPrefix("notifierd: error: ") && done.text.contains("\n  hint: "))
    }
}
