import Glibc

/// A single file that a command writes where `--out` says: whole or not at all, and over nothing but an older one of its kind.
struct LiveOutFile {
    var path: String
    /// What it is, with its article, for messages.
    var what: String
    /// What such a file begins with; one that begins otherwise is somebody's own.
    var beginning: String

    /// - Throws: `ProgramError` for a place where no such file can go.
    func check() throws(ProgramError) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw ProgramError(
                .outIsAFile,
                "\(path) is not a file that \(what) could replace",
                hint: "name a file: -o FILE"
            )
        }
        guard status.st_size == 0 || isOlder else {
            throw ProgramError(
                .outNotAReport,
                "\(path) is not \(what) and would be replaced",
                hint: "name a new file, such as \(path).new"
            )
        }
    }

    private var isOlder: Bool {
        guard let file = fopen(path, "r") else { return false }
        defer { fclose(file) }
        let expected = Array(beginning.utf8)
        var bytes = [UInt8](repeating: 0, count: expected.count)
        return fread(&bytes, 1, bytes.count, file) == bytes.count && bytes == expected
    }

    /// Into a file beside it, which then takes its place.
    func write(_ text: String) throws(ProgramError) {
        let partial = "\(path).partial-\(getpid())"
        do throws(SystemFailure) {
            try LiveFile.write(text: text, to: partial)
            guard rename(partial, path) == 0 else { throw SystemFailure("writing \(path)") }
        } catch {
            unlink(partial)
            throw ProgramError(
                .outNotWritable,
                "\(path) cannot be written: \(error.programError.message)",
                hint: "choose another file with --out FILE"
            )
        }
    }
}

extension LiveOutFile {
    /// Whether a result can be written to `path`, before any time is spent on it; nothing there is touched.
    ///
    /// - Parameters:
    ///   - path: where it is to go.
    ///   - source: the file that is read, which the result must not replace, by whatever name.
    /// - Throws: `ProgramError.outNotWritable`.
    static func check(_ path: String, besides source: String?) throws(ProgramError) {
        var status = stat()
        guard stat(path, &status) == 0 else { return try checkFolder(of: path) }
        if let source, isSame(status, source) {
            throw ProgramError(
                .outNotWritable,
                "\(path) is the file that is read, and would be replaced",
                hint: "name another file with --out FILE"
            )
        }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw refusal(path, "it is a folder") }
        guard access(path, W_OK) == 0 else { throw refusal(path, String(cString: strerror(errno))) }
    }

    /// Devices may well be both.
    private static func isSame(_ status: stat, _ source: String) -> Bool {
        var other = stat()
        return stat(source, &other) == 0 && status.st_mode & S_IFMT == S_IFREG
            && (status.st_dev, status.st_ino) == (other.st_dev, other.st_ino)
    }

    private static func checkFolder(of path: String) throws(ProgramError) {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        var status = stat()
        guard stat(folder, &status) == 0, access(folder, W_OK | X_OK) == 0 else {
            throw refusal(path, String(cString: strerror(errno)))
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw refusal(path, "\(folder) is not a folder") }
    }

    private static func refusal(_ path: String, _ reason: String) -> ProgramError {
        ProgramError(
            .outNotWritable,
            "\(path) cannot be written: \(reason)",
            hint: "choose another file with --out FILE"
        )
    }
}
