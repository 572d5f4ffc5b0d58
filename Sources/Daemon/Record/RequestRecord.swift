import Glibc
import Synchronization

/// The newest lines about what the server did, JSON each, in a file beside the database: they are there for `export-incident` after a
/// crash, too.
///
/// At its bound the file becomes `<database>.<kind>.old`, in the place of the one before. Isolation: any thread.
final class RequestRecord: Sendable {
    /// What the lines are about, and what the file is called.
    enum Kind: String, CaseIterable {
        /// Every request that was sent.
        case requests
        /// What each minute came to, and when the process began and ended.
        case traffic
    }

    private struct State {
        var descriptor: Int32
        var size: Int
    }

    private let path: String
    private let limitBytes: Int
    private let state: Mutex<State>

    /// Nil when the file cannot be made.
    ///
    /// - Parameters:
    ///   - kind: what the lines are about.
    ///   - database: path of the database.
    ///   - limitBytes: of each of the two files.
    init?(_ kind: Kind, beside database: String, limitBytes: Int = 1_048_576) {
        path = Self.path(kind, database)
        self.limitBytes = limitBytes
        guard let state = Self.open(path) else { return nil }
        self.state = Mutex(state)
    }

    deinit {
        state.withLock { _ = close($0.descriptor) }
    }

    /// Adds a line, without its end. What the disk does not take is missing in a report, and nowhere else.
    func append(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        state.withLock { state in
            if state.size + bytes.count > limitBytes { turnOver(&state) }
            state.size += max(0, write(state.descriptor, bytes, bytes.count))
        }
    }

    private func turnOver(_ state: inout State) {
        guard rename(path, Self.olderPath(path)) == 0, let new = Self.open(path) else {
            // Rather nothing than a file without a bound.
            ftruncate(state.descriptor, 0)
            state.size = 0
            return
        }
        close(state.descriptor)
        state = new
    }

    private static func open(_ path: String) -> State? {
        let descriptor = Glibc.open(path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        return State(descriptor: descriptor, size: max(0, Int(lseek(descriptor, 0, SEEK_END))))
    }

    private static func path(_ kind: Kind, _ database: String) -> String {
        "\(DatabaseFiles.resolved(database)).\(kind.rawValue)"
    }

    private static func olderPath(_ path: String) -> String { "\(path).old" }

    // MARK: Reading

    /// The newest lines, oldest first; none where there is no record.
    static func lines(_ kind: Kind, beside database: String, limit: Int) -> [Substring] {
        let path = path(kind, database)
        // A file that is not there, or that somebody made too large, holds no line.
        let texts = [olderPath(path), path].map { (try? LiveFile.read($0, limitBytes: readLimitBytes)) ?? [] }
        let lines = texts.flatMap { String(decoding: $0, as: UTF8.self).split(separator: "\n") }
        return Array(lines.suffix(limit))
    }

    private static let readLimitBytes = 4 * 1_048_576
}
