import JSON

/// One setting of the notifier with a value for it, `notifier.KEY=VALUE`.
struct SettingChange: Equatable, Sendable {
    static let prefix = "notifier."

    /// Without the prefix.
    var key: String
    var value: JSONValue

    /// As it is written on a command line.
    var text: String { "\(key)=\(Self.text(value))" }

    init(key: String, value: JSONValue) {
        self.key = key
        self.value = value
    }

    /// - Throws: `ProgramError` for another form. Whether the notifier has the key is decided later.
    init(_ text: String, flag: String) throws(ProgramError) {
        let (key, value) = try Self.parts(text, flag: flag)
        self.init(key: key, value: Self.value(value))
    }

    /// The key and what stands behind the sign.
    static func parts(_ text: String, flag: String) throws(ProgramError) -> (key: String, value: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, parts[0].hasPrefix(prefix), parts[0].count > prefix.count, !parts[1].isEmpty else {
            throw ProgramError(
                .badValue,
                "\"\(text)\" is not a setting: \(flag) takes the key of a scenario with its value",
                hint: "\(flag) notifier.sweepInterval=30s"
            )
        }
        return (String(parts[0].dropFirst(prefix.count)), parts[1])
    }

    /// JSON where it is JSON, such as `600`, `true` or `["30s"]`; any other text means itself.
    static func value(_ text: String) -> JSONValue {
        var reader = JSONReader(bytes: Array(text.utf8))
        return (try? reader.read())?.value ?? .string(text)
    }

    /// A value as `value(_:)` reads it.
    static func text(_ value: JSONValue) -> String {
        if case .string(let text) = value { return text }
        return value.text(indented: false)
    }

    /// The first key that stands twice.
    static func repeated(_ changes: [SettingChange]) -> String? {
        changes.indices.first { index in changes[..<index].contains { $0.key == changes[index].key } }
            .map { changes[$0].key }
    }
}
