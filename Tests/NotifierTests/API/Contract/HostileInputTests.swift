import Crypto
import HTTP
import JSON
import Platform
import Testing

@testable import Notifier

/// Every route against bad sessions, bad bodies, bad parameters, replays and requests at the same time. The table of routes is the
/// table of cases: a route is tried the day it is added. `ContractBench` holds each answer against the route's description, which
/// also rules out every 5xx that is not described.
struct HostileInputTests {
    static let operations = RESTAPI.routes.map(\.description.operationID)
    /// Those for programs ask for something else: `SignalRouteTests`.
    static let guarded = RESTAPI.routes.filter { $0.access == .account || $0.access == .device }
        .map(\.description.operationID)
    static let withBody = RESTAPI.routes.filter { $0.description.body != nil }.map(\.description.operationID)

    private let bench: ContractBench

    init() throws { bench = try ContractBench() }

    /// A route with a request for it that would succeed.
    private func prepare(_ operation: String) throws -> (APIRoute, RouteDescription.Example, String?) {
        let route = try ContractBench.route(operation)
        let example = try #require(route.description.examples.first)
        try bench.prepare(example, of: route)
        return (route, example, try bench.session(for: route))
    }

    private func send(
        _ route: APIRoute,
        _ example: RouteDescription.Example,
        body: [UInt8]? = nil,
        session: String?
    ) throws -> HTTPResponse {
        let written = example.body.map { ContractBench.bytes(bench.substituted($0)) }
        return try bench.send(
            route,
            target: bench.target(of: example, route),
            body: body ?? written ?? [],
            headers: bench.headers(of: example, route),
            session: session
        )
    }

    // MARK: Sessions

    @Test(arguments: guarded)
    func `a route that is not open refuses who has no valid session`(operation: String) throws {
        let (route, example, valid) = try prepare(operation)
        let session = try #require(valid)
        let other = try ServerBench().register()
        let parts = session.split(separator: ".").map(String.init)
        let none = Base64URL.encode(Array(#"{"alg":"none","typ":"JWT"}"#.utf8))
        let cases: [(String?, String)] = [
            (nil, "session_missing"), ("", "session_missing"), ("x", "session_invalid"), ("a.b.c", "session_invalid"),
            ("\(none).\(parts[1]).", "session_invalid"), ("\(parts[0]).\(parts[1]).AAAA", "session_invalid"),
            ("\(parts[0]).\(parts[1])", "session_invalid"), (String(session.dropLast()), "session_invalid"),
            (try forged(other), "session_invalid"), (String(repeating: "a", count: 9_000), "session_invalid"),
        ]
        for (token, code) in cases {
            let response = try send(route, example, session: token)
            #expect(response.status == 401 && response.text("code") == code, "\(response.bodyText)")
            #expect(response.fields["WWW-Authenticate"] == "Bearer")
        }
    }

    /// The token of a server with another key.
    private func forged(_ session: String) throws -> String {
        let parts = session.split(separator: ".")
        let signed = "\(parts[0]).\(parts[1])"
        let code = HMACSHA256.code(for: Array(signed.utf8), key: Secret(String(repeating: "k", count: 32)))
        return "\(signed).\(Base64URL.encode(code))"
    }

    @Test(arguments: guarded)
    func `a route that is not open refuses a session at its end`(operation: String) throws {
        let (route, example, session) = try prepare(operation)
        bench.server.world.stepWallClock(by: .days(7))
        #expect(try send(route, example, session: session).text("code") == "session_expired")
    }

    @Test(arguments: guarded)
    func `a route that is not open refuses a session that was ended`(operation: String) throws {
        let (route, example, session) = try prepare(operation)
        let ended = try bench.server.call(.post, "/auth/revoke-all", session: session)
        #expect(ended.status == 204)
        #expect(try send(route, example, session: session).text("code") == "session_invalid")
    }

    @Test(arguments: RESTAPI.routes.filter { $0.access == .device }.map(\.description.operationID))
    func `a route for devices refuses a session that belongs to none`(operation: String) throws {
        let (route, example, _) = try prepare(operation)
        let session = try bench.server.register()
        #expect(try send(route, example, session: session).text("code") == "device_session_missing")
    }

    // MARK: Bodies

    @Test(arguments: withBody)
    func `a body that is not a JSON object is refused`(operation: String) throws {
        let (route, example, session) = try prepare(operation)
        let bodies = [
            "", "{", "[]", "null", "7", "\"x\"", "{}x", "\u{0}", "{\"a\":}", String(repeating: "[", count: 20_000),
            String(repeating: "{\"a\":", count: 10_000),
        ]
        // Where nothing is required, no body says as much as an empty object.
        for body in bodies where !(body.isEmpty && takesNothing(route)) {
            let response = try send(route, example, body: Array(body.utf8), session: session)
            #expect(response.status == 400, "\(body.prefix(20)): \(response.status) \(response.bodyText)")
        }
        let notUTF8: [UInt8] = [0x7B, 0x22, 0xFF, 0xFE, 0x22, 0x3A, 0x31, 0x7D]
        #expect(try send(route, example, body: notUTF8, session: session).status == 400)
        let long = try send(route, example, body: Array(repeating: 0x20, count: 300_000), session: session)
        #expect(long.status == 413)
    }

    private func takesNothing(_ route: APIRoute) -> Bool {
        guard case .object(let properties) = route.description.body else { return false }
        return !properties.contains { $0.isRequired }
    }

    @Test(arguments: withBody)
    func `a member of another type, or missing, or too long is refused`(operation: String) throws {
        let (route, example, session) = try prepare(operation)
        guard let body = example.body, case .object(let members) = body,
            case .object(let properties) = route.description.body?.shape(of: body)
        else { return }
        for property in properties {
            for wrong in Self.wrongValues(for: property.schema) {
                let body = ContractBench.bytes(bench.substituted(body.with(property.name, wrong)))
                let response = try send(route, example, body: body, session: session)
                #expect((400..<500).contains(response.status), "\(property.name): \(wrong): \(response.bodyText)")
            }
            guard property.isRequired else { continue }
            let without = JSONValue.object(members.filter { $0.key != property.name })
            let body = ContractBench.bytes(bench.substituted(without))
            #expect(try send(route, example, body: body, session: session).status == 400, "\(property.name) is missing")
        }
    }

    private static func wrongValues(for schema: APISchema) -> [JSONValue] {
        let long = JSONValue.string(String(repeating: "a", count: 60_000))
        switch schema {
        case .text, .matching, .opaque, .id, .instant, .day, .url, .word: return [7, true, [:], [[:]], long]
        case .number:
            return [
                "x", true, [:], [], 1.5, .number("99999999999999999999"), .string("99999999999999999999"),
                -9_223_372_036_854_775_807,
            ]
        case .decimal: return ["x", true, [:], []]
        case .null: return [7, true, [:], long]
        case .boolean: return ["x", 7, [:], []]
        case .list: return ["x", 7, true, [:]]
        case .object, .map, .anyObject: return ["x", 7, true, []]
        case .either: return [true]
        }
    }

    // MARK: Parameters

    @Test(arguments: operations)
    func `strange parameters are refused or ignored, never more`(operation: String) throws {
        let (route, example, session) = try prepare(operation)
        let strange = ["", "%", "%00", "%FF%FE", "..%2F..%2Fetc", "'%20OR%201=1--", "-1", "x", "99999999999999999999"]
        for parameter in route.description.parameters {
            for value in strange + [String(repeating: "a", count: 3_000)] {
                var path = bench.target(of: example, route)
                var headers = bench.headers(of: example, route)
                switch parameter.place {
                case .path:
                    guard !value.isEmpty else { continue }
                    path = route.path.description.replacing("{\(parameter.name)}", with: value)
                    // Other names of the path stay as their names.
                    path = path.filter { $0 != "{" && $0 != "}" }
                case .query: path = path.prefix { $0 != "?" } + "?\(parameter.name)=\(value)"
                case .header: headers[parameter.name] = value
                }
                let body = example.body.map { ContractBench.bytes(bench.substituted($0)) } ?? []
                let response = try bench.send(route, target: path, body: body, headers: headers, session: session)
                if parameter.place == .path {
                    #expect((400..<500).contains(response.status), "\(parameter.name)=\(value.prefix(20))")
                }
            }
        }
        let target = bench.target(of: example, route)
        let tooLong = target + (target.contains("?") ? "&" : "?") + String(repeating: "a", count: 5_000)
        #expect(try bench.send(route, target: tooLong, session: session).status == 414)
    }

    // MARK: Again and at once

    @Test(arguments: operations)
    func `a request that comes again is answered as described`(operation: String) throws {
        let (route, example, session) = try prepare(operation)
        for _ in 0..<3 { _ = try send(route, example, session: session) }
    }

    @Test(arguments: operations)
    func `requests at the same time are each answered as described`(operation: String) throws {
        let (route, example, session) = try prepare(operation)
        var request = HTTPRequest(
            method: route.method,
            origin: HTTPOrigin(scheme: "https", host: "notifier.example.com"),
            target: bench.target(of: example, route),
            body: example.body.map { ContractBench.bytes(bench.substituted($0)) } ?? []
        )
        for (name, value) in bench.headers(of: example, route) { request.fields.append(name, value) }
        if let session { request.fields["Authorization"] = "Bearer \(session)" }
        let (sent, api) = (request, bench.server.notifier.api)
        let answers = try bench.server.world.finish {
            await withTaskGroup(of: HTTPResponse.self) { group in
                for number in Int64(0)..<8 {
                    group.addTask { await api.handle(sent, from: HTTPPeer(address: "192.0.2.3", connection: number)) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        let responses = try #require(answers)
        #expect(responses.count == 8)
        for response in responses { ContractBench.check(response, of: route, operation) }
        #expect(responses.contains { $0.status == example.status }, "\(responses.map(\.status))")
    }
}
