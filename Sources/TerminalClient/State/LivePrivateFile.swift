import Glibc

/// Files and folders that nobody else may read.
enum LivePrivateFile {
    /// What the system said.
    struct Failure: Error { var text: String }

    /// Makes a folder and those above it where they are missing; ours with mode 0700.
    static func makeFolder(_ path: String) throws(Failure) {
        var made = ""
        for part in path.split(separator: "/") {
            made += "/" + part
            if mkdir(made, 0o700) == 0 || errno == EEXIST { continue }
            throw failure("making the folder \(made)")
        }
    }

    /// What is in a file; nil when there is none.
    static func read(_ path: String) throws(Failure) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("reading \(path)")
        }
        defer { close(descriptor) }
        guard let bytes = readAll(descriptor, limit: 1_048_576) else { throw failure("reading \(path)") }
        return bytes
    }

    /// Puts a file of mode 0600 in the place of another in one step: whoever reads finds the one or the other, also after a loss of power.
    static func replace(_ path: String, by bytes: [UInt8]) throws(Failure) {
        let draft = "\(path).\(getpid())"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("writing \(draft)") }
        let isWritten = writeAll(bytes, to: descriptor) && fsync(descriptor) == 0
        close(descriptor)
        guard isWritten, rename(draft, path) == 0 else {
            let reason = failure("writing \(path)")
            unlink(draft)
            throw reason
        }
    }

    /// Removes a file; no error when there is none.
    static func remove(_ path: String) throws(Failure) {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure("removing \(path)") }
    }

    /// Takes the lock on a file, which ends with the process or by closing; nil when another process has it.
    static func lock(_ path: String) throws(Failure) -> Int32? {
        let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("opening \(path)") }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
        let isTaken = errno == EWOULDBLOCK
        let reason = failure("locking \(path)")
        close(descriptor)
        guard isTaken else { throw reason }
        return nil
    }

    static func unlock(_ descriptor: Int32) { close(descriptor) }

    /// False when the other side has gone or the disk refuses.
    @discardableResult
    static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Nil when it cannot be read, or is longer than `limit`.
    static func readAll(_ descriptor: Int32, limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= limit else { return nil }
        }
    }

    private static func failure(_ what: String) -> Failure {
        Failure(text: "\(what): \(String(cString: strerror(errno)))")
    }
}
