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

    package var description: String {
        switch self {
        case .unknownKey(let key, let nearest):
            "unknown key \"\(key)\"" + (nearest.map { "; did you mean \"\($0)\"?" } ?? "")
        case .badValue(let key, let expected): "\"\(key)\" must be \(expected)"
        case .outOfRange(let key, let allowed): "\"\(key)\" must be \(allowed)"
        case .badSecret(let name, let expected): "the \(name) must be \(expected)"
        }
    }
}
