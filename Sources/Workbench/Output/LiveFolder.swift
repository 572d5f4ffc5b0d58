import Glibc

/// Folders that reports and findings go into.
enum LiveFolder {
    /// Makes the folder and those above it, unless they are there.
    ///
    /// - Throws: `ProgramError` for a place where nothing can be made, or where a file is.
    static func make(_ path: String) throws(ProgramError) {
        var folder = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            folder += "/\(part)"
            guard mkdir(folder, 0o755) != 0 && errno != EEXIST else { continue }
            throw ProgramError(
                .outNotWritable,
                "\(folder) cannot be made: \(String(cString: strerror(errno)))",
                hint: "choose another folder with --out DIR"
            )
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw ProgramError(.outIsAFile, "\(path) is not a folder", hint: "choose another folder with --out DIR")
        }
    }
}
