import FoundationEssentials
import Glibc

/// The files of a run. They appear under their name all at once, so that no half-written report passes for a whole one.
package enum ReportFolder {
    /// Gives out the lines of `trace.jsonl` one by one, without newlines.
    package typealias TraceLines = (_ emit: (String) throws -> Void) throws -> Void

    /// Writes the report into a temporary folder beside `path` and moves it there. An earlier report at `path` is replaced;
    /// anything else there is left alone.
    ///
    /// - Parameters:
    ///   - report: what is written.
    ///   - record: the record of a single seed, for the whole ledger.
    ///   - resolvedScenario: the text of `scenario.resolved.json`; nil leaves the file out.
    ///   - path: the folder to write; those above it are made.
    ///   - updatesLatest: whether the symbolic link `latest` beside `path` is to point to it.
    ///   - trace: writes `trace.jsonl`; nil leaves the file out.
    /// - Throws: `ReportError`, or what `trace` throws; then nothing has appeared at `path`.
    package static func write(
        _ report: RunReport,
        record: RunRecord? = nil,
        resolvedScenario: String? = nil,
        to path: String,
        updatesLatest: Bool = true,
        trace: TraceLines? = nil
    ) throws {
        let place = try Place(path)
        try place.begin()
        do {
            try place.write("summary.json", SummaryFile.text(report))
            try place.write("junit.xml", JUnitFile.text(report))
            try place.write("ledger.jsonl", LedgerFile.text(report, record: record))
            if let resolvedScenario { try place.write("scenario.resolved.json", resolvedScenario) }
            if let trace { try place.writeLines("trace.jsonl", trace) }
            try place.finish()
        } catch {
            place.abandon()
            throw error
        }
        if updatesLatest { try place.link("latest") }
    }
}

/// Where a report goes and where it is made.
private struct Place {
    let target: String
    private let parent: String
    private let temporary: String

    init(_ path: String) throws {
        var path = path
        while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
        guard !path.isEmpty else { throw ReportError.notADirectory(path: path) }
        target = path
        let cut = path.lastIndex(of: "/")
        let name = cut.map { String(path[path.index(after: $0)...]) } ?? path
        guard !name.isEmpty, name != ".", name != ".." else { throw ReportError.notAReport(path: path) }
        parent = cut.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        temporary = "\(parent)/.\(name).\(getpid()).partial"
    }

    func begin() throws {
        try checkTarget()
        try makeDirectories()
        // Only a process of the same number can have left one, and it is dead.
        try? FileManager.default.removeItem(atPath: temporary)
        guard mkdir(temporary, 0o755) == 0 else { throw failure(parent) }
    }

    /// Makes the folder above the report, and those above it.
    private func makeDirectories() throws {
        var path = parent.hasPrefix("/") ? "" : "."
        for name in parent.split(separator: "/") where name != "." {
            path += "/\(name)"
            guard mkdir(path, 0o755) != 0, errno != EEXIST || isFile(path) else { continue }
            throw isFile(path) || errno == ENOTDIR ? ReportError.notADirectory(path: path) : failure(path)
        }
    }

    private func checkTarget() throws {
        guard exists(target) else { return }
        guard !isFile(target) else { throw ReportError.notADirectory(path: target) }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: target) else {
            throw ReportError.notReadable(path: target, reason: "its names cannot be listed")
        }
        guard names.isEmpty || names.contains("summary.json") else { throw ReportError.notAReport(path: target) }
    }

    func write(_ name: String, _ text: String) throws {
        try writeLines(name) { emit in try emit(text.hasSuffix("\n") ? String(text.dropLast()) : text) }
    }

    /// Writes in pieces, so that a long trace needs no memory.
    func writeLines(_ name: String, _ lines: ReportFolder.TraceLines) throws {
        let path = "\(temporary)/\(name)"
        guard let file = fopen(path, "w") else { throw failure(path) }
        var isOpen = true
        defer { if isOpen { fclose(file) } }
        try lines { line in
            let bytes = Array(line.utf8) + [UInt8(ascii: "\n")]
            guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw failure(path) }
        }
        guard fflush(file) == 0 else { throw failure(path) }
        isOpen = false
        guard fclose(file) == 0 else { throw failure(path) }
    }

    /// Puts the new folder in the place of an earlier one; for a moment there is none, never half of one.
    func finish() throws {
        let earlier = "\(temporary).earlier"
        if exists(target) {
            guard rename(target, earlier) == 0 else { throw failure(target) }
        }
        guard rename(temporary, target) == 0 else {
            let error = failure(target)
            if exists(earlier) { _ = rename(earlier, target) }
            throw error
        }
        // Best effort: the new report stands, and a leftover is hidden.
        try? FileManager.default.removeItem(atPath: earlier)
    }

    /// Best effort: the first error is the one to tell.
    func abandon() { try? FileManager.default.removeItem(atPath: temporary) }

    /// Points a symbolic link at the report. Something else of that name is left alone.
    func link(_ name: String) throws {
        let path = "\(parent)/\(name)"
        let report = target.split(separator: "/").last.map(String.init) ?? target
        guard report != name, isLink(path) || !exists(path) else { return }
        let fresh = "\(temporary).link"
        unlink(fresh)
        guard symlink(report, fresh) == 0 else { throw failure(path) }
        guard rename(fresh, path) == 0 else {
            let error = failure(path)
            unlink(fresh)
            throw error
        }
    }

    private func failure(_ path: String) -> ReportError {
        .notWritable(path: path, reason: String(cString: strerror(errno)))
    }

    private func status(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }

    private func exists(_ path: String) -> Bool { status(path) != nil }

    private func isLink(_ path: String) -> Bool { status(path).map { $0.st_mode & S_IFMT == S_IFLNK } ?? false }

    private func isFile(_ path: String) -> Bool { status(path).map { $0.st_mode & S_IFMT == S_IFREG } ?? false }
}
