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

    /// Makes sure that nothing of somebody else's lies in the folder, which need not be there.
    ///
    /// - Throws: `ProgramError` for a file in its place, and for an entry that is not among `names`.
    static func check(_ path: String, holdsOnly names: Set<String>, what: String) throws(ProgramError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw ProgramError(
                .outIsAFile,
                "\(path) is not a folder",
                hint: "name a folder, new or an older one of its kind"
            )
        }
        guard let other = LiveReportPlace.entries(of: path).first(where: { !names.contains($0) }) else { return }
        throw ProgramError(
            .outNotAReport,
            "\(path) holds \(other), which is not of \(what)",
            hint: "name a new folder, such as \(path)/new"
        )
    }
}
