import FoundationEssentials

/// A seed's result as the JSON that crosses a process boundary: compact, with sorted keys, the same bytes every time.
enum SeedResultCoding {
    /// Throws only for numbers JSON cannot hold, of which a result has none.
    static func encode(_ result: SeedResult) throws -> Data { try DeterministicJSON.encoder().encode(result) }

    /// Throws `DecodingError` for what another build wrote or a dying process left half-written.
    static func decode(_ json: Data) throws -> SeedResult {
        try JSONDecoder().decode(SeedResult.self, from: json)
    }
}

/// The one way JSON leaves through an encoder.
enum DeterministicJSON {
    static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    /// One line without a newline at its end.
    static func line(_ value: some Encodable) throws -> String {
        String(decoding: try encoder().encode(value), as: UTF8.self)
    }
}
