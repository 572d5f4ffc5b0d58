import FoundationEssentials
import HTTP

/// The parameters in a request's body: JSON or a form.
enum RequestBody {
    static let limitBytes = 2_000_000

    static func pairs(of request: HTTPRequest) throws(APIError) -> [(name: String, value: String)] {
        guard !request.body.isEmpty else { return [] }
        guard request.body.count <= limitBytes else { throw .error(413, "Request Entity Too Large") }
        let type = request.fields["Content-Type"]?.lowercased() ?? ""
        if type.hasPrefix("application/json") { return try jsonPairs(request.body) }
        guard let text = String(validating: request.body, as: UTF8.self),
            let pairs = PercentEncoding.pairs(text[...])
        else { throw .error(400, "The request body could not be read") }
        return pairs
    }

    private static func jsonPairs(_ body: [UInt8]) throws(APIError) -> [(name: String, value: String)] {
        do {
            let object = try JSONDecoder().decode([String: Scalar].self, from: Data(body))
            return object.sorted { $0.key < $1.key }.compactMap { name, value in value.text.map { (name, $0) } }
        } catch {
            throw .error(400, "message body does not match declared format")
        }
    }

    /// A JSON value as a parameter; lists and objects count as absent, no route here declares them.
    private struct Scalar: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws {
            guard let container = try? decoder.singleValueContainer() else {
                text = nil
                return
            }
            if let value = try? container.decode(Bool.self) {
                text = value ? "true" : "false"
            } else if let value = try? container.decode(Int64.self) {
                text = "\(value)"
            } else {
                text = try? container.decode(String.self)
            }
        }
    }
}
