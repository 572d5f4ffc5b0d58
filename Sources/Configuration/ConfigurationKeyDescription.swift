import HTTP
import Platform

/// One key of the configuration as documents, schemas and other readers of configurations show it.
package struct ConfigurationKeyDescription: Sendable, Equatable {
    /// What a key holds, with its range.
    package enum Value: Sendable, Equatable {
        case duration(ClosedRange<Duration>)
        /// A list of so many durations, each in the range.
        case durations(ClosedRange<Duration>, count: ClosedRange<Int>)
        case number(ClosedRange<Int>)
        case flag
        /// Scheme, host and perhaps a port.
        case origin
        /// At least one byte of UTF-8.
        case text(maximumBytes: Int)
        /// One of these.
        case choice([String])
    }

    package var name: String
    /// Its default, as it would stand in a file.
    package var standard: String
    package var value: Value

    /// What may stand there, in words.
    package var allowed: String {
        switch value {
        case .duration(let range): Self.text(range)
        case .durations(let range, let count):
            "\(count.lowerBound) to \(count.upperBound), each \(Self.text(range))"
        case .number(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .flag: "true or false"
        case .origin: "an https origin, or http on loopback"
        case .text(let maximum): "1 to \(maximum) bytes"
        case .choice(let names): names.joined(separator: ", ")
        }
    }

    private static func text(_ range: ClosedRange<Duration>) -> String {
        "\(DurationNotation.text(range.lowerBound)) to \(DurationNotation.text(range.upperBound))"
    }
}

extension NotifierConfiguration {
    /// Every key with its default and range, in the order of the documentation.
    package static var keyDescriptions: [ConfigurationKeyDescription] {
        fields.map { field in
            ConfigurationKeyDescription(
                name: field.name,
                standard: field.text(of: NotifierConfiguration()),
                value: field.value
            )
        }
    }
}

extension ConfigurationField {
    /// The value as JSON.
    fileprivate func text(of configuration: NotifierConfiguration) -> String {
        switch kind {
        case .duration(let path, _): Self.quoted(DurationNotation.text(configuration[keyPath: path]))
        case .durations(let path, _):
            "[" + configuration[keyPath: path].map { Self.quoted(DurationNotation.text($0)) }.joined(separator: ", ")
                + "]"
        case .number(let path, _): String(configuration[keyPath: path])
        case .flag(let path): String(configuration[keyPath: path])
        case .origin(let path): Self.quoted(configuration[keyPath: path].description)
        case .text(let path, _): Self.quoted(configuration[keyPath: path])
        case .detection(let path): Self.quoted(configuration[keyPath: path].rawValue)
        case .environment(let path): Self.quoted(configuration[keyPath: path].rawValue)
        }
    }

    fileprivate var value: ConfigurationKeyDescription.Value {
        switch kind {
        case .duration(_, let range): .duration(range)
        case .durations(_, let range): .durations(range, count: Self.listCount)
        case .number(_, let range): .number(range)
        case .flag: .flag
        case .origin: .origin
        case .text(_, let maximum): .text(maximumBytes: maximum)
        case .detection: .choice(ChangeDetection.allCases.map(\.rawValue))
        case .environment: .choice(PushEnvironment.names)
        }
    }

    private static func quoted(_ text: String) -> String { "\"\(text)\"" }
}
