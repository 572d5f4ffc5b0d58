import HTTP
import Testing

@testable import Notifier

struct RouteTableTests {
    private let table = RouteTable([
        makeRoute(.get, "/watch"), makeRoute(.post, "/watch"), makeRoute(.delete, "/watch/{id}"),
        makeRoute(.post, "/watch/import"), makeRoute(.post, "/watch/{id}/mute"),
    ])

    @Test(arguments: [
        ("GET", "/watch", "/watch", [:]), ("GET", "/watch?limit=3", "/watch", [:]),
        ("DELETE", "/watch/a%2Fb", "/watch/{id}", ["id": "a/b"]),
        ("DELETE", "/watch/%4a%+f%-1%2", "/watch/{id}", ["id": "J%+f%-1%2"]),
        ("DELETE", "/watch/\u{301}5", "/watch/{id}", ["id": "\u{301}5"]),
        ("POST", "/watch/import", "/watch/import", [:]), ("POST", "/watch/7/mute", "/watch/{id}/mute", ["id": "7"]),
    ])
    func `a route is found by method and path`(
        method: String,
        target: String,
        path: String,
        parameters: [String: String]
    ) throws {
        let (route, found) = try table.find(makeRequest(method, target))
        #expect(route.path.description == path)
        #expect(found == parameters)
    }

    @Test(arguments: [
        "/", "", "/watches", "/watch/", "/watch/7/mute/8", "//watch", "/\u{301}watch/5", "/watch\u{301}/5",
    ])
    func `a path that no route has is not found`(_ target: String) {
        #expect(throws: APIError.routeNotFound) { try table.find(makeRequest("GET", target)) }
    }

    @Test func `a sign with a combining mark behind it still parts a query`() {
        let request = makeRequest("GET", "/watch?a=1&\u{301}b=2&c=\u{301}3&d=%+f")
        #expect(request.parameter("a") == "1" && request.parameter("\u{301}b") == "2")
        #expect(request.parameter("c") == "\u{301}3" && request.parameter("d") == "%+f")
        #expect(request.parameter("b") == nil)
    }

    @Test func `the methods of a path are told to whoever uses another`() {
        #expect(throws: APIError.methodNotAllowed(allowed: "GET, POST")) {
            try table.find(makeRequest("PUT", "/watch"))
        }
    }

    @Test func `a path that is written out takes no method of one with a name in its place`() {
        let table = RouteTable([makeRoute(.post, "/watch/import"), makeRoute(.delete, "/watch/{id}")])
        for method in ["DELETE", "OPTIONS"] {
            #expect(throws: APIError.methodNotAllowed(allowed: "POST")) {
                try table.find(makeRequest(method, "/watch/import"))
            }
        }
    }

    @Test func `every route of the API has names that differ within its path`() {
        for route in RESTAPI.routes { #expect(Set(route.path.names).count == route.path.names.count) }
    }
}

private func makeRoute(_ method: HTTPMethod, _ path: PathPattern) -> APIRoute {
    let description = RouteDescription("test", "Tests.", answers: [.empty("It is done.")], examples: [])
    return APIRoute(method, path, description) { _, _ in HTTPResponse(status: 204) }
}

private func makeRequest(_ method: String, _ target: String) -> HTTPRequest {
    HTTPRequest(
        method: HTTPMethod(rawValue: method),
        origin: HTTPOrigin(scheme: "https", host: "notifier.example"),
        target: target
    )
}
