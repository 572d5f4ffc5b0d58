#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// How values are written for the server and read from it: JSON, with instants as RFC 3339 writes them.
package enum WireCoding {
    /// The value's text, with sorted keys.
    package static func encode(_ value: some Encodable) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(instant(date))
        }
        guard let data = try? encoder.encode(value) else {
            preconditionFailure("what the kit sends are texts, numbers and instants")
        }
        return data
    }

    /// Members that this program does not know are passed over: a newer server may have them.
    package static func decode<Value: Decodable>(_ type: Value.Type, _ data: Data) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let date = date(try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "no instant")
            }
            return date
        }
        return try decoder.decode(type, from: data)
    }

    /// In UTC, to the millisecond.
    package static func instant(_ date: Date) -> String {
        Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(date)
    }

    /// Nil for what is no instant.
    package static func date(_ text: String) -> Date? {
        (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
            ?? (try? Date.ISO8601FormatStyle().parse(text))
    }
}
