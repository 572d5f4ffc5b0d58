import FoundationEssentials
import HTTP

/// The parameters in a request's body: JSON, a form, or a form in parts (supplement §5).
enum RequestBody {
    static let limitBytes = 2_000_000

    static func pairs(of request: HTTPRequest) throws(APIError) -> [(name: String, value: String)] {
        guard !request.body.isEmpty else { return [] }
        guard request.body.count <= limitBytes else { throw .tooLarge }
        let type = request.fields["Content-Type"] ?? ""
        let media = type.prefix { $0 != ";" && $0 != " " }.lowercased()
        switch media {
        case "application/json": return try jsonPairs(request.body)
        case "", "application/x-www-form-urlencoded":
            guard let text = String(validating: request.body, as: UTF8.self),
                let pairs = PercentEncoding.pairs(text[...])
            else { throw .malformed }
            return pairs
        case "multipart/form-data": return try MultipartForm.pairs(in: request.body, type: type)
        // Known, but nothing is read from it.
        case "text/plain": return []
        default: throw .error(415, "The provided content-type '\(media)' is not supported.")
        }
    }

    /// Keys in alphabetical order: the decoder does not tell how they stood.
    private static func jsonPairs(_ body: [UInt8]) throws(APIError) -> [(name: String, value: String)] {
        let value: JSONParameter
        do {
            value = try JSONDecoder().decode(JSONParameter.self, from: Data(body))
        } catch {
            throw .notJSON
        }
        guard case .object(let members) = value else { return [] }
        let pairs = members.sorted { $0.key < $1.key }.flatMap { $1.pairs(named: $0) }
        guard !pairs.contains(where: { $0.name.utf8.contains(0) || $0.value.utf8.contains(0) }) else {
            throw .malformed
        }
        return pairs
    }
}

/// A JSON value as parameters: lists as `name[]`, objects as `name[key]`, null as nothing written.
private enum JSONParameter: Decodable {
    case text(String)
    case list([JSONParameter])
    case object([String: JSONParameter])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .text("")
        } else if let value = try? container.decode(Bool.self) {
            self = .text(value ? "true" : "false")
        } else if let value = try? container.decode(Int64.self) {
            self = .text("\(value)")
        } else if let value = try? container.decode(Double.self) {
            self = .text("\(value)")
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONParameter].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSONParameter].self))
        }
    }

    func pairs(named name: String) -> [(name: String, value: String)] {
        switch self {
        case .text(let text): return [(name, text)]
        // An empty list is given, and empties what it stands for.
        case .list(let elements) where elements.isEmpty: return [(name, "")]
        case .list(let elements): return elements.flatMap { $0.pairs(named: name + "[]") }
        case .object(let members):
            return members.sorted { $0.key < $1.key }.flatMap { $1.pairs(named: "\(name)[\($0)]") }
        }
    }
}

/// A form in parts (RFC 7578); files are left out, no route here takes one.
private enum MultipartForm {
    private static let partLimit = 200

    static func pairs(in body: [UInt8], type: String) throws(APIError) -> [(name: String, value: String)] {
        guard let text = String(validating: body, as: UTF8.self), let boundary = parameter("boundary", in: type[...]),
            !boundary.isEmpty
        else { throw .malformed }
        var pairs: [(name: String, value: String)] = []
        let parts = text.split(separator: "--" + boundary, omittingEmptySubsequences: false).dropFirst()
        for part in parts.prefix(partLimit) where !part.hasPrefix("--") {
            guard let end = part.firstRange(of: "\r\n\r\n"), part.hasSuffix("\r\n") else { throw .malformed }
            let head = part[..<end.lowerBound]
            guard let name = parameter("name", in: head) else { throw .malformed }
            guard parameter("filename", in: head) == nil else { continue }
            pairs.append((name, String(part[end.upperBound...].dropLast())))
        }
        return pairs
    }

    /// `name="value"` or `name=value`.
    private static func parameter(_ name: String, in text: Substring) -> String? {
        for separator in ["; \(name)=", ";\(name)="] {
            guard let place = text.firstRange(of: separator) else { continue }
            let rest = text[place.upperBound...]
            if rest.first == "\"" { return String(rest.dropFirst().prefix { $0 != "\"" }) }
            return String(rest.prefix { $0 != ";" && !$0.isWhitespace })
        }
        return nil
    }
}
