import Glibc
import SQLite

/// A database of its own in memory.
func makeDatabase(options: DatabaseOptions = DatabaseOptions()) throws -> Database {
    try Database(path: ":memory:", options: options)
}

/// A database with one table `items (id, name UNIQUE, note)`.
func makeItemsDatabase(options: DatabaseOptions = DatabaseOptions()) throws -> Database {
    let database = try makeDatabase(options: options)
    try database.execute(
        "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, note BLOB) STRICT"
    )
    return database
}

/// The code of what `body` throws; nil when it throws nothing.
func sqliteError<Result>(_ body: () throws -> Result) throws -> SQLiteError? {
    do {
        _ = try body()
        return nil
    } catch let error as SQLiteError {
        return error
    }
}

/// Runs `body` with the path of a new, empty directory and removes it afterwards.
func withTemporaryDirectory(_ body: (String) throws -> Void) throws {
    var template = Array("/tmp/sqlite-tests-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SQLiteError.cannotOpen }
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer { removeDirectory(path) }
    try body(path)
}

/// The permission bits of a file; nil when there is none.
func mode(of path: String) -> UInt32? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
}

private func removeDirectory(_ path: String) {
    if let directory = opendir(path) {
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            unlink("\(path)/\(name)")
        }
        closedir(directory)
    }
    rmdir(path)
}
