import Glibc

/// Where a report goes: a folder that appears whole or not at all.
///
/// Files are written into a staging folder beside it, which then takes the place of an older report by renaming. A reader
/// sees the old report, the new one, or for an instant none, never a mixture.
struct LiveReportPlace {
    /// The folder of all reports, below the current directory.
    static let root = "reports"

    /// The report's folder.
    let path: String

    init(path: String) {
        var path = path
        while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
        self.path = path
    }

    /// The folder a report goes to when `--out` names none, such as `reports/outage-seeds1-300`.
    static func defaultPath(scenario: String, seeds: ClosedRange<UInt64>) -> String {
        "\(root)/\(folderName(scenario: scenario, seeds: seeds))"
    }

    static func folderName(scenario: String, seeds: ClosedRange<UInt64>) -> String {
        seeds.count == 1
            ? "\(scenario)-seed\(seeds.lowerBound)" : "\(scenario)-seeds\(seeds.lowerBound)-\(seeds.upperBound)"
    }

    /// Where the files are written first.
    var staging: String { "\(parent)/.\(name).partial-\(getpid())" }

    private var retired: String { "\(parent)/.\(name).old-\(getpid())" }

    private var name: String { path.split(separator: "/").last.map(String.init) ?? "report" }

    private var parent: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Makes sure that a report can be written there, before any time is spent on it.
    ///
    /// - Throws: `ProgramError` when the place is a file, a folder of something else, or not writable.
    func prepare() throws(ProgramError) {
        // A folder cannot be replaced under a name that is not its own.
        guard name != ".", name != ".." else { throw notAReport }
        var status = stat()
        if lstat(path, &status) == 0 { try checkExisting(status) }
        try LiveFolder.make(parent)
        guard access(parent, W_OK | X_OK) == 0 else {
            throw ProgramError(
                .outNotWritable,
                "\(parent) is not writable",
                hint: "choose another folder with --out DIR"
            )
        }
        removeTree(staging)
        guard mkdir(staging, 0o755) == 0 else {
            throw ProgramError(
                .outNotWritable,
                "no folder can be made in \(parent): \(String(cString: strerror(errno)))",
                hint: "choose another folder with --out DIR"
            )
        }
    }

    /// Puts what was written in the report's place.
    ///
    /// - Throws: `ProgramError` when the file system refuses; the old report then stays.
    func commit() throws(ProgramError) {
        let hadOld = rename(path, retired) == 0
        guard rename(staging, path) == 0 else {
            let reason = String(cString: strerror(errno))
            if hadOld { rename(retired, path) }
            throw ProgramError(.reportNotWritten, "the report could not be put at \(path): \(reason)")
        }
        if hadOld { removeTree(retired) }
        pointLatest()
    }

    /// Takes away what was written, when no report is to be.
    func abandon() {
        removeTree(staging)
    }

    /// Lets `reports/latest` point to this report, when it is one of the folder's own. Something else of that name is left
    /// alone.
    private func pointLatest() {
        guard parent == Self.root, name != "latest", Self.isLinkOrNothing("\(parent)/latest") else { return }
        let temporary = "\(parent)/.latest-\(getpid())"
        unlink(temporary)
        // Best effort: the report itself is complete without it.
        guard symlink(name, temporary) == 0 else { return }
        if rename(temporary, "\(parent)/latest") != 0 { unlink(temporary) }
    }

    private func checkExisting(_ status: stat) throws(ProgramError) {
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw ProgramError(.outIsAFile, "\(path) is not a folder", hint: "name a folder, new or an older report")
        }
        guard access("\(path)/summary.json", F_OK) == 0 || Self.isEmpty(path) else {
            throw notAReport
        }
    }

    private var notAReport: ProgramError {
        ProgramError(
            .outNotAReport,
            "\(path) holds something that is not a report and would be replaced",
            hint: "name a new folder, such as \(path)/report"
        )
    }

    private static func isLinkOrNothing(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFLNK
    }

    private static func isEmpty(_ path: String) -> Bool { entries(of: path).isEmpty }

    /// Names in a folder without the two that every folder has, sorted.
    static func entries(of path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}

/// Removes a folder of ours and everything in it; links are removed, not followed.
func removeTree(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
        unlink(path)
        return
    }
    for name in LiveReportPlace.entries(of: path) { removeTree("\(path)/\(name)") }
    rmdir(path)
}
