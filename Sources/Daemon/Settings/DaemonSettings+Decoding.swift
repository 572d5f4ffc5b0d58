import FoundationEssentials
import Notifier
import Platform

extension DaemonSettings: Decodable {
    /// Reads a settings file's bytes.
    ///
    /// - Throws: `DaemonError.settingsInvalid` with the key that is wrong, and the one probably meant.
    package init(json bytes: [UInt8]) throws {
        do {
            self = try JSONDecoder().decode(DaemonSettings.self, from: Data(bytes))
        } catch let error as ConfigurationError {
            throw Self.invalid("\(error)")
        } catch let error as DecodingError {
            throw Self.invalid(Self.sentence(error))
        }
        guard (listen.certificate == nil) == (listen.key == nil) else {
            throw Self.invalid("\"listen\" names a certificate without a key, or a key without a certificate")
        }
    }

    package init(from decoder: any Decoder) throws {
        self.init()
        let container = try SettingsContainer(
            decoder,
            keys: ["listen", "database", "backups", "authorities", "logLevel", "notifier"]
        )
        try container.read("listen", into: &listen)
        try container.read("database", into: &database)
        try container.read("backups", into: &backups)
        try container.read("authorities", into: &authorities)
        if let name = try container.value("logLevel", as: String.self) {
            guard let level = Self.levels.first(where: { $0.name == name })?.level else {
                let names = Self.levels.map { "\"\($0.name)\"" }.joined(separator: ", ")
                throw ConfigurationError.badValue(key: "logLevel", expected: "one of \(names)")
            }
            logLevel = level
        }
        try container.read("notifier", into: &notifier)
        guard backups != "" else { throw ConfigurationError.badValue(key: "backups", expected: "a path") }
        guard !database.isEmpty else { throw ConfigurationError.badValue(key: "database", expected: "a path") }
    }

    private static let levels: [(name: String, level: LogLevel)] = [
        ("debug", .debug), ("info", .info), ("notice", .notice), ("warning", .warning), ("error", .error),
    ]

    private static func invalid(_ sentence: String) -> DaemonError {
        DaemonError(.settingsInvalid, sentence, hint: "docs/deploy.md lists the keys and their ranges")
    }

    private static func sentence(_ error: DecodingError) -> String {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context):
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return path.isEmpty ? "the settings are no JSON object" : "\"\(path)\" has a value of another kind"
        case .dataCorrupted: return "the settings are no JSON"
        @unknown default: return "the settings cannot be read"
        }
    }
}

extension DaemonSettings.Listening: Decodable {
    package init(from decoder: any Decoder) throws {
        self.init()
        let container = try SettingsContainer(decoder, keys: ["address", "port", "certificate", "key"])
        try container.read("address", into: &address)
        try container.read("port", into: &port)
        try container.read("certificate", into: &certificate)
        try container.read("key", into: &key)
    }
}

/// One object of the settings, in which every key must be known.
struct SettingsContainer {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private let container: KeyedDecodingContainer<Key>

    /// - Throws: `ConfigurationError.unknownKey`.
    init(_ decoder: any Decoder, keys: [String]) throws {
        container = try decoder.container(keyedBy: Key.self)
        for name in container.allKeys.map(\.stringValue).sorted() where !keys.contains(name) {
            throw ConfigurationError.unknownKey(name, nearest: NearestName.find(name, among: keys))
        }
    }

    /// The value of a key; nil when it is absent.
    func value<Value: Decodable>(_ name: String, as type: Value.Type) throws -> Value? {
        try container.decodeIfPresent(type, forKey: Key(stringValue: name))
    }

    /// Leaves `value` alone when the key is absent.
    func read<Value: Decodable>(_ name: String, into value: inout Value) throws {
        if let found = try self.value(name, as: Value.self) { value = found }
    }

    func read<Value: Decodable>(_ name: String, into value: inout Value?) throws {
        if let found = try self.value(name, as: Value.self) { value = found }
    }
}
