import Glibc

/// Folders of ours as a whole.
enum LiveTree {
    /// Copies a folder with all its files to a place where nothing is: there it appears whole or not at all. Links are not followed.
    ///
    /// - Throws: `SystemFailure` when something cannot be read or written.
    static func copy(_ source: String, to target: String) throws(SystemFailure) {
        let partial = "\(target).partial-\(getpid())"
        removeTree(partial)
        do throws(SystemFailure) {
            try copyEntries(of: source, to: partial)
            guard rename(partial, target) == 0 else { throw SystemFailure("writing \(target)") }
        } catch {
            removeTree(partial)
            throw error
        }
    }

    private static func copyEntries(of source: String, to target: String) throws(SystemFailure) {
        guard mkdir(target, 0o755) == 0 else { throw SystemFailure("writing \(target)") }
        for name in LiveReportPlace.entries(of: source) {
            let (from, to) = ("\(source)/\(name)", "\(target)/\(name)")
            var status = stat()
            guard lstat(from, &status) == 0 else { throw SystemFailure("reading \(from)") }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: try copyEntries(of: from, to: to)
            case S_IFREG: try copyFile(from, to: to)
            default: break
            }
        }
    }

    private static func copyFile(_ source: String, to target: String) throws(SystemFailure) {
        let from = open(source, O_RDONLY | O_CLOEXEC)
        guard from >= 0 else { throw SystemFailure("reading \(source)") }
        defer { close(from) }
        let to = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard to >= 0 else { throw SystemFailure("writing \(target)") }
        defer { close(to) }
        while true {
            guard let bytes = LivePipe.read(from) else { throw SystemFailure("reading \(source)") }
            guard !bytes.isEmpty else { return }
            guard LiveFile.writeAll(bytes, to: to) else { throw SystemFailure("writing \(target)") }
        }
    }
}
