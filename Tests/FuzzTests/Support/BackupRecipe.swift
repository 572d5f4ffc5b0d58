import HTTP
import Platform

@testable import SQLite

/// A file from which somebody restores, as text: `raw`, and the bytes behind it; or what is done to a real backup, a line each:
/// `sql STATEMENT`, `at OFFSET HEXADECIMAL`, `cut LENGTH`.
struct BackupRecipe {
    private static let lineLimit = 32
    private static let statementLimitBytes = 400
    private var statements: [String] = []
    private var patches: [(offset: Int, bytes: [UInt8])] = []
    private var length = Int.max
    private var raw: [UInt8]?

    init(_ bytes: [UInt8]) {
        let mark = Array("raw\n".utf8)
        if bytes.starts(with: mark) {
            raw = Array(bytes.dropFirst(mark.count))
            return
        }
        for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(Self.lineLimit) {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 2).map(String.init)
            switch (words.first, words.count) {
            case ("sql", 3): statements.append("\(words[1]) \(words[2])")
            case ("at", 3): if let offset = UInt32(words[1]) { patches.append((Int(offset), Self.bytes(words[2]))) }
            case ("cut", 2): length = UInt32(words[1]).map(Int.init) ?? length
            default: continue
            }
        }
    }

    /// The file.
    func file() throws -> [UInt8] {
        if let raw { return raw }
        var file =
            try statements.isEmpty
            ? RealBackup.bytes.get()
            : RealBackup.changed { database in
                for statement in statements where Self.isHarmless(statement) {
                    // What SQLite does not understand changes nothing.
                    try? database.executeScript(SQL(text: statement))
                }
            }
        for patch in patches {
            let start = patch.offset % file.count
            for (index, byte) in zip(start..<file.count, patch.bytes) { file[index] = byte }
        }
        return Array(file.prefix(length))
    }

    /// Neither reaches another file nor takes for ever.
    private static func isHarmless(_ statement: String) -> Bool {
        let text = statement.lowercased()
        let begins = ["insert ", "update ", "delete ", "create ", "drop ", "alter "].contains { text.hasPrefix($0) }
        let words = ["attach", "vacuum", "pragma", "recursive", "blob(", "printf", "format", "select"]
        return begins && text.utf8.count <= statementLimitBytes && !words.contains { text.contains($0) }
    }

    private static func bytes(_ digits: String) -> [UInt8] {
        let nibbles = digits.compactMap(\.hexDigitValue)
        return stride(from: 0, to: nibbles.count - 1, by: 2).map { UInt8(nibbles[$0] << 4 | nibbles[$0 + 1]) }
    }
}

/// A backup of a notifier that has told somebody of something.
enum RealBackup {
    private static let name = "backup.sqlite"

    /// Made once, with small pages so that it is small.
    static let bytes = Result { () throws -> [UInt8] in
        let folder = try ScratchFolder()
        let server = try FuzzedNotifier { request in
            request.path.hasSuffix("/notes") ? Self.comment : nil
        }
        defer { server.discard() }
        guard server.signIn() != nil else { throw ScratchFolder.Failure() }
        server.beginScript()
        server.run(for: .minutes(5))
        try server.copyDatabase(to: "\(folder.path)/\(name)")
        try shrink("\(folder.path)/\(name)")
        guard let bytes = folder.read(name) else { throw ScratchFolder.Failure() }
        return bytes
    }

    /// What becomes of it when `change` has been made.
    static func changed(_ change: (Database) throws -> Void) throws -> [UInt8] {
        let folder = try ScratchFolder()
        try folder.write(bytes.get(), to: name)
        try open("\(folder.path)/\(name)") { database in
            try database.executeScript("PRAGMA foreign_keys = OFF; PRAGMA writable_schema = ON")
            try change(database)
        }
        guard let bytes = folder.read(name) else { throw ScratchFolder.Failure() }
        return bytes
    }

    private static func shrink(_ path: String) throws {
        try open(path) { try $0.executeScript("PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM") }
    }

    /// Closes it when `body` is over.
    private static func open(_ path: String, _ body: (Database) throws -> Void) throws {
        try body(Database(path: path, options: DatabaseOptions(synchronous: .off)))
    }

    private static let comment = HTTPResponse(
        status: 200,
        fields: ["Content-Type": "application/json", "X-Total": "1"],
        body: Array(
            """
            [{"id":1,"body":"Looks good, @anna","author":{"id":9,"username":"ben","name":"Ben"},\
            "created_at":"2026-03-02T09:01:00.000Z","updated_at":"2026-03-02T09:01:00.000Z","system":false,\
            "noteable_type":"MergeRequest"}]
            """.utf8
        )
    )
}
