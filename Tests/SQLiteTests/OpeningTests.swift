import Glibc
import Testing

@testable import SQLite

struct OpeningTests {
    @Test func `a new file is for its owner alone and keeps a log`() throws {
        try withTemporaryDirectory { directory in
            let database = try Database(path: "\(directory)/a.db")
            try database.execute("CREATE TABLE t (a INTEGER) STRICT")
            #expect(database.journalMode == "wal")
            #expect(mode(of: "\(directory)/a.db") == 0o600)
            #expect(mode(of: "\(directory)/a.db-wal") == 0o600)
        }
    }

    @Test(arguments: ["", "?cache=private"])
    func `a file named by a URI is for its owner alone`(query: String) throws {
        try withTemporaryDirectory { directory in
            _ = try Database(path: "file:\(directory)/a%20b.db\(query)")
            #expect(mode(of: "\(directory)/a b.db") == 0o600)
        }
    }

    @Test(arguments: [
        ("a%20b", "a b"), ("a%2Fb%2f", "a/b/"), ("a%+5b", "a%+5b"), ("a%-0b", "a%-0b"), ("a%4", "a%4"), ("a%", "a%"),
        ("a%%41", "a%A"), ("a% 41", "a% 41"),
    ])
    func `only two digits after a percent sign stand for a byte`(path: String, file: String) {
        #expect(DatabasePath.fileToCreate(for: "file:\(path)") == file)
    }

    @Test func `a database in memory leaves no file`() throws {
        try withTemporaryDirectory { directory in
            let database = try Database(path: "file:\(directory)/a.db?vfs=memdb")
            try database.execute("CREATE TABLE t (a INTEGER) STRICT")
            #expect(mode(of: "\(directory)/a.db") == nil)
            #expect(database.journalMode == "memory")
        }
    }

    @Test(arguments: DatabaseOptions.Synchronous.allCases)
    func `the database syncs as asked`(synchronous: DatabaseOptions.Synchronous) throws {
        let database = try makeDatabase(options: DatabaseOptions(synchronous: synchronous))
        let number = try database.first("PRAGMA synchronous") { $0.int(0) }
        #expect(number == ["OFF": 0, "NORMAL": 1, "FULL": 2][synchronous.rawValue])
    }

    @Test func `the busy timeout reaches the database in milliseconds`() throws {
        let database = try makeDatabase(options: DatabaseOptions(busyTimeout: .milliseconds(1_250)))
        #expect(try database.first("PRAGMA busy_timeout") { $0.int(0) } == 1_250)
    }

    @Test func `a directory cannot be opened as a database`() throws {
        try withTemporaryDirectory { directory in
            let error = try sqliteError { _ = try Database(path: directory) }
            #expect(error == .cannotOpen)
        }
    }

    @Test func `a file that is no database is refused`() throws {
        try withTemporaryDirectory { directory in
            let path = "\(directory)/text"
            let file = try #require(fopen(path, "w"))
            fputs(String(repeating: "this is no database\n", count: 100), file)
            fclose(file)
            let error = try sqliteError { _ = try Database(path: path) }
            #expect(error == .corrupt)
        }
    }

    @Test func `what is damaged can be emptied, and is a database again`() throws {
        try withTemporaryDirectory { directory in
            let path = "\(directory)/spoilt.db"
            do {
                let database = try Database(path: path)
                try database.execute("CREATE TABLE a (b INTEGER) STRICT")
            }
            let file = try #require(fopen(path, "r+"))
            fputs(String(repeating: "any bytes in the place of the first page\n", count: 100), file)
            fclose(file)
            #expect(try sqliteError { _ = try Database(path: path) } == .corrupt)
            let empty = try Database(emptying: path)
            #expect(empty.journalMode == "wal")
            try empty.execute("CREATE TABLE a (b INTEGER) STRICT")
            try empty.execute("INSERT INTO a (b) VALUES (7)")
            #expect(try Database(path: path).first("SELECT b FROM a") { $0.int64(0) } == 7)
        }
    }

    @Test func `the last connection to close takes the log into the file and removes it`() throws {
        try withTemporaryDirectory { directory in
            let path = "\(directory)/a.db"
            var connections = try [Database(path: path), Database(path: path)]
            try connections[0].execute("CREATE TABLE t (a INTEGER) STRICT")
            try connections[0].execute("INSERT INTO t VALUES (7)")
            connections.removeFirst()
            #expect(mode(of: "\(path)-wal") != nil && mode(of: "\(path)-shm") != nil)
            // A statement that is kept must not keep the file open.
            #expect(try connections[0].first("SELECT a FROM t") { $0.int(0) } == 7)
            connections.removeFirst()
            #expect(mode(of: "\(path)-wal") == nil && mode(of: "\(path)-shm") == nil)
            #expect(try Database(path: path).first("SELECT a FROM t") { $0.int(0) } == 7)
        }
    }

    @Test func `a file is read again after its connection is gone`() throws {
        try withTemporaryDirectory { directory in
            do {
                let database = try Database(path: "\(directory)/a.db")
                try database.execute("CREATE TABLE t (a INTEGER) STRICT")
                try database.execute("INSERT INTO t VALUES (7)")
            }
            let again = try Database(path: "\(directory)/a.db")
            #expect(try again.first("SELECT a FROM t") { $0.int(0) } == 7)
        }
    }
}

/// A simulated crash drops a program where it stands: nothing closes its connection.
struct AbandonedConnectionTests {
    /// Opens a connection that no one ever closes, as a crash leaves it.
    private func abandonConnection(to path: String, after work: (Database) throws -> Void) throws {
        let database = try Database(path: path, options: DatabaseOptions(busyTimeout: .zero))
        try work(database)
        _ = Unmanaged.passRetained(database)
    }

    @Test func `a new connection sees and extends what an abandoned one committed`() throws {
        let path = "file:/abandoned-connection-test?vfs=memdb"
        try abandonConnection(to: path) { database in
            try database.execute("CREATE TABLE t (a INTEGER PRIMARY KEY) STRICT")
            try database.transaction {
                for number in 1...500 { try database.execute("INSERT INTO t VALUES (?)", number) }
            }
            try database.execute("UPDATE t SET a = 1000 WHERE a = ?", 500)
            // A read that stops early must not keep its lock.
            #expect(try database.first("SELECT a FROM t ORDER BY a") { $0.int(0) } == 1)
        }
        let restarted = try Database(path: path, options: DatabaseOptions(busyTimeout: .zero))
        #expect(try restarted.first("SELECT count(*), max(a) FROM t") { [$0.int(0), $0.int(1)] } == [500, 1_000])
        try restarted.transaction { try restarted.execute("INSERT INTO t VALUES (1001)") }
        let third = try Database(path: path, options: DatabaseOptions(busyTimeout: .zero))
        #expect(try third.first("SELECT max(a) FROM t") { $0.int(0) } == 1_001)
        #expect(try third.first("PRAGMA integrity_check") { $0.text(0) } == "ok")
    }

    @Test func `names keep databases in memory apart`() throws {
        let first = try Database(path: "file:/apart-test-1?vfs=memdb")
        let second = try Database(path: "file:/apart-test-2?vfs=memdb")
        try first.execute("CREATE TABLE t (a INTEGER) STRICT")
        #expect(try second.first("SELECT count(*) FROM sqlite_schema") { $0.int(0) } == 0)
    }
}
