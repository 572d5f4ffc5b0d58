/// Why a configuration cannot be used. Descriptions name keys and ranges, never a secret.
package enum ConfigurationError: Error, Equatable, CustomStringConvertible {
    /// A key that does not exist, with the one that was probably meant.
    case unknownKey(String, nearest: String?)
    /// A value that cannot be read as what the key holds.
    case badValue(key: String, expected: String)
    /// A value outside its range.
    case outOfRange(key: String, allowed: String)
    /// A secret of the wrong shape.
    case badSecret(name: String, expected: String)
    /// More than one of them, so that nobody mends one only to hear of the next.
    case several([ConfigurationError])

    package var description: String {
        switch self {
        case .unknownKey(let key, let nearest):
            "unknown key \"\(key)\"" + (nearest.map { "; did you mean \"\($0)\"?" } ?? "")
        case .badValue(let key, let expected): "\"\(key)\" must be \(expected)"
        case .outOfRange(let key, let allowed): "\"\(key)\" must be \(allowed)"
        case .badSecret(let name, let expected): "the \(name) must be \(expected)"
        case .several(let errors): errors.map(\.description).joined(separator: "; ")
        }
    }

    /// One by one.
    package var each: [ConfigurationError] {
        guard case .several(let errors) = self else { return [self] }
        return errors.flatMap(\.each)
    }
}
