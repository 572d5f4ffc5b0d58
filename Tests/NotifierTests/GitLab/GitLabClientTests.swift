import Crypto
import HTTP
import Platform
import Synchronization
import Testing

@testable import Notifier

/// Gives one answer to everything and keeps the requests.
private final class OneResponse: HTTPClient {
    private let outcome: HTTPOutcome
    private let kept = Mutex<[HTTPRequest]>([])
    var requests: [HTTPRequest] { kept.withLock { $0 } }

    init(_ response: HTTPResponse) { outcome = .response(response) }
    init(_ outcome: HTTPOutcome) { self.outcome = outcome }

    func send(_ request: HTTPRequest, options: HTTPSendOptions) async -> HTTPOutcome {
        kept.withLock { $0.append(request) }
        return outcome
    }
}

/// Gives an answer for which there may be no room, and keeps how long it might have taken.
private final class LargeResponse: HTTPClient {
    private let kept = Mutex<[Duration]>([])
    var timeouts: [Duration] { kept.withLock { $0 } }

    func send(_ request: HTTPRequest, options: HTTPSendOptions) async -> HTTPOutcome {
        kept.withLock { $0.append(options.totalTimeout) }
        guard options.bodyMeter?.take(5_000) != false else { return .unknown(.responseTooLarge) }
        return .response(makeJSON(200, #"{"id":1,"username":"u","name":"n"}"#))
    }
}

struct GitLabClientTests {
    private func makeClient(_ http: any HTTPClient) -> GitLabClient {
        GitLabClient(
            origin: HTTPOrigin(scheme: "https", host: "gitlab.example.com"),
            credential: .personalAccessToken(Secret("glpat-1")),
            http: http
        )
    }

    private func notes(_ http: any HTTPClient) async throws -> PageResponse<NoteRow> {
        let client = makeClient(http)
        let item = ItemReference(project: ProjectID(rawValue: 1), kind: .issue, iid: 3)
        return try await client.page(1, as: NoteRow.self, by: client.list(.notes(item)).firstPage)
    }

    @Test func `trap 1: notes are asked for newest first and with no parameter that does not exist`() async throws {
        let http = OneResponse(makeJSON(200, "[]"))
        _ = try await notes(http)
        let target = http.requests.first?.target
        #expect(target == "/api/v4/projects/1/issues/3/notes?order_by=created_at&sort=desc&per_page=100")
        #expect(http.requests.first?.fields["PRIVATE-TOKEN"] == "glpat-1")
        #expect(http.requests.first?.fields["Accept"] == "application/json")
    }

    @Test func `an object where a list belongs is no empty list`() async throws {
        await #expect(throws: GitLabError.undecodable(.notAnArray)) {
            _ = try await notes(OneResponse(makeJSON(200, #"{"message":"hello"}"#)))
        }
        await #expect(throws: GitLabError.undecodable(.notJSON)) {
            _ = try await notes(OneResponse(makeJSON(200, "")))
        }
        await #expect(throws: GitLabError.undecodable(.notJSON)) {
            _ = try await notes(OneResponse(makeJSON(200, #"[{"id":1,"#)))
        }
        await #expect(throws: GitLabError.undecodable(.unexpectedShape)) {
            _ = try await notes(OneResponse(makeJSON(200, #"[{"body":"no id"}]"#)))
        }
    }

    /// As little as a note may say.
    private static let row = #"{"id":1,"body":"","author":null,"created_at":null,"system":false}"#

    @Test func `a page with more rows than were asked for is refused`() async throws {
        let rows = { (count: Int) in "[" + Array(repeating: Self.row, count: count).joined(separator: ",") + "]" }
        guard case .page(let page) = try await notes(OneResponse(makeJSON(200, rows(100)))) else {
            Issue.record("as many as were asked for are a page")
            return
        }
        #expect(page.rows.count == 100)
        await #expect(throws: GitLabError.undecodable(.outOfBounds)) {
            _ = try await notes(OneResponse(makeJSON(200, rows(101))))
        }
        let nested = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
        await #expect(throws: GitLabError.undecodable(.outOfBounds)) {
            _ = try await notes(OneResponse(makeJSON(200, #"[{"id":1,"body":\#(nested)}]"#)))
        }
        let refusal = #"{"message":"\#(String(repeating: "x", count: 100_000))"}"#
        await #expect(throws: GitLabError.undecodable(.outOfBounds)) {
            _ = try await notes(OneResponse(makeJSON(404, refusal)))
        }
        await #expect(throws: GitLabError.undecodable(.outOfBounds)) {
            _ = try await notes(OneResponse(makeJSON(404, #"{"message":\#(nested)}"#)))
        }
    }

    @Test(arguments: [(20, true), (21, false)])
    func `who does not say how many rows gets twenty`(count: Int, isPage: Bool) async throws {
        let rows = Array(repeating: Self.row, count: count).joined(separator: ",")
        let client = makeClient(OneResponse(makeJSON(200, "[\(rows)]")))
        let request = HTTPRequest(
            method: .get,
            origin: HTTPOrigin(scheme: "https", host: "gitlab.example.com"),
            target: "/api/v4/todos"
        )
        let answer = try? await client.page(1, as: NoteRow.self, by: request)
        #expect((answer != nil) == isPage)
    }

    @Test func `an answer without room is asked for once more in its turn, which is short`() async throws {
        let http = LargeResponse()
        let item = ItemReference(project: ProjectID(rawValue: 1), kind: .issue, iid: 3)
        let client = GitLabClient(
            origin: HTTPOrigin(scheme: "https", host: "gitlab.example.com"),
            credential: .personalAccessToken(Secret("glpat-1")),
            http: http,
            answers: ResponseBudget(time: ManualTime(), sharedBytes: 100)
        )
        #expect(try await client.currentUser().username == "u")
        #expect(http.timeouts == [.seconds(30), ResponseBudget.turnTime])
        // What changes something is not asked for twice.
        await #expect(throws: GitLabError.crowded) { _ = try await client.setSubscribed(true, to: item) }
        #expect(http.timeouts.count == 3)
    }

    @Test func `an entity tag of any length is not remembered`() async throws {
        let tag = String(repeating: "x", count: 10_000)
        guard case .page(let page) = try await notes(OneResponse(makeJSON(200, "[]", [("ETag", tag)]))) else { return }
        #expect(page.head.entityTag == nil)
    }

    @Test(arguments: ["1", "0", "-1", "9223372036854775807"])
    func `a next page that is not behind this one, or behind all lists, is refused`(next: String) async throws {
        await #expect(throws: GitLabError.undecodable(.unexpectedShape)) {
            _ = try await notes(OneResponse(makeJSON(200, "[]", [("X-Next-Page", next)])))
        }
    }

    @Test func `no answer is an error of its own`() async throws {
        await #expect(throws: GitLabError.unreachable(.connectionRefused)) {
            _ = try await notes(OneResponse(.notSent(.connectionRefused)))
        }
        await #expect(throws: GitLabError.unreachable(.timedOut)) {
            _ = try await notes(OneResponse(.unknown(.timedOut)))
        }
    }

    /// GitLab facts §1, §8: null booleans, unknown fields, ids over 2^31, a deleted author.
    @Test func `rows are read leniently`() async throws {
        let json = """
            [{"id":9223372036854775000,"type":null,"body":null,"author":null,"system":null,"created_at":"nonsense",
              "new_field":{"a":[1]},"imported":null}]
            """
        let answer = try await notes(OneResponse(makeJSON(200, json)))
        guard case .page(let page) = answer, let row = page.rows.first else {
            Issue.record("a page was expected")
            return
        }
        #expect(row == NoteRow(id: 9_223_372_036_854_775_000, body: "", author: nil, createdAt: nil))
    }

    /// What GitLab leaves out for a while, as behind a gateway that rewrites answers, has to be news when it is there again: a row that was
    /// read without it would be known and never told.
    @Test(arguments: [
        (#""id":1"#, #""id":"1""#), (#""body":"Hm""#, #""body":{"text":"Hm"}"#),
        (#""author":{"id":9,"username":"ben","name":"Ben"}"#, #""author":"ben""#),
        (#""created_at":"2027-01-15T08:00:00.000Z""#, #""created_at":1800000000"#),
        (#""system":true"#, #""system":"yes""#),
    ])
    func `a note without what every GitLab writes is none`(member: String, changed: String) async throws {
        let whole = """
            {"new":[],"id":1,"body":"Hm","author":{"id":9,"username":"ben","name":"Ben"},\
            "created_at":"2027-01-15T08:00:00.000Z","system":true}
            """
        guard case .page(let page) = try await notes(OneResponse(makeJSON(200, "[\(whole)]"))) else {
            Issue.record("a page was expected")
            return
        }
        #expect(page.rows.map(\.isSystem) == [true])
        for other in [changed, #""another":1"#] {
            let row = whole.replacing(member, with: other)
            try #require(row != whole)
            await #expect(throws: GitLabError.undecodable(.unexpectedShape), "\(other)") {
                _ = try await notes(OneResponse(makeJSON(200, "[\(row)]")))
            }
        }
    }

    @Test func `the version stands at the old address where the new one is missing`() async throws {
        let gitlab = MiniGitLab()
        gitlab.trouble { request in
            request.path == "/api/v4/version"
                ? .response(makeJSON(200, #"{"version":"15.1.0","revision":"abc"}"#))
                : .response(makeJSON(404, #"{"error":"404 Not Found"}"#))
        }
        #expect(try await makeClient(gitlab).metadata().version == "15.1.0")
    }

    @Test func `an item's project path comes from its full reference`() async throws {
        let json = """
            {"id":900,"iid":847,"project_id":1,"title":"Fix it","state":"opened","web_url":"https://x/847",
             "references":{"short":"!847","full":"team/backend!847"},"moved_to_id":null}
            """
        let item = ItemReference(project: ProjectID(rawValue: 1), kind: .mergeRequest, iid: 847)
        let details = try await makeClient(OneResponse(makeJSON(200, json))).item(item)
        #expect(details.projectPath == "team/backend")
        #expect(details.title == "Fix it")
        #expect(details.movedToID == nil)
    }

    @Test func `a token says what it may and until when`() async throws {
        let json = #"{"id":1,"scopes":["read_api","read_user"],"active":true,"user_id":7,"expires_at":"2027-01-01"}"#
        let token = try await makeClient(OneResponse(makeJSON(200, json))).personalAccessTokenSelf()
        #expect(token.scopes == ["read_api", "read_user"])
        #expect(token.expiresOn == "2027-01-01")
    }
}
