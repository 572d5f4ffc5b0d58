import FoundationEssentials
import Testing

@testable import SQLite

/// A way to spoil the files of a database that a server was using: what was committed stands in the file and in the log beside it.
struct Damage: CustomTestStringConvertible, Sendable {
    /// Where the files lie, and a database of another server's, with its log.
    struct Place {
        var path: String
        var other: String

        func bytes(_ ending: String = "") throws -> [UInt8] {
            try Array(Data(contentsOf: URL(filePath: path + ending)))
        }

        func write(_ bytes: [UInt8], _ ending: String = "") throws {
            try Data(bytes).write(to: URL(filePath: path + ending))
        }

        /// Changes the file itself, with everything of the log taken into it before.
        func edit(_ body: (inout [UInt8]) -> Void) throws {
            try settle()
            var all = try bytes()
            body(&all)
            try write(all)
        }

        /// Opening and closing it takes the log into the file.
        func settle() throws { _ = try Database(path: path) }

        func run(_ script: String) throws {
            try Database(path: path).executeScript(SQL(text: script))
        }
    }

    let name: String
    let spoil: @Sendable (Place) throws -> Void
    var testDescription: String { name }

    init(_ name: String, _ spoil: @escaping @Sendable (Place) throws -> Void) {
        (self.name, self.spoil) = (name, spoil)
    }

    static let page = 4_096

    private static func edit(_ name: String, _ body: @escaping @Sendable (inout [UInt8]) -> Void) -> Damage {
        Damage(name) { try $0.edit(body) }
    }

    private static func header(_ name: String, at offset: Int, _ bytes: UInt8...) -> Damage {
        edit(name) { $0.replaceSubrange(offset..<offset + bytes.count, with: bytes) }
    }

    private static func script(_ name: String, _ text: String) -> Damage {
        Damage(name) { try $0.run(text) }
    }

    static let table: [Damage] = size + pages + headers + content + logs

    private static let size = [
        edit("0 bytes") { $0 = [] }, edit("the header alone") { $0 = Array($0.prefix(100)) },
        edit("one page") { $0 = Array($0.prefix(page)) }, edit("half of it") { $0 = Array($0.prefix($0.count / 2)) },
        edit("a byte less") { $0.removeLast() }, edit("a page less") { $0.removeLast(page) },
        edit("a page of noise more") { $0 += (0..<page).map { UInt8(truncatingIfNeeded: $0 &* 31) } },
        edit("no database at all") { $0 = Array("This was a database once.\n".utf8) },
        edit("nothing but zeros") { $0 = [UInt8](repeating: 0, count: $0.count) },
    ]

    private static func zero(_ bytes: inout [UInt8], _ number: Int) {
        bytes.replaceSubrange(number * page..<(number + 1) * page, with: repeatElement(0, count: page))
    }

    private static let pages = [
        edit("the second page zeroed") { zero(&$0, 1) },
        edit("a page in the middle zeroed") { zero(&$0, $0.count / page / 2) },
        edit("the last page zeroed") { zero(&$0, $0.count / page - 1) },
        edit("all but the first page zeroed") { for number in 1..<$0.count / page { zero(&$0, number) } },
        edit("two pages in each other's place") { bytes in
            let (first, second) = (Array(bytes[page..<2 * page]), Array(bytes[2 * page..<3 * page]))
            bytes.replaceSubrange(page..<3 * page, with: second + first)
        },
        edit("noise over a page") { bytes in
            for index in 4 * page..<5 * page { bytes[index] = UInt8(truncatingIfNeeded: index &* 31 &+ 7) }
        },
    ]

    private static let headers = [
        header("another magic", at: 0, 0x50), header("another size of pages", at: 16, 0x02, 0x00),
        header("a size of pages that there is not", at: 16, 0x12, 0x34), header("a format of the future", at: 18, 9, 9),
        header("more pages than there are", at: 28, 0, 0, 0x7F, 0xFF),
        header("a list of free pages that leads nowhere", at: 32, 0, 0, 0x7F, 0xFF, 0, 0, 0, 1),
        header("a count of free pages that is wrong", at: 36, 0, 0, 0, 9),
        header("a schema of another format", at: 47, 9),
        header("another encoding", at: 59, 2), header("a vacuum that goes by steps", at: 52, 0, 0, 0, 9),
    ]

    private static let content = [
        script("a table less", "DROP TABLE first_readings"), script("an index less", "DROP INDEX devices_by_account"),
        script("a column more", "ALTER TABLE watches ADD COLUMN colour TEXT"),
        script("a trigger", "CREATE TRIGGER t AFTER INSERT ON notifications BEGIN DELETE FROM notifications; END"),
        script("a view", "CREATE VIEW v AS SELECT 1"),
        script(
            "somebody else's table of versions",
            "DROP TABLE schema_migrations; CREATE TABLE schema_migrations (version)"
        ),
        script("no table of versions", "DROP TABLE schema_migrations"),
        script("a version of the future", "INSERT INTO schema_migrations VALUES (99, 0)"),
        script("a version of the past", "UPDATE schema_migrations SET version = 0"),
        script("no version", "DELETE FROM schema_migrations"),
        script("a row without its parent", "PRAGMA foreign_keys = OFF; UPDATE watches SET account_id = 99"),
        script("a row against a rule", "PRAGMA ignore_check_constraints = ON; UPDATE accounts SET state = 'odd'"),
        script(
            "an index that knows of no row",
            """
            PRAGMA writable_schema = ON;
            CREATE TEMP TABLE kept AS SELECT * FROM sqlite_schema WHERE name = 'devices_by_account';
            DELETE FROM sqlite_schema WHERE name = 'devices_by_account';
            PRAGMA schema_version = 9001;
            INSERT INTO devices SELECT id + 1000, public_id || 'x', account_id, apns_token || 'x', token_ciphertext, token_nonce,
                token_key_version, environment, platform, app_version, state, state_reason, registered_at, state_changed_at,
                throttled_at, throttle_count, trial_at, trials FROM devices;
            INSERT INTO sqlite_schema SELECT * FROM kept;
            PRAGMA schema_version = 9002;
            """
        ),
        Damage("another program's database") { place in
            try FileManager.default.removeItem(atPath: place.path)
            for ending in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: place.path + ending) {
                try FileManager.default.removeItem(atPath: place.path + ending)
            }
            try place.run("CREATE TABLE songs (id INTEGER PRIMARY KEY, title TEXT); INSERT INTO songs VALUES (1, 'x')")
        },
    ]

    private static let logs = [
        Damage("another database's log") { place in
            try place.write(Array(Data(contentsOf: URL(filePath: place.other + "-wal"))), "-wal")
        },
        Damage("half of the log") { try $0.write(Array($0.bytes("-wal").prefix($0.bytes("-wal").count / 2)), "-wal") },
        Damage("noise in the log") { place in
            var bytes = try place.bytes("-wal")
            for index in stride(from: bytes.count / 2, to: bytes.count, by: 97) { bytes[index] ^= 0x5A }
            try place.write(bytes, "-wal")
        },
        Damage("no log") { try FileManager.default.removeItem(atPath: $0.path + "-wal") },
        Damage("an older file below its log") { place in
            var bytes = try place.bytes()
            if bytes.count > 2 * page { bytes.removeLast(page) }
            try place.write(bytes)
        },
        Damage("noise for the index of the log") { try $0.write([UInt8](repeating: 0x5A, count: 32_768), "-shm") },
        Damage("somebody else's journal") { try $0.write([UInt8](repeating: 0x5A, count: 4_096), "-journal") },
    ]
}
