/// A file of variables, one `NAME=value` a line, as systemd's `EnvironmentFile=` takes them: blank lines and those that begin with
/// `#` say nothing, and a value may stand in double quotes.
enum SecretsFile {
    /// Reads the file at `path`.
    ///
    /// - Throws: `DaemonError.settingsUnreadable`; `settingsInvalid` with the number of a line that is none, or when others than its
    ///   owner and group could read the file. No error repeats what stands there.
    static func read(_ path: String) throws -> [String: String] {
        guard try !LiveFile.isOpenToOthers(path) else {
            throw DaemonError(.settingsInvalid, "others can read \(path)", hint: "chmod o= \(path)")
        }
        return try variables(String(decoding: LiveFile.read(path), as: UTF8.self), path)
    }

    /// The variables in a file's text; `path` is what an error calls it.
    ///
    /// - Throws: `DaemonError.settingsInvalid`.
    static func variables(_ text: String, _ path: String) throws(DaemonError) -> [String: String] {
        var variables: [String: String] = [:]
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = trimmed(line)
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = trimmed(parts[0])
            guard parts.count == 2, isName(name), variables[String(name)] == nil else {
                throw DaemonError(
                    .settingsInvalid,
                    "line \(index + 1) of \(path) cannot be used",
                    hint: "each line is NAME=value, and each name stands there once"
                )
            }
            variables[String(name)] = unquoted(trimmed(parts[1]))
        }
        return variables
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0.isWhitespace }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    private static func isName(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }

    private static func unquoted(_ text: Substring) -> String {
        guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return String(text) }
        return String(text.dropFirst().dropLast())
    }
}
