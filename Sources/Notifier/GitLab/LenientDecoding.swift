import FoundationEssentials
import Platform

/// How much is kept of what an answer says.
enum TextLimit {
    /// Names, titles, states, in bytes: GitLab's own have at most 255 characters, of four bytes each at most.
    static let line = 1_024
    /// Comments, in bytes. Whoever is mentioned further down in one has a to-do all the same (GitLab facts §6.1).
    static let body = 64 * 1_024
    /// Addresses, in bytes. A longer one is left away, for a part of it would lead elsewhere.
    static let address = 4_096
    /// Entries of a list, such as labels; GitLab takes 200 assignees and as many reviewers at most.
    static let entries = 500
}

extension String {
    /// The text, or so many bytes of its beginning at most, with no character of Unicode cut in two. What was left away takes no
    /// memory.
    func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end > utf8.startIndex, utf8[end] & 0b1100_0000 == 0b1000_0000 { end = utf8.index(before: end) }
        return String(decoding: utf8[..<end], as: UTF8.self)
    }
}

/// Reads what is there and makes no fuss about the rest: fields appear and disappear between GitLab's versions, and
/// booleans may be null (GitLab facts §1). Only what ``promised(_:as:)`` reads has to be there.
/// Texts are cut where they are longer than GitLab's may be.
extension KeyedDecodingContainer {
    /// The value under `key`; nil when it is absent, null or of another type. For texts see ``line(_:)`` and ``address(_:)``, which
    /// have a bound.
    func optional<Value: Decodable>(_ key: Key, as type: Value.Type = Value.self) -> Value? {
        (try? decodeIfPresent(type, forKey: key)) ?? nil
    }

    /// The value under a key that every GitLab writes; nil for null.
    ///
    /// What a row is news of, and by whom, hangs on such a value. A row without it must not be read, or it would be known from then on without
    /// having been told: to a GitLab that writes it again soon, it has to be new.
    ///
    /// - Throws: `DecodingError` when the key is absent, or its value of another type.
    func promised<Value: Decodable>(_ key: Key, as type: Value.Type = Value.self) throws -> Value? {
        guard contains(key) else {
            let context = DecodingError.Context(codingPath: codingPath, debugDescription: "every GitLab writes it")
            throw DecodingError.keyNotFound(key, context)
        }
        return try decodeIfPresent(type, forKey: key)
    }

    /// A text under a key that every GitLab writes, its end cut off; an empty one for null.
    ///
    /// - Throws: as ``promised(_:as:)``.
    func promisedText(_ key: Key, limit: Int = TextLimit.line) throws -> String {
        try promised(key, as: String.self)?.cut(toBytes: limit) ?? ""
    }

    /// A time under a key that every GitLab writes; nil for null, and for one that cannot be read, nor reckoned with.
    ///
    /// - Throws: as ``promised(_:as:)``.
    func promisedTime(_ key: Key) throws -> WallTime? {
        readable(try promisedText(key))
    }

    /// A text of at most `limit` bytes, its end cut off; an empty one when it is absent or null.
    func text(_ key: Key, limit: Int = TextLimit.line) -> String {
        line(key, limit: limit) ?? ""
    }

    /// The same, but nil when it is absent or null.
    func line(_ key: Key, limit: Int = TextLimit.line) -> String? {
        optional(key, as: String.self)?.cut(toBytes: limit)
    }

    /// An address; nil when it is absent, null or too long.
    func address(_ key: Key) -> String? {
        optional(key, as: String.self).flatMap { $0.utf8.count <= TextLimit.address ? $0 : nil }
    }

    /// The first entries of a list; none when it is absent, null or of another type.
    func entries<Value: Decodable>(_ key: Key, of type: Value.Type = Value.self) -> ArraySlice<Value> {
        (optional(key, as: [Value].self) ?? []).prefix(TextLimit.entries)
    }

    /// A boolean; null and absent are false.
    func flag(_ key: Key) -> Bool {
        optional(key, as: Bool.self) ?? false
    }

    /// A time; nil when it is absent, null or none that can be read, nor reckoned with.
    func time(_ key: Key) -> WallTime? {
        readable(text(key))
    }

    private func readable(_ time: String) -> WallTime? {
        ISO8601.wallTime(time).flatMap { ReadableYears.span.contains($0) ? $0 : nil }
    }

    /// The project's path, from an item's full reference such as `team/backend!847`.
    func projectPath(_ key: Key) -> String? {
        let full = optional(key, as: ItemReferences.self)?.full?.cut(toBytes: TextLimit.line)
        return full?.split(whereSeparator: { $0 == "#" || $0 == "!" }).first.map(String.init)
    }
}

/// How GitLab writes the ways to refer to an item.
private struct ItemReferences: Decodable {
    var full: String?
}
