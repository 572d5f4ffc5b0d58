import Glibc

/// A folder of one test's own, which goes with this value, with all that is in it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/daemon-tests-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw DaemonProcess.Failure(sentence: "no folder") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        Self.remove(path)
    }

    /// Writes a file that only its owner can read; returns its path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let place = "\(path)/\(name)"
        let descriptor = open(place, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0, let file = fdopen(descriptor, "w") else {
            throw DaemonProcess.Failure(sentence: "no file")
        }
        fputs(text, file)
        fclose(file)
        return place
    }

    /// The names in the folder, in order.
    static func entries(of path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The mode of a file or folder, without its kind.
    static func mode(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    private static func remove(_ path: String) {
        for name in entries(of: path) where unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
        rmdir(path)
    }
}
