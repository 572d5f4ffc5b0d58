import FoundationEssentials

/// Values as JSON that has the same bytes every time: compact, with sorted keys.
package enum DeterministicJSON {
    /// Without a newline at their end.
    ///
    /// - Throws: `EncodingError` for what JSON cannot hold, such as a number that is not finite.
    package static func bytes(_ value: some Encodable) throws -> [UInt8] { Array(try encoded(value)) }

    /// One line without a newline at its end.
    ///
    /// - Throws: `EncodingError` for what JSON cannot hold, such as a number that is not finite.
    package static func line(_ value: some Encodable) throws -> String {
        String(decoding: try encoded(value), as: UTF8.self)
    }

    private static func encoded(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }
}
