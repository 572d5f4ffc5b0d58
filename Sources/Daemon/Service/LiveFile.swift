import Glibc

/// Whole small files.
enum LiveFile {
    /// Settings, keys and certificates are far smaller.
    private static let limitBytes = 1_048_576

    /// The bytes of the file at `path`.
    ///
    /// - Throws: `DaemonError.settingsUnreadable` with the system's reason.
    static func read(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "re") else { throw failure(path, String(cString: strerror(errno))) }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: limitBytes + 1)
        let count = fread(&bytes, 1, bytes.count, file)
        guard ferror(file) == 0 else { throw failure(path, String(cString: strerror(errno))) }
        guard count <= limitBytes else { throw failure(path, "it is larger than \(limitBytes) bytes") }
        return Array(bytes.prefix(count))
    }

    /// Whether others than the file's owner and group may read it.
    ///
    /// - Throws: `DaemonError.settingsUnreadable`.
    static func isOpenToOthers(_ path: String) throws -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure(path, String(cString: strerror(errno))) }
        return status.st_mode & 0o007 != 0
    }

    private static func failure(_ path: String, _ reason: String) -> DaemonError {
        DaemonError(
            .settingsUnreadable,
            "\(path) cannot be read: \(reason)",
            hint: "check the path and who may read it"
        )
    }
}
