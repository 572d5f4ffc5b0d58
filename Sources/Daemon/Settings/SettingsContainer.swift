import Configuration
import Notifier
import Platform

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
    init(_ decoder: any Decoder, keys: [SettingsKey]) throws {
        container = try decoder.container(keyedBy: Key.self)
        let names = keys.map(\.name)
        for name in container.allKeys.map(\.stringValue).sorted() where !names.contains(name) {
            throw ConfigurationError.unknownKey(name, nearest: NearestName.find(name, in: names))
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

    /// The text of a key that must be there.
    func text(_ name: String, _ what: String) throws -> String {
        guard let text = try value(name, as: String.self), !text.isEmpty else {
            throw ConfigurationError.badValue(key: name, expected: what)
        }
        return text
    }

    /// A text that is not empty where there is one.
    func readPath(_ name: String, into value: inout String) throws {
        if let text = try path(name) { value = text }
    }

    func readPath(_ name: String, into value: inout String?) throws {
        if let text = try path(name) { value = text }
    }

    private func path(_ name: String) throws -> String? {
        let text = try value(name, as: String.self)
        guard text != "" else { throw ConfigurationError.badValue(key: name, expected: "a text that is not empty") }
        return text
    }
}
