import HTTP
import Platform

/// One key of the configuration as documents show it.
package struct ConfigurationKeyDescription: Sendable, Equatable {
    package var name: String
    /// Its default, as it would stand in a file.
    package var standard: String
    /// What may stand there.
    package var allowed: String
}

extension NotifierConfiguration {
    /// Every key with its default and range, in the order of the documentation.
    package static var keyDescriptions: [ConfigurationKeyDescription] {
        fields.map { field in
            ConfigurationKeyDescription(
                name: field.name,
                standard: field.text(of: NotifierConfiguration()),
                allowed: field.allowed
            )
        }
    }
}

extension ConfigurationField {
    /// The value as JSON.
    fileprivate func text(of configuration: NotifierConfiguration) -> String {
        switch kind {
        case .duration(let path, _): Self.quoted(DurationText.text(configuration[keyPath: path]))
        case .durations(let path, _):
            "[" + configuration[keyPath: path].map { Self.quoted(DurationText.text($0)) }.joined(separator: ", ") + "]"
        case .number(let path, _): String(configuration[keyPath: path])
        case .flag(let path): String(configuration[keyPath: path])
        case .origin(let path): Self.quoted(configuration[keyPath: path].description)
        case .text(let path, _): Self.quoted(configuration[keyPath: path])
        case .detection(let path): Self.quoted(configuration[keyPath: path].rawValue)
        case .environment(let path): Self.quoted(configuration[keyPath: path].rawValue)
        }
    }

    fileprivate var allowed: String {
        switch kind {
        case .duration(_, let range):
            "\(DurationText.text(range.lowerBound)) to \(DurationText.text(range.upperBound))"
        case .durations(_, let range):
            "1 to 20, each \(DurationText.text(range.lowerBound)) to \(DurationText.text(range.upperBound))"
        case .number(_, let range): "\(range.lowerBound) to \(range.upperBound)"
        case .flag: "true or false"
        case .origin: "an origin"
        case .text(_, let maximum): "1 to \(maximum) bytes"
        case .detection: ChangeDetection.allCases.map(\.rawValue).joined(separator: ", ")
        case .environment: PushEnvironment.names.joined(separator: ", ")
        }
    }

    private static func quoted(_ text: String) -> String { "\"\(text)\"" }
}
