import FoundationEssentials

/// The checkout the tests were built from.
enum LiveSourceTree {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// True for `make docs`: a test of a generated document then writes what it would have looked for.
    static let writesDocuments = ProcessInfo.processInfo.environment["WRITE_DOCS"] == "1"

    static func text(at path: String) throws -> String {
        try String(decoding: Data(contentsOf: root.appending(path: path)), as: UTF8.self)
    }

    /// The paths of a folder's sources, and of those in folders below it, in order.
    static func files(in folder: String) -> [String] {
        TemporaryFolder.entries(of: root.appending(path: folder).path(percentEncoded: false)).flatMap { entry in
            entry.hasSuffix(".swift") ? ["\(folder)/\(entry)"] : files(in: "\(folder)/\(entry)")
        }
    }

    static func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: root.appending(path: path))
    }
}
