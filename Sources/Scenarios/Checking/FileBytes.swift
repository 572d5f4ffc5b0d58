import Glibc

/// Reads whole files with a limit, and tells apart why it could not.
package enum FileBytes {
    /// Why a file could not be read.
    package enum Failure: Error, Equatable { case notFound, directory, unreadable, tooLarge }

    /// The content of the file at `path`, at most `limitBytes` long.
    package static func read(path: String, limitBytes: Int) throws(Failure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw errno == ENOENT || errno == ENOTDIR ? .notFound : .unreadable }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw .directory }
        return try readAll(descriptor, limitBytes: limitBytes)
    }

    private static func readAll(_ descriptor: Int32, limitBytes: Int) throws(Failure) -> [UInt8] {
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable }
            guard count > 0 else { return content }
            content.append(contentsOf: buffer[..<count])
            guard content.count <= limitBytes else { throw .tooLarge }
        }
    }
}
