import Glibc

/// Whole small files.
enum LiveFile {
    /// Settings, keys and certificates are far smaller.
    private static let limitBytes = 1_048_576

    /// The bytes of the file at `path`.
    ///
    /// - Throws: `DaemonError.settingsUnreadable` with the system's reason.
    static func read(_ path: String) throws -> [UInt8] {
        try read(path, limitBytes: limitBytes)
    }

    static func read(_ path: String, limitBytes: Int) throws -> [UInt8] {
        guard let file = fopen(path, "re") else { throw failure(path, String(cString: strerror(errno))) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= limitBytes {
            let count = fread(&part, 1, part.count, file)
            guard ferror(file) == 0 else { throw failure(path, String(cString: strerror(errno))) }
            guard count > 0 else { return bytes }
            bytes += part.prefix(count)
        }
        throw failure(path, "it is larger than \(limitBytes) bytes")
    }

    /// The last `limitBytes` of a file, or of a pipe: what comes before them goes.
    ///
    /// - Throws: `DaemonError.settingsUnreadable` with the system's reason.
    static func readEnd(_ path: String, limitBytes: Int) throws -> [UInt8] {
        guard let file = fopen(path, "re") else { throw failure(path, String(cString: strerror(errno))) }
        defer { fclose(file) }
        var status = stat()
        if fstat(fileno(file), &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > limitBytes {
            fseek(file, -limitBytes, SEEK_END)
        }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&part, 1, part.count, file)
            guard ferror(file) == 0 else { throw failure(path, String(cString: strerror(errno))) }
            guard count > 0 else { return Array(bytes.suffix(limitBytes)) }
            bytes += part.prefix(count)
            if bytes.count > 2 * limitBytes { bytes.removeFirst(bytes.count - limitBytes) }
        }
    }

    /// Makes a file that is not there yet, for its owner alone.
    ///
    /// - Throws: `DaemonError.cannotWrite` with the system's reason.
    static func create(_ path: String, _ text: String) throws {
        let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        let file = descriptor >= 0 ? fdopen(descriptor, "w") : nil
        let bytes = Array(text.utf8)
        let isWritten = file.map { fwrite(bytes, 1, bytes.count, $0) == bytes.count } ?? false
        let isClosed = file.map { fclose($0) == 0 } ?? false
        guard isWritten, isClosed else {
            throw DaemonError(
                .cannotWrite,
                "\(path) cannot be written: \(String(cString: strerror(errno)))",
                hint: "it must not be there yet, and its folder must"
            )
        }
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
