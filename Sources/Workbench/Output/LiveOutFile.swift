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
                "\(path) is no file that \(what) could replace",
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
