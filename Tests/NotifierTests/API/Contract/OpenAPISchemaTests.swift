import HTTP
import JSON
import Testing

@testable import Notifier

/// What the document says of requests is what the server takes: no less, as far as a schema can say it, and no more.
struct OpenAPISchemaTests {
    private let bench: ContractBench

    init() throws { bench = try ContractBench() }

    static let withBody = RESTAPI.routes.filter { $0.description.body != nil }.map(\.description.operationID)

    @Test(arguments: withBody)
    func `what a request may leave out may be null, in the document and for the server`(operation: String) throws {
        let route = try ContractBench.route(operation)
        let example = try #require(route.description.examples.first)
        guard var body = example.body, case .object(let properties) = route.description.body?.shape(of: body) else {
            return
        }
        for property in properties where !property.isRequired && body[property.name] == nil {
            body = body.with(property.name, .null)
        }
        try bench.prepare(example, of: route)
        let response = try bench.send(
            route,
            target: bench.target(of: example, route),
            body: ContractBench.bytes(bench.substituted(body)),
            headers: bench.headers(of: example, route),
            session: bench.session(for: route)
        )
        #expect(response.status == example.status, "\(response.bodyText)")
        let text = APISchema.object(properties).jsonSchema(isClosed: false).json.text(indented: false)
        let optional = properties.count { !$0.isRequired }
        #expect(text.ranges(of: #"{"type":"null"}"#).count >= properties.count { !$0.isRequired && $0.schema != .null })
        #expect(optional == 0 || text.contains(#""type":"null""#))
    }

    @Test func `an answer leaves out what it does not say`() throws {
        let shape = APISchema.object([.optional("a", .boolean, "x")])
        #expect(!shape.jsonSchema(isClosed: true).json.text(indented: false).contains("null"))
    }

    // MARK: Patterns

    /// The schema of a member of a request.
    private func schema(_ operation: String, _ member: String) throws -> APISchema {
        guard case .object(let properties) = try ContractBench.route(operation).description.body else {
            throw ContractBench.Missing()
        }
        return try #require(properties.first { $0.name == member }).schema
    }

    private func isTaken(_ operation: String, _ member: String, _ value: String) throws -> Bool {
        let route = try ContractBench.route(operation)
        let example = try #require(route.description.examples.first)
        try bench.prepare(example, of: route)
        let body = try #require(example.body).with(member, .string(value))
        let response = try bench.send(
            route,
            target: bench.target(of: example, route),
            body: ContractBench.bytes(body),
            session: bench.session(for: route)
        )
        return response.status != 400
    }

    @Test(arguments: [
        "K7M2QX", "k7m2qx", "k7m-2qx", " K7 M2 QX ", "------K7M2QX", "", "K7M2Q", "K7M2QXX", "K7M2Q0", "K7M2QI",
        "l7m2qx",
        "K7M2Q\u{DF}", "\u{DF}\u{DF}\u{DF}", "K7M2QX\n", "K7M2Q\u{17F}", "K7M2QX                          ",
        "K7M2QX                           ",
    ])
    func `a pairing code is taken exactly when it matches`(code: String) throws {
        let matches = SchemaCheck.problems(.string(code), try schema("exchangePairing", "pairingCode")).isEmpty
        #expect(try isTaken("exchangePairing", "pairingCode", code) == matches)
    }

    @Test(arguments: [
        "a94b", "A94B", "aA", "a", "a94", "", "a94g", " a94b", "0xa94b", "\u{FF41}\u{FF41}",
        String(repeating: "a9", count: 200), String(repeating: "a9", count: 201),
    ])
    func `a device token is taken exactly when it matches`(token: String) throws {
        let matches = SchemaCheck.problems(.string(token), try schema("registerDevice", "apnsToken")).isEmpty
        #expect(try isTaken("registerDevice", "apnsToken", token) == matches)
    }

    @Test(arguments: [
        "https://gitlab.example.com", "https://gitlab.example.com/", "https://gitlab.example.com//",
        "https://gitlab.example.com/group", "https://gitlab.example.com?x", "https://anna@gitlab.example.com",
        "ftp://gitlab.example.com", "gitlab.example.com", "https://", "https://gitlab.example.com:https", "",
    ])
    func `an address of an instance is taken exactly when it matches`(address: String) throws {
        let matches = SchemaCheck.problems(.string(address), try schema("register", "gitlabUrl")).isEmpty
        #expect(try isTaken("register", "gitlabUrl", address) == matches)
    }

    @Test(arguments: ["Phone", "Ann\u{E4}s \u{1F4F1}", "a\u{7F}", "a\nb", String(repeating: "\u{E4}", count: 64), ""])
    func `a device's name is taken exactly when it matches`(name: String) throws {
        let matches = SchemaCheck.problems(.string(name), try schema("registerDevice", "deviceName")).isEmpty
        #expect(try isTaken("registerDevice", "deviceName", name) == matches)
    }

    /// JSON Schema counts characters.
    @Test(arguments: [
        ("registerDevice", "appVersion", 64), ("denyActor", "displayName", 200), ("denyActor", "reason", 200),
    ])
    func `a text is as long as it has characters`(operation: String, member: String, limit: Int) throws {
        #expect(try isTaken(operation, member, String(repeating: "\u{E4}", count: limit)))
        #expect(try !isTaken(operation, member, String(repeating: "\u{E4}", count: limit + 1)))
    }

    // MARK: Bodies

    @Test(arguments: [
        #"{"minutes": 30}"#, #"{"minutes": 30, "until": null}"#, #"{"until": "2026-03-02T10:00:00Z"}"#,
        #"{"until": "2026-03-02T10:00:00Z", "minutes": null}"#, #"{"minutes": 30, "until": "2026-03-02T10:00:00Z"}"#,
        "{}", #"{"minutes": null, "until": null}"#, #"{"minutes": 0}"#, #"{"minutes": 525601}"#,
    ])
    func `a mute has an end or a length, as the document says`(text: String) throws {
        let route = try ContractBench.route("muteWatch")
        let example = try #require(route.description.examples.first)
        try bench.prepare(example, of: route)
        let response = try bench.send(
            route,
            target: bench.target(of: example, route),
            body: Array(text.utf8),
            session: bench.session(for: route)
        )
        let body = try #require(ContractBench.json(HTTPResponse(status: 200, body: Array(text.utf8))))
        let shape = try #require(route.description.body)
        #expect((response.status == 200) == SchemaCheck.problems(body, shape).isEmpty, "\(response.bodyText)")
    }

    @Test func `a test needs no body, as the document says, and everything else that has one does`() throws {
        for operation in Self.withBody {
            let route = try ContractBench.route(operation)
            #expect(route.description.isBodyRequired == (operation != "sendTest"))
        }
        let route = try ContractBench.route("sendTest")
        try bench.prepare(#require(route.description.examples.first), of: route)
        let response = try bench.send(route, target: "/notifications/test", session: bench.session(for: route))
        #expect(response.status == 202)
        let path = OpenAPIDocument(routes: [route]).json["paths"]?["/notifications/test"]
        #expect(path?["post"]?["requestBody"]?["required"] == false)
    }

    @Test(arguments: ["+5", "5 ", "", "five", "0"])
    func `a number in a query is digits alone`(text: String) throws {
        let route = try ContractBench.route("listNotifications")
        let session = try bench.session(for: route)
        for name in ["limit", "projectId"] {
            let target = "/notifications?\(name)=\(ContractBench.percentEncoded(text))"
            #expect(try bench.send(route, target: target, session: session).status == 400)
        }
    }
}
