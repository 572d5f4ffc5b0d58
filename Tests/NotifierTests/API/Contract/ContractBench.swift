import FoundationEssentials
import HTTP
import JSON
import Platform
import Testing

@testable import Notifier

/// A real API over a database in memory and a scripted GitLab, whose every answer is held against its route's description, and to
/// which the documented examples can be sent.
final class ContractBench {
    let server: ServerBench
    /// What was said by documented ids, tokens and codes in earlier answers: what the server really gave.
    private(set) var bindings: [String: String] = [:]
    /// The session of the person, and one that belongs to a device.
    private(set) var session: String?
    private(set) var deviceSession: String?
    /// The token of a program that the person let in.
    private(set) var signalToken: String?

    static let routes = RESTAPI.routes

    /// The document does not have what a test is about.
    struct Missing: Error {}

    init() throws {
        server = try ServerBench()
    }

    static func route(_ operationID: String) throws -> APIRoute {
        try #require(routes.first { $0.description.operationID == operationID }, "\(operationID) is no operation")
    }

    // MARK: Sending

    /// Sends a request for a route and holds the answer against the description.
    func send(
        _ route: APIRoute,
        target: String,
        body: [UInt8] = [],
        headers: [String: String] = [:],
        session: String?
    ) throws -> HTTPResponse {
        var request = HTTPRequest(
            method: route.method,
            origin: HTTPOrigin(scheme: "https", host: "notifier.example.com"),
            target: target,
            body: body
        )
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { request.fields.append(name, value) }
        if let session { request.fields["Authorization"] = "Bearer \(session)" }
        let response = try server.send(request)
        Self.check(response, of: route, "\(route.method.rawValue) \(target)")
        return response
    }

    /// An answer must be one of those described; a refusal one object with a code that is described for its status.
    static func check(_ response: HTTPResponse, of route: APIRoute, _ what: String) {
        guard let answer = route.description.answers.first(where: { $0.status == response.status }) else {
            return checkRefusal(response, of: route, what)
        }
        switch answer.content {
        case .none: #expect(response.body.isEmpty, "\(what): a body nobody described")
        case .text(let mediaType): #expect(response.fields["Content-Type"] == mediaType, "\(what)")
        case .json(let schema):
            let problems = json(response).map { SchemaCheck.problems($0, schema) } ?? ["no JSON"]
            // A status may stand for both, such as a server that is not ready and one that is busy.
            guard !problems.isEmpty, response.status >= 400 else {
                #expect(problems == [], "\(what)")
                return
            }
            checkRefusal(response, of: route, what)
        }
    }

    private static func checkRefusal(_ response: HTTPResponse, of route: APIRoute, _ what: String) {
        #expect(response.status != 500, "\(what): \(response.bodyText)")
        let code = response.text("code") ?? ""
        let isDescribed = route.allErrors.contains { $0.status == response.status && $0.code == code }
        #expect(
            isDescribed,
            "\(what): \(response.status) \(code) is not among the errors of \(route.description.operationID)"
        )
        let problems = json(response).map { SchemaCheck.problems($0, OpenAPIDocument.error) } ?? ["no JSON"]
        #expect(problems == [], "\(what)")
    }

    static func json(_ response: HTTPResponse) -> JSONValue? {
        var reader = JSONReader(bytes: response.body)
        return try? reader.read().value
    }

    static func bytes(_ value: JSONValue) -> [UInt8] { Array(value.text(indented: false).utf8) }

    // MARK: Examples

    /// What the route asks for: the person's session, a device's after registering one, or a program's token.
    func session(for route: APIRoute) throws -> String? {
        guard route.access != .open else { return nil }
        try prepareFirst(of: "register")
        if route.access == .program {
            try prepareFirst(of: "makeSignalToken")
            return signalToken
        }
        guard route.access == .device else { return session }
        try prepareFirst(of: "registerDevice")
        return deviceSession
    }

    /// Sends what comes before the example.
    func prepare(_ example: RouteDescription.Example, of route: APIRoute) throws {
        _ = try session(for: route)
        for operation in example.after { try prepareFirst(of: operation) }
    }

    private var prepared: Set<String> = []

    private func prepareFirst(of operation: String) throws {
        let route = try Self.route(operation)
        let first = try #require(route.description.examples.first)
        for earlier in first.after { try prepareFirst(of: earlier) }
        guard prepared.insert(operation).inserted else { return }
        let response = try replayFirst(of: operation, isCompared: false)
        #expect(response.status == first.status, "\(operation): \(response.bodyText)")
    }

    private func replayFirst(of operation: String, isCompared: Bool) throws -> HTTPResponse {
        let route = try Self.route(operation)
        let first = try #require(route.description.examples.first)
        return try replay(first, of: route, isCompared: isCompared)
    }

    /// Sends the example's request, with what its ids really stand for, and learns from the answer.
    @discardableResult
    func replay(
        _ example: RouteDescription.Example,
        of route: APIRoute,
        session other: String? = nil,
        isCompared: Bool = true
    ) throws -> HTTPResponse {
        let asking = try other ?? session(for: route)
        let response = try send(
            route,
            target: target(of: example, route),
            body: example.body.map { Self.bytes(substituted($0)) } ?? [],
            headers: headers(of: example, route),
            session: asking
        )
        guard isCompared || example.status == response.status else { return response }
        if isCompared { #expect(response.status == example.status, "\(response.bodyText)") }
        learn(from: response, example, route, isCompared: isCompared)
        return response
    }

    private func learn(
        from response: HTTPResponse,
        _ example: RouteDescription.Example,
        _ route: APIRoute,
        isCompared: Bool
    ) {
        let operation = route.description.operationID
        if let token = response.text("token") {
            if operation == "register" { session = token }
            if operation == "makeSignalToken" { signalToken = token }
            if operation == "registerDevice" || operation == "exchangePairing" { deviceSession = token }
        }
        guard let documented = example.answer, let real = Self.json(response) else { return }
        var schema = OpenAPIDocument.error
        let answer = route.description.answers.first { $0.status == response.status }
        if let answer, case .json(let described) = answer.content { schema = described }
        let problems = SchemaCheck.problems(documented, schema, at: "the example's answer")
        #expect(problems == [], "\(operation), \(example.name)")
        let differences = compare(documented, real, schema, at: "answer")
        if isCompared { #expect(differences == [], "\(operation), \(example.name)") }
    }

    /// What differs, apart from what only the server can know; that is learnt.
    private func compare(_ documented: JSONValue, _ real: JSONValue, _ schema: APISchema, at place: String) -> [String]
    {
        switch (schema, documented, real) {
        case (.instant, .string, .string): return []
        case (.id, .string(let said), .string(let given)), (.opaque, .string(let said), .string(let given)),
            (.matching, .string(let said), .string(let given)):
            let isNew = bindings[said] == nil
            if isNew { bindings[said] = given }
            return bindings[said] == given ? [] : ["\(place) stands for something else than before"]
        case (.object(let properties), .object(let said), .object(let given)):
            let (saidKeys, givenKeys) = (said.map(\.key).sorted(), given.map(\.key).sorted())
            guard saidKeys == givenKeys else { return ["\(place) has \(givenKeys), not \(saidKeys)"] }
            return properties.flatMap { property -> [String] in
                guard let left = documented[property.name], let right = real[property.name] else { return [] }
                return compare(left, right, property.schema, at: "\(place).\(property.name)")
            }
        case (.list(let element, _), .array(let said), .array(let given)):
            guard said.count == given.count else { return ["\(place) has \(given.count) elements, not \(said.count)"] }
            return zip(said, given).enumerated().flatMap {
                compare($1.0, $1.1, element, at: "\(place)[\($0)]")
            }
        default: return Self.isEqual(documented, real) ? [] : ["\(place) is \(real), not \(documented)"]
        }
    }

    /// Whether both say the same; the order of an object's members says nothing.
    private static func isEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
        switch (left, right) {
        case (.array(let left), .array(let right)): left.count == right.count && zip(left, right).allSatisfy(isEqual)
        case (.object(let members), .object(let others)):
            members.count == others.count
                && members.allSatisfy { member in right[member.key].map { isEqual(member.value, $0) } ?? false }
        default: left == right
        }
    }

    /// Whether the example's request speaks of something that an earlier answer gave.
    func refersToEarlier(_ example: RouteDescription.Example) -> Bool {
        let inBody = example.body.map { substituted($0) != $0 } ?? false
        return inBody || example.parameters.values.contains { bindings[$0] != nil }
    }

    func substituted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(bindings[text] ?? text)
        case .array(let values): .array(values.map(substituted))
        case .object(let members): .object(members.map { JSONMember($0.key, substituted($0.value)) })
        default: value
        }
    }

    // MARK: Targets

    func target(of example: RouteDescription.Example, _ route: APIRoute) -> String {
        var path = route.path.description
        var query: [String] = []
        for parameter in route.description.parameters {
            guard let said = example.parameters[parameter.name] else { continue }
            let value = Self.percentEncoded(bindings[said] ?? said)
            switch parameter.place {
            case .path: path = path.replacing("{\(parameter.name)}", with: value)
            case .query: query.append("\(parameter.name)=\(value)")
            case .header: break
            }
        }
        return query.isEmpty ? path : path + "?" + query.joined(separator: "&")
    }

    func headers(of example: RouteDescription.Example, _ route: APIRoute) -> [String: String] {
        var headers: [String: String] = [:]
        for parameter in route.description.parameters where parameter.place == .header {
            headers[parameter.name] = example.parameters[parameter.name].map { bindings[$0] ?? $0 }
        }
        return headers
    }

    static func percentEncoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
