import Glibc

/// Files that nobody else may read.
enum LivePrivateFile {
    /// Makes a folder of mode 0700 unless there is one.
    static func makeFolder(_ path: String) throws(SystemFailure) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemFailure("making the folder \(path)") }
        // What is there already may be something else.
        guard access("\(path)/.", F_OK) == 0 else { throw SystemFailure("using \(path) as a folder") }
    }

    /// Writes a new file of mode 0600 in place of an old one, whose mode it does not inherit.
    static func write(_ text: String, to path: String) throws(SystemFailure) {
        guard unlink(path) == 0 || errno == ENOENT else { throw SystemFailure("replacing \(path)") }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemFailure("writing \(path)") }
        defer { close(descriptor) }
        guard LiveFile.writeAll(Array(text.utf8), to: descriptor) else { throw SystemFailure("writing \(path)") }
    }
}
