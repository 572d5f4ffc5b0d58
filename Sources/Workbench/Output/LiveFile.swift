import Glibc

/// Writes to descriptors and files.
enum LiveFile {
    /// Writes everything; false when the other side has gone or the disk refuses.
    static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// The length of a file in bytes; 0 where there is none.
    static func length(of path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Writes a new file, or replaces an old one.
    static func write(text: String, to path: String) throws(SystemFailure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw SystemFailure("writing \(path)") }
        defer { close(descriptor) }
        guard writeAll(Array(text.utf8), to: descriptor) else { throw SystemFailure("writing \(path)") }
    }

    /// Writes a new file of pieces that are made one after the other, or replaces an old one.
    static func write(to path: String, next: () throws -> [UInt8]?) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw SystemFailure("writing \(path)") }
        defer { close(descriptor) }
        while let piece = try next() {
            guard writeAll(piece, to: descriptor) else { throw SystemFailure("writing \(path)") }
        }
    }

    /// Writes a new file of lines, or replaces an old one.
    static func write(lines: some Sequence<String>, to path: String) throws(SystemFailure) {
        let file = try LiveLineFile(to: path)
        for line in lines { file.write(line) }
        try file.end()
    }
}

/// The path from the root of the file system: relative ones start at the current directory.
func absolutePath(_ path: String) -> String {
    guard !path.hasPrefix("/"), let current = getcwd(nil, 0) else { return path }
    defer { free(current) }
    return String(cString: current) + "/" + path
}

/// The path without links; nil when there is nothing.
func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
}
