import HTTP
import JSON

/// What the notifier says of its own API: the OpenAPI document that `GET /openapi.json` gives, as a client reads it that knows nothing else.
struct APIDescription {
    /// In the order of their paths and methods, so that the same document gives the same requests.
    let operations: [Operation]
    /// What `$ref` leads to.
    let schemas: SchemaCheck.Definitions

    /// One method on one path.
    struct Operation {
        var method: HTTPMethod
        /// With names in braces.
        var path: String
        /// By what one has to say who asks; nil where anybody may ask.
        var scheme: String?
        var parameters: [Parameter]
        var body: Body?
        /// By status.
        var responses: [Int: Response]

        /// Whether a request may leave out everything but a body.
        var isPlain: Bool { !namesSomething && !parameters.contains(where: \.isRequired) }
        /// Whether the path names something.
        var namesSomething: Bool { parameters.contains { $0.place == "path" } }
    }

    /// A value beside the body.
    struct Parameter {
        var name: String
        /// `path`, `query` or `header`.
        var place: String
        var isRequired: Bool
        var schema: JSONValue
    }

    /// What a request may bring.
    struct Body {
        var isRequired: Bool
        var schema: JSONValue
        var examples: [JSONValue]
    }

    /// What an answer of one status may be.
    struct Response {
        /// Nil where it has no JSON.
        var schema: JSONValue?
        /// The codes of the refusals among them.
        var codes: Set<String>
        /// Whether anything comes with it.
        var hasContent: Bool
        /// The names of its header fields.
        var fields: Set<String>
    }

    /// Nil when it is no such document.
    init?(_ body: [UInt8]) {
        guard let document = JSONValue(reading: body), let paths = document["paths"]?.members else { return nil }
        schemas = SchemaCheck.Definitions(document["components"]?["schemas"])
        operations = paths.sorted { $0.key < $1.key }.flatMap { path in
            (path.value.members ?? []).sorted { $0.key < $1.key }.map { Operation($0.key, path.key, $0.value) }
        }
    }
}

extension APIDescription.Operation {
    fileprivate init(_ method: String, _ path: String, _ json: JSONValue) {
        self.method = HTTPMethod(rawValue: method.uppercased())
        self.path = path
        scheme = json["security"]?.elements.first?.members?.first?.key
        parameters = (json["parameters"]?.elements ?? []).map(APIDescription.Parameter.init)
        body = json["requestBody"].flatMap(APIDescription.Body.init)
        responses = [:]
        for response in json["responses"]?.members ?? [] {
            guard let status = Int(response.key) else { continue }
            responses[status] = APIDescription.Response(response.value)
        }
    }
}

extension APIDescription.Parameter {
    fileprivate init(_ json: JSONValue) {
        name = json["name"]?.text ?? ""
        place = json["in"]?.text ?? ""
        isRequired = json["required"] == true
        schema = json["schema"] ?? true
    }
}

extension APIDescription.Body {
    fileprivate init?(_ json: JSONValue) {
        guard let content = json["content"]?["application/json"] else { return nil }
        isRequired = json["required"] == true
        schema = content["schema"] ?? true
        examples = (content["examples"]?.members ?? []).compactMap { $0.value["value"] }
    }
}

extension APIDescription.Response {
    fileprivate init(_ json: JSONValue) {
        let content = json["content"]?["application/json"]
        schema = content?["schema"]
        codes = Set((content?["examples"]?.members ?? []).compactMap { $0.value["value"]?["code"]?.text })
        hasContent = !(json["content"]?.members ?? []).isEmpty
        fields = Set((json["headers"]?.members ?? []).map(\.key))
    }
}

extension JSONValue {
    /// Nil for what is no JSON.
    init?(reading body: [UInt8]) {
        var reader = JSONReader(bytes: body)
        guard let value = try? reader.read().value else { return nil }
        self = value
    }

    /// The elements when it is an array; none when it is something else.
    var elements: [JSONValue] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    /// The text when it is a string.
    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }
}
