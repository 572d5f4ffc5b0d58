import FoundationEssentials
import Glibc

/// A folder of one input's own, in memory where the system has such; it goes with this value, with all that is in it.
final class ScratchFolder {
    struct Failure: Error {}

    let path: String

    init() throws {
        let place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(place)/fuzz-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure() }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        // Nothing depends on it.
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(filePath: "\(path)/\(name)"))
    }

    /// Puts bytes into a file that is there, which stays the same file.
    func overwrite(_ bytes: [UInt8], _ name: String) throws {
        let descriptor = open("\(path)/\(name)", O_WRONLY | O_TRUNC | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure() }
        defer { close(descriptor) }
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { throw Failure() }
    }

    /// Nil for a file that is not there.
    func read(_ name: String) -> [UInt8]? {
        (try? Data(contentsOf: URL(filePath: "\(path)/\(name)"))).map(Array.init)
    }

    /// The names in it, in order.
    var entries: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}
