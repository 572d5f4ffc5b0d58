import Glibc

/// A folder of its own for one test, removed when the test lets go of it.
final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/workbench-report.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure.notMade(errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    enum Failure: Error { case notMade(Int32) }

    func names(in folder: String = "") -> [String] { Self.names("\(path)/\(folder)").sorted() }

    func text(_ name: String) -> String {
        guard let file = fopen("\(path)/\(name)", "r") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var character = getc(file)
        while character != EOF {
            bytes.append(UInt8(truncatingIfNeeded: character))
            character = getc(file)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    func write(_ name: String, _ text: String) {
        guard let file = fopen("\(path)/\(name)", "w") else { return }
        fputs(text, file)
        fclose(file)
    }

    func link(_ name: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 1_024)
        let length = readlink("\(path)/\(name)", &buffer, buffer.count)
        return length < 0 ? nil : String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func names(_ path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }

    private static func remove(_ path: String) {
        if unlink(path) == 0 { return }
        for name in names(path) { remove("\(path)/\(name)") }
        rmdir(path)
    }
}
