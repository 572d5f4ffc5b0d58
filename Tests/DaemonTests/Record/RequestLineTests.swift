import FoundationEssentials
import HTTP
import Platform
import Testing

@testable import Daemon

@Suite struct RequestLineTests {
    private static let gitlab = HTTPOrigin(scheme: "https", host: "git.secret.example")

    private struct Told: Decodable, Equatable {
        var kind: String
        var at: Int64
        var service: String
        var method: String
        var route: String
        var page: Int?
        var ms: Int
        var status: Int?
        var id: String?
        var left: Int?
        var retryAfter: Int?
        var failure: String?
        var sent: String?
    }

    private func tell(
        _ target: String,
        _ outcome: HTTPOutcome = .response(HTTPResponse(status: 200)),
        service: RequestLine.Service = .gitlab
    ) throws -> Told {
        let line = RequestLine(
            at: WallTime(microseconds: 1_700_000_000_000_000),
            service: service,
            request: HTTPRequest(method: .get, origin: Self.gitlab, target: target),
            outcome: outcome,
            length: .milliseconds(12)
        ).json
        #expect(!line.contains("secret") && !line.contains("\n"))
        return try JSONDecoder().decode(Told.self, from: Data(line.utf8))
    }

    @Test func `a line tells where a request went, how it ended and how long it took`() throws {
        let fields: HTTPFields = ["X-Request-Id": "01HW-a5", "RateLimit-Remaining": "1997", "Retry-After": "0"]
        let told = try tell(
            "/api/v4/todos?state=pending&page=3&per_page=100",
            .response(HTTPResponse(status: 429, fields: fields))
        )
        let expected = Told(
            kind: "request",
            at: 1_700_000_000_000_000,
            service: "gitlab",
            method: "GET",
            route: "/api/v4/todos",
            page: 3,
            ms: 12,
            status: 429,
            id: "01HW-a5",
            left: 1_997,
            retryAfter: 0
        )
        #expect(told == expected)
    }

    @Test(arguments: [
        ("/api/v4/projects/17/merge_requests/4/notes?per_page=100", "/api/v4/projects/17/merge_requests/4/notes"),
        ("/api/v4/projects/secret%2Fapp/issues/1", "/api/v4/projects/*/issues/1"),
        ("/3/device/00ff00ff00ff00ff", "/3/device/*"), ("/users/secret", "/*/*"), ("/a\"b\\c/12x#/x", "/*/*"),
        ("/1234567890123456789/007", "/*/*"), ("", "/"), ("?page=1", "/"),
    ])
    func `of a path only known words and numbers are told`(target: String, route: String) throws {
        #expect(try tell(target).route == route)
    }

    @Test(arguments: ["x", "", "007", "-1", "1\"", "99999999999999999999"])
    func `what should be a number and is none is left out`(text: String) throws {
        let fields: HTTPFields = ["RateLimit-Remaining": text, "Retry-After": text]
        let told = try tell("/api/v4/todos?page=\(text)", .response(HTTPResponse(status: 200, fields: fields)))
        #expect(told.page == nil && told.left == nil && told.retryAfter == nil)
    }

    @Test(arguments: ["", "a b", "a\"b", "ä", String(repeating: "a", count: 65)])
    func `an id that is none is left out`(text: String) throws {
        #expect(try tell("/", .response(HTTPResponse(status: 200, fields: ["X-Request-Id": text]))).id == nil)
    }

    @Test(arguments: HTTPFailure.allCases)
    func `a failure says whether the request may have been acted on`(failure: HTTPFailure) throws {
        let unknown = try tell("/", .unknown(failure), service: .apns)
        #expect(unknown.failure == failure.rawValue && unknown.sent == "perhaps" && unknown.status == nil)
        #expect(unknown.service == "apns")
        #expect(try tell("/", .notSent(failure)).sent == "no")
    }
}
