import Configuration
import FoundationEssentials
import HTTP
import Platform
import SQLite
import Testing

@testable import Notifier

/// A database that something has spoiled: the server either refuses it and leaves it as it is, or works with it, all of it.
struct DamagedDatabaseTests {
    /// The files of a server that was killed: with a person, a device, a watch, a notification, and a log that was not taken into the file.
    private struct Remains {
        let folder: TemporaryFolder
        let secrets: NotifierSecrets
        let session: String
        var path: String { "\(folder.path)/notifier.db" }
        var other: String { "\(folder.path)/other.db" }

        init() throws {
            folder = try TemporaryFolder()
            secrets = try makeSecrets()
            session = try Self.serve("\(folder.path)/live.db", secrets, then: "\(folder.path)/notifier.db")
            _ = try Self.serve("\(folder.path)/live-2.db", makeSecrets(), then: "\(folder.path)/other.db")
        }

        /// Lets a server live on `path`, and copies its files as a kill would leave them.
        private static func serve(_ path: String, _ secrets: NotifierSecrets, then copy: String) throws -> String {
            let bench = try ServerBench(file: path, secrets: secrets)
            let notifier = bench.notifier
            bench.world.start { try await notifier.run() }
            let session = try bench.register()
            _ = try bench.registerDevice("aa11", session)
            _ = try bench.call(.post, "/watch", ServerBench.watchBody, session: session)
            bench.world.advance(by: .minutes(2))
            _ = try bench.call(.post, "/notifications/test", session: session)
            bench.world.advance(by: .minutes(2))
            for ending in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: path + ending, toPath: copy + ending)
            }
            bench.world.crash()
            return session
        }
    }

    /// Everything that must be as before when the server refuses.
    private static func files(_ path: String) throws -> [[UInt8]?] {
        ["", "-wal", "-journal"].map { ending in
            let bytes = try? Array(Data(contentsOf: URL(filePath: path + ending)))
            // A log without a byte is none.
            return ending == "-wal" && bytes?.isEmpty == true ? nil : bytes
        }
    }

    /// Nil when the server refuses and nothing has changed; otherwise what it does with it.
    private static func outcome(_ remains: Remains, _ name: String) throws -> String? {
        let before = try files(remains.path)
        do {
            _ = try Maintenance.examine(remains.path)
        } catch let fault as Maintenance.DatabaseFault {
            #expect(try files(remains.path) == before, "\(name): it was changed")
            #expect(!fault.description.isEmpty)
            return nil
        }
        let bench: ServerBench
        do {
            bench = try ServerBench(file: remains.path, secrets: remains.secrets)
        } catch is ConfigurationError {
            // A key that does not open what it should; the daemon's sentence for it names restore, too.
            return nil
        }
        let notifier = bench.notifier
        bench.world.start { try await notifier.run() }
        defer { bench.world.crash() }
        for round in 1...2 {
            for (method, target, body) in requests {
                let answer = try bench.call(method, target, body, session: remains.session)
                #expect(answer.status < 500, "\(name), \(method.rawValue) \(target): \(answer.bodyText)")
            }
            if round == 1 { bench.world.advance(by: .minutes(6)) }
        }
        return "works"
    }

    /// Each reading route, and some that write.
    private static let requests: [(HTTPMethod, String, String)] =
        RESTAPI.routes.filter { $0.method == .get }
        .map { (.get, "\($0.path)".split(separator: "/").map { $0.hasPrefix(":") ? "/1" : "/\($0)" }.joined(), "") } + [
            (.post, "/notifications/test", ""), (.post, "/watch", ServerBench.watchBody),
            (.post, "/devices", #"{"apnsToken": "bb22", "platform": "ios"}"#),
        ]

    @Test(arguments: Damage.table) func `a damaged database is refused as it is, or serves everything`(damage: Damage)
        throws
    {
        let remains = try Remains()
        defer { withExtendedLifetime(remains) {} }
        try damage.spoil(Damage.Place(path: remains.path, other: remains.other))
        _ = try Self.outcome(remains, damage.name)
    }

    @Test func `what can be seen to be broken is refused`() throws {
        let harmless: Set = [
            "no log", "half of the log", "noise in the log", "noise for the index of the log",
            "an older file below its log",
            "a page of noise more", "a byte less", "another database's log", "somebody else's journal",
            "a vacuum that goes by steps",
        ]
        for damage in Damage.table where !harmless.contains(damage.name) {
            let remains = try Remains()
            try damage.spoil(Damage.Place(path: remains.path, other: remains.other))
            #expect(try Self.outcome(remains, damage.name) == nil, "\(damage.name) is not refused")
            withExtendedLifetime(remains) {}
        }
    }

    @Test func `a byte that changed anywhere is refused, or everything is served`() throws {
        let remains = try Remains()
        defer { withExtendedLifetime(remains) {} }
        try Damage.Place(path: remains.path, other: "").settle()
        let sound = try Array(Data(contentsOf: URL(filePath: remains.path)))
        var stream = RandomStream(seed: 24)
        var refused = 0
        for number in 1...60 {
            var bytes = sound
            let place = Int(stream.next() % UInt64(bytes.count))
            bytes[place] ^= UInt8(1 << (stream.next() % 8))
            for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: remains.path + ending) }
            try Data(bytes).write(to: URL(filePath: remains.path))
            if try Self.outcome(remains, "flip \(number) at \(place)") == nil { refused += 1 }
        }
        #expect((1..<60).contains(refused), "\(refused)")
    }

    @Test
    func `a sound database is sound, a missing one may be made, and the first step of a start may be taken again`()
        throws
    {
        let remains = try Remains()
        defer { withExtendedLifetime(remains) {} }
        let before = try Self.files(remains.path)
        #expect(before[1] != nil, "a log was left")
        #expect(try Maintenance.examine(remains.path) == .sound)
        #expect(try Self.files(remains.path) == before, "a look changes nothing")
        #expect(try Maintenance.examine("\(remains.folder.path)/none.db") == .absent)
        let fresh = "\(remains.folder.path)/fresh.db"
        _ = try Database(path: fresh)
        #expect(try Maintenance.examine(fresh) == .sound)
        let older = "\(remains.folder.path)/older.db"
        try Migrator(Array(Schema.migrations.prefix(1))).migrate(Database(path: older), microsecondsSinceEpoch: 0)
        #expect(try Maintenance.examine(older) == .sound)
    }
}
