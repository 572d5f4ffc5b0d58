import FoundationEssentials
import Glibc
import Testing

/// A folder of one test's own, which goes with this value, with all that is in it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/notifier-tests-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        // Nothing depends on it.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The names in it, in order.
    var entries: [String] { Self.entries(of: path) }

    static func entries(of path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}
