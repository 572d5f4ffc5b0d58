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
    /// Where mistakes go, when they are to be told together.
    private let problems: SettingsProblems?

    /// - Throws: `ConfigurationError.unknownKey`, where nobody notes it.
    init(_ decoder: any Decoder, keys: [SettingsKey]) throws {
        container = try decoder.container(keyedBy: Key.self)
        problems = SettingsProblems.key.flatMap { decoder.userInfo[$0] as? SettingsProblems }
        let names = keys.map(\.name)
        for name in container.allKeys.map(\.stringValue).sorted() where !names.contains(name) {
            try attempt { throw ConfigurationError.unknownKey(name, nearest: NearestName.find(name, in: names)) }
        }
    }

    /// What is wrong with one key keeps nobody from looking at the others.
    ///
    /// - Throws: what `body` throws, where nobody notes it.
    func attempt(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            guard let problems else { throw error }
            problems.add(error)
        }
    }

    /// The value of a key; nil when it is absent.
    func value<Value: Decodable>(_ name: String, as type: Value.Type) throws -> Value? {
        try container.decodeIfPresent(type, forKey: Key(stringValue: name))
    }

    /// Leaves `value` alone when the key is absent.
    func read<Value: Decodable>(_ name: String, into value: inout Value) throws {
        try attempt {
            if let found = try self.value(name, as: Value.self) { value = found }
        }
    }

    /// A number in its range; nil when it is absent.
    func wholeNumber(_ name: String, within range: ClosedRange<Int>, called path: String) throws -> Int? {
        let refusal = ConfigurationError.badValue(
            key: path,
            expected: "a whole number from \(range.lowerBound) to \(range.upperBound)"
        )
        let found: Int?
        do {
            found = try value(name, as: Int.self)
        } catch {
            // Of a number that does not fit the decoder throws an error of its own, which it turns into one of the whole text's in the end.
            throw refusal
        }
        guard let number = found else { return nil }
        guard range.contains(number) else { throw refusal }
        return number
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
        try attempt {
            if let text = try path(name) { value = text }
        }
    }

    func readPath(_ name: String, into value: inout String?) throws {
        try attempt {
            if let text = try path(name) { value = text }
        }
    }

    private func path(_ name: String) throws -> String? {
        let text = try value(name, as: String.self)
        guard text != "" else { throw ConfigurationError.badValue(key: name, expected: "a text that is not empty") }
        return text
    }
}
