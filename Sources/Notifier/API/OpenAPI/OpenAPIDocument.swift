import HTTP
import JSON

/// The OpenAPI 3.1 document of a table of routes. The same table gives the same bytes.
struct OpenAPIDocument {
    let routes: [APIRoute]

    /// The whole document.
    var json: JSONValue {
        [
            "openapi": "3.1.0",
            "info": [
                "title": "GitLab notifier",
                "version": .string(NotifierVersion.current),
                "description":
                    """
                Sessions, devices, watch lists and history of a server that polls a self-hosted GitLab and pushes what \
                happened. Every refusal is one object: a code that never changes its meaning, a sentence for people, and a \
                hint. What a request may leave out may be `null` in it. Examples build on each other: those of the operations in `x-after` come first.
                """,
            ],
            "paths": .sorted(paths),
            "components": [
                "schemas": ["Error": Self.error.jsonSchema(isClosed: true).json],
                "securitySchemes": [
                    Self.accountScheme: Self.scheme("A session of a person: the `token` of registering or refreshing."),
                    Self.deviceScheme: Self.scheme(
                        "A session that belongs to a device: after pairing or `POST /devices`."
                    ),
                    Self.programScheme: [
                        "type": "http", "scheme": "bearer",
                        "description": "A token that a person made for a program: `POST /signals/tokens`.",
                    ],
                ],
            ],
        ]
    }

    /// What every refusal looks like.
    static let error = APISchema.object([
        .required("code", .text(1...64), "What happened, for programs."),
        .required("message", .text(1...1_024), "What happened, for people."),
        .required("hint", .text(1...1_024), "What to do about it."),
    ])

    private static let accountScheme = "accountSession"
    private static let deviceScheme = "deviceSession"
    private static let programScheme = "signalToken"

    private static func scheme(_ summary: String) -> JSONValue {
        ["type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": .string(summary)]
    }

    private var paths: [String: JSONValue] {
        var paths: [String: [String: JSONValue]] = [:]
        for route in routes {
            paths[route.path.description, default: [:]][route.method.rawValue.lowercased()] = operation(route)
        }
        return paths.mapValues(JSONValue.sorted)
    }

    private func operation(_ route: APIRoute) -> JSONValue {
        let description = route.description
        var operation: [String: JSONValue] = [
            "operationId": .string(description.operationID),
            "summary": .string(description.summary),
            "tags": [.string(route.area)],
            "security": .array(security(route.access)),
            "responses": .sorted(OpenAPIResponses(route: route).json),
        ]
        if !description.parameters.isEmpty {
            operation["parameters"] = .array(description.parameters.map { parameter($0, of: description) })
        }
        if let body = description.body { operation["requestBody"] = requestBody(body, of: description) }
        var earlier: [String] = []
        for operation in description.examples.flatMap(\.after) where !earlier.contains(operation) {
            earlier.append(operation)
        }
        if !earlier.isEmpty { operation["x-after"] = .array(earlier.map(JSONValue.string)) }
        return .sorted(operation)
    }

    private func security(_ access: APIRoute.Access) -> [JSONValue] {
        switch access {
        case .open: []
        case .account: [[Self.accountScheme: []]]
        case .device: [[Self.deviceScheme: []]]
        case .program: [[Self.programScheme: []]]
        }
    }

    private func parameter(_ parameter: RouteDescription.Parameter, of description: RouteDescription) -> JSONValue {
        var json: [String: JSONValue] = [
            "name": .string(parameter.name),
            "in": .string(parameter.place.rawValue),
            "description": .string(parameter.summary),
            "required": .bool(parameter.isRequired),
            "schema": parameter.schema.jsonSchema(isClosed: false).json,
        ]
        let example = description.examples.lazy.compactMap { $0.parameters[parameter.name] }.first
        if let example { json["example"] = parameter.schema.value(ofParameter: example) }
        return .sorted(json)
    }

    private func requestBody(_ body: APISchema, of description: RouteDescription) -> JSONValue {
        var examples: [String: JSONValue] = [:]
        for example in description.examples {
            guard let body = example.body else { continue }
            examples[example.name] = ["summary": .string(example.summary), "value": body]
        }
        return [
            "required": .bool(description.isBodyRequired),
            "content": [
                "application/json": ["schema": body.jsonSchema(isClosed: false).json, "examples": .sorted(examples)]
            ],
        ]
    }
}

extension APIRoute {
    /// What the document groups it by: the first part of its path.
    var area: String {
        String(path.description.dropFirst().prefix { $0 != "/" && $0 != "." })
    }
}

extension APISchema {
    /// A parameter's text as the value that the schema is about.
    fileprivate func value(ofParameter text: String) -> JSONValue {
        switch self {
        case .number: Int64(text).map(JSONValue.integer) ?? .string(text)
        case .boolean: text == "true" ? true : text == "false" ? false : .string(text)
        default: .string(text)
        }
    }
}
