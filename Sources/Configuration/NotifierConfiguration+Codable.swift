import HTTP
import Platform

extension NotifierConfiguration: Codable {
    /// Reads the keys that are there, keeps defaults for the others, and validates.
    ///
    /// - Throws: `ConfigurationError` for unknown keys, values of the wrong shape, or one out of range; all of a kind at once.
    package init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: ConfigurationKey.self)
        let names = Self.fields.map(\.name)
        var errors: [ConfigurationError] = container.allKeys.map(\.stringValue).sorted().filter { !names.contains($0) }
            .map { .unknownKey($0, nearest: NearestName.find($0, in: names)) }
        for field in Self.fields where container.contains(ConfigurationKey(field.name)) {
            do {
                try field.decode(from: container, into: &self)
            } catch let error as ConfigurationError {
                errors.append(error)
            }
        }
        if let first = errors.first { throw errors.count == 1 ? first : ConfigurationError.several(errors) }
        try validate()
    }

    /// Writes every key, so that the file says what applies.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ConfigurationKey.self)
        for field in Self.fields {
            try field.encode(self, to: &container)
        }
    }
}

/// A configuration as an incident report may show it: every key, but of addresses and names only whether they are the usual ones.
package struct ReportedConfiguration: Encodable {
    private let configuration: NotifierConfiguration

    package init(_ configuration: NotifierConfiguration) {
        self.configuration = configuration
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ConfigurationKey.self)
        for field in NotifierConfiguration.fields {
            guard let isUsual = field.isUsualName(in: configuration) else {
                try field.encode(configuration, to: &container)
                continue
            }
            try container.encode(isUsual ? "usual" : "changed", forKey: ConfigurationKey(field.name))
        }
    }
}

/// A key of the configuration by its name, known or not.
struct ConfigurationKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension ConfigurationField {
    typealias Reader = KeyedDecodingContainer<ConfigurationKey>
    typealias Writer = KeyedEncodingContainer<ConfigurationKey>

    fileprivate func decode(from container: Reader, into configuration: inout NotifierConfiguration) throws {
        switch kind {
        case .duration(let path, _):
            configuration[keyPath: path] = try duration(
                read(String.self, from: container, "a duration such as \"90s\"")
            )
        case .durations(let path, _):
            let texts = try read([String].self, from: container, "a list of durations such as [\"2s\", \"1m\"]")
            configuration[keyPath: path] = try texts.map(duration)
        case .number(let path, _):
            configuration[keyPath: path] = try read(Int.self, from: container, "a whole number")
        case .text(let path, _):
            configuration[keyPath: path] = try read(String.self, from: container, "a text")
        case .flag(let path):
            configuration[keyPath: path] = try read(Bool.self, from: container, "true or false")
        case .origin(let path):
            let expected = "an origin such as \"https://api.push.apple.com\""
            guard let origin = HTTPOrigin(try read(String.self, from: container, expected)) else {
                throw ConfigurationError.badValue(key: name, expected: expected)
            }
            configuration[keyPath: path] = origin
        case .detection(let path):
            let expected = ChangeDetection.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
            guard let detection = ChangeDetection(rawValue: try read(String.self, from: container, expected)) else {
                throw ConfigurationError.badValue(key: name, expected: expected)
            }
            configuration[keyPath: path] = detection
        case .environment(let path):
            let expected = PushEnvironment.names.map { "\"\($0)\"" }.joined(separator: " or ")
            guard let environment = PushEnvironment(name: try read(String.self, from: container, expected)) else {
                throw ConfigurationError.badValue(key: name, expected: expected)
            }
            configuration[keyPath: path] = environment
        }
    }

    fileprivate func encode(_ configuration: NotifierConfiguration, to container: inout Writer) throws {
        let key = ConfigurationKey(name)
        switch kind {
        case .duration(let path, _):
            try container.encode(DurationNotation.text(configuration[keyPath: path]), forKey: key)
        case .durations(let path, _):
            try container.encode(configuration[keyPath: path].map(DurationNotation.text), forKey: key)
        case .number(let path, _): try container.encode(configuration[keyPath: path], forKey: key)
        case .text(let path, _): try container.encode(configuration[keyPath: path], forKey: key)
        case .flag(let path): try container.encode(configuration[keyPath: path], forKey: key)
        case .origin(let path): try container.encode(configuration[keyPath: path].description, forKey: key)
        case .detection(let path): try container.encode(configuration[keyPath: path].rawValue, forKey: key)
        case .environment(let path): try container.encode(configuration[keyPath: path].rawValue, forKey: key)
        }
    }

    private func read<Value: Decodable>(_ type: Value.Type, from container: Reader, _ expected: String) throws -> Value
    {
        do {
            return try container.decode(type, forKey: ConfigurationKey(name))
        } catch {
            // Not always a `DecodingError`: of a number that does not fit the decoder throws an error of its own.
            throw ConfigurationError.badValue(key: name, expected: expected)
        }
    }

    private func duration(_ text: String) throws -> Duration {
        guard let duration = DurationNotation.parse(text) else {
            throw ConfigurationError.badValue(key: name, expected: "a duration such as \"90s\" or \"1h30m\"")
        }
        return duration
    }
}
