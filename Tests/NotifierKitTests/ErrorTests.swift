import FoundationEssentials
import Testing

@testable import NotifierKit

/// What a person is told when something fails.
struct ErrorTests {
    private static let server = try? ServerAddress("https://notifier.example.com")

    @Test(arguments: [
        (422, "gitlab_token_refused", "GitLab session expired. Please reconnect your account."),
        (404, "item_not_found", "This item no longer exists or you don't have access to it."),
        (503, "gitlab_rate_limited", "GitLab is rate limiting requests. Notifications may be delayed."),
        (503, "gitlab_unavailable", "GitLab is temporarily unavailable. We'll keep trying."),
        (502, "gitlab_unreachable", "GitLab is temporarily unavailable. We'll keep trying."),
        (401, "session_expired", "Session expired. Please sign in again."),
        (500, "internal", "Something went wrong on our end. Try again in a moment."),
        (503, "database_unavailable", "Something went wrong on our end. Try again in a moment."),
    ])
    func `a refusal is told in the words of the catalogue`(status: Int, code: String, message: String) throws {
        let error = try Self.error(.refusal(status, code))
        #expect(error.message == message && error.code == code && error.status == status)
        #expect(error.hint == "What to do.")
    }

    @Test(arguments: [
        (409, "watch_limit"), (422, "gitlab_scope_missing"), (403, "gitlab_forbidden"), (429, "rate_limited"),
        (401, "refresh_token_reused"), (502, "oauth_misconfigured"),
    ])
    func `what stands in no row of the catalogue is told in the server's words`(status: Int, code: String) throws {
        #expect(try Self.error(.refusal(status, code)).message == "What is wrong.")
    }

    @Test(arguments: [
        (422, "gitlab_token_refused", NotifierError.Kind.refused), (404, "watch_not_found", .refused),
        (503, "busy", .unavailable), (429, "rate_limited", .unavailable), (401, "session_invalid", .signedOut),
        (502, "oauth_misconfigured", .refused),
    ])
    func `a refusal says whether asking again helps`(status: Int, code: String, kind: NotifierError.Kind) throws {
        let error = try Self.error(.refusal(status, code))
        #expect(error.kind == kind && error.isTemporary == (kind == .unavailable))
    }

    @Test func `a server says how long to wait, a day at most`() throws {
        func pause(_ text: String) throws -> Duration? {
            try Self.error(.refusal(429, "rate_limited", fields: [HeaderField("retry-after", text)])).retryAfter
        }
        #expect(try pause("17") == .seconds(17))
        #expect(try pause("999999999999") == .seconds(86_400))
        #expect(try pause("-1") == nil)
        #expect(try pause("Wed, 21 Oct 2026 07:28:00 GMT") == nil)
    }

    @Test func `a gateway's page is trouble of the server, another page is not this server at all`() throws {
        let gateway = try Self.error(.json(502, "<html>Bad gateway</html>"))
        #expect(gateway.kind == .unavailable && gateway.message == ErrorCatalogue.serverFailed.message)
        #expect(try Self.error(.json(404, "<html>Not found</html>")).kind == .unreadable)
        #expect(try Self.error(.json(302, "")).kind == .unreadable)
    }

    @Test func `without a network the words are those of the catalogue`() throws {
        let server = try #require(Self.server)
        let error = NotifierError(TransportFailure.offline, to: server)
        #expect(error.message == "No internet connection. Changes will sync when you're back online.")
        for failure in TransportFailure.allCases {
            let error = NotifierError(failure, to: server)
            #expect(error.isTemporary && !error.message.isEmpty)
        }
    }

    @Test(arguments: [
        ("https://Notifier.example.com/", "https://notifier.example.com"),
        ("notifier.example.com", "https://notifier.example.com"), ("https://a:8443", "https://a:8443"),
        ("https://a:443", "https://a"), ("http://localhost:8080", "http://localhost:8080"),
        ("https://[::1]:8443", "https://[::1]:8443"), ("http://127.0.0.1", "http://127.0.0.1"),
    ])
    func `an address is read in the one form that it has`(text: String, address: String) throws {
        #expect(try ServerAddress(text).description == address)
    }

    @Test(arguments: [
        "", "https://", "https://a/path", "https://user@a", "ftp://a", "https://a:0", "https://a:x", "https://a b",
        "https://[::1", "https://a:b:1", "https://a?x",
    ])
    func `what is no address is none`(text: String) {
        #expect(throws: ServerAddress.Failure.malformed) { try ServerAddress(text) }
    }

    @Test func `a session does not go over a network in the clear, unless that is wanted`() throws {
        #expect(throws: ServerAddress.Failure.plainHTTP) { try ServerAddress("http://notifier.example.com") }
        let address = try ServerAddress("http://notifier.example.com:8080", allowsPlainHTTP: true)
        #expect(address.description == "http://notifier.example.com:8080")
    }

    private static func error(_ answer: Result<TransportResponse, TransportFailure>) throws -> NotifierError {
        NotifierError(refusal: try answer.get(), from: try #require(server))
    }
}
