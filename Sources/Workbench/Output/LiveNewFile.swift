import Glibc

/// A file that is not there yet, made before the work whose result it takes. It goes with this value where nothing came of that.
final class LiveNewFile {
    let path: String
    private let descriptor: Int32
    private var isWritten = false

    /// - Throws: `ProgramError.outNotWritable`, also when there is such a file.
    init(_ path: String) throws(ProgramError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw ProgramError(
                .outNotWritable,
                "\(path) cannot be made: \(String(cString: strerror(errno)))",
                hint: "it must not be there yet, and its folder must"
            )
        }
        (self.path, self.descriptor) = (path, descriptor)
    }

    deinit {
        close(descriptor)
        if !isWritten { unlink(path) }
    }

    /// - Throws: `SystemFailure`; the file then goes.
    func write(lines: [String]) throws(SystemFailure) {
        let text = lines.map { $0 + "\n" }.joined()
        guard LiveFile.writeAll(Array(text.utf8), to: descriptor) else { throw SystemFailure("writing \(path)") }
        isWritten = true
    }
}
