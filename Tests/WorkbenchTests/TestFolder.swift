@testable import Scenarios
@testable import Workbench

/// A folder of a test's own, gone when the test is.
final class TestFolder {
    let path: String
    private let folder: LiveTemporaryFolder

    init() throws {
        folder = try LiveTemporaryFolder()
        path = folder.path
    }

    deinit { folder.remove() }

    /// Writes a file and gives its path.
    @discardableResult func write(_ text: String, to name: String) throws -> String {
        try LiveFile.write(lines: [text], to: "\(path)/\(name)")
        return "\(path)/\(name)"
    }

    func read(_ name: String) throws -> String {
        String(decoding: try FileBytes.read(path: "\(path)/\(name)", limitBytes: 100_000_000), as: UTF8.self)
    }

    /// Everything below the folder, hidden files included.
    var names: [String] { LiveReportPlace.entries(of: path) }
}
