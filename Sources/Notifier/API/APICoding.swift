import FoundationEssentials
import HTTP
import JSON
import Platform

/// The one shape of every error.
private struct ErrorBody: Encodable {
    var code: String
    var message: String
    var hint: String
}

extension HTTPResponse {
    /// A JSON answer, with sorted keys.
    static func json(_ status: Int, _ value: some Encodable, fields: HTTPFields = HTTPFields()) throws -> HTTPResponse {
        json(status, body: try DeterministicJSON.bytes(value), fields: fields)
    }

    /// A JSON answer whose text is `body`.
    static func json(_ status: Int, body: [UInt8], fields: HTTPFields = HTTPFields()) -> HTTPResponse {
        var fields = fields
        fields["Content-Type"] = "application/json"
        fields["Cache-Control"] = "no-store"
        return HTTPResponse(status: status, fields: fields, body: body)
    }

    /// The answer for an error.
    static func error(_ error: APIError) -> HTTPResponse {
        let body = ErrorBody(code: error.code, message: error.message, hint: error.hint)
        // Three texts always encode.
        return (try? json(error.status, body, fields: error.fields)) ?? HTTPResponse(status: error.status)
    }
}

/// A JSON value as a part of an answer, as it is.
struct VerbatimJSON: Encodable {
    var value: JSONValue

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        switch value {
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(VerbatimJSON(value: element)) }
        case .object(let members):
            var container = encoder.container(keyedBy: Key.self)
            for member in members {
                try container.encode(VerbatimJSON(value: member.value), forKey: Key(stringValue: member.key))
            }
        case .null, .bool, .number, .string:
            var container = encoder.singleValueContainer()
            try encodeScalar(into: &container)
        }
    }

    private func encodeScalar(into container: inout any SingleValueEncodingContainer) throws {
        switch value {
        case .bool(let flag): try container.encode(flag)
        case .number(let digits):
            guard let whole = Int64(digits) else { return try container.encode(Double(digits)) }
            try container.encode(whole)
        case .string(let text): try container.encode(text)
        case .null, .array, .object: try container.encodeNil()
        }
    }
}

/// A whole number of 64 bits. Fractions and larger ones are told to be what they are, with the field's name.
struct WholeNumber: Decodable {
    var value: Int64

    /// The number that stands in a path or a query: digits alone.
    static func read(_ text: String) -> Int64? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
    }

    init(from decoder: any Decoder) throws {
        do {
            value = try decoder.singleValueContainer().decode(Int64.self)
        } catch {
            let context = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no whole number")
            throw DecodingError.typeMismatch(Int64.self, context)
        }
    }
}

extension HTTPRequest {
    /// The body as a value.
    ///
    /// - Throws: `APIError.invalidJSON` or `invalidField`, naming the field as the client wrote it.
    func decodeBody<Value: Decodable>(_ type: Value.Type) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch DecodingError.keyNotFound(let key, _) {
            throw APIError.invalidField(key.stringValue, expected: "present")
        } catch DecodingError.typeMismatch(let type, let context), DecodingError.valueNotFound(let type, let context) {
            guard let key = context.codingPath.last else { throw APIError.invalidJSON }
            throw APIError.invalidField(key.stringValue, expected: Self.expectation(type))
        } catch DecodingError.dataCorrupted(let context) {
            guard let key = context.codingPath.last else { throw APIError.invalidJSON }
            throw APIError.invalidField(key.stringValue, expected: "a whole number")
        }
    }

    private static func expectation(_ type: Any.Type) -> String {
        if type == String.self { return "a text" }
        if type == Bool.self { return "true or false" }
        if type == [Any].self { return "a list" }
        return type == [String: Any].self ? "an object" : "a whole number"
    }

    /// The first value of a query parameter, percent-decoded; nil when it is absent.
    func parameter(_ name: String) -> String? {
        // By bytes: a sign with a combining mark behind it is one character, and still a sign.
        for pair in (query ?? "").utf8.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let found = parts.first, found.elementsEqual(name.utf8) else { continue }
            return parts.count > 1 ? PercentCoding.decode(Substring(parts[1])) : ""
        }
        return nil
    }
}

/// Percent-encoding in queries (RFC 3986 §2.1); `+` stays itself.
enum PercentCoding {
    /// The text behind `text`; ill-formed sequences stay as they are.
    static func decode(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(digit),
                let low = rest.dropFirst().first.flatMap(digit)
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What a hexadecimal digit stands for.
    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
