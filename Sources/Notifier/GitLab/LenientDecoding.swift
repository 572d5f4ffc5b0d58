import FoundationEssentials

/// Reads what is there and makes no fuss about the rest: fields appear and disappear between GitLab's versions, and
/// booleans may be null (GitLab facts §1).
extension KeyedDecodingContainer {
    /// The value under `key`; nil when it is absent, null or of another type.
    func optional<Value: Decodable>(_ key: Key, as type: Value.Type = Value.self) -> Value? {
        (try? decodeIfPresent(type, forKey: key)) ?? nil
    }

    /// A text; an empty one when it is absent or null.
    func text(_ key: Key) -> String {
        optional(key, as: String.self) ?? ""
    }

    /// A boolean; null and absent are false.
    func flag(_ key: Key) -> Bool {
        optional(key, as: Bool.self) ?? false
    }
}
