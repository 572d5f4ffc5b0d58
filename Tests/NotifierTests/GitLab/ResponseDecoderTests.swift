import HTTP
import Platform
import Testing

@testable import Notifier

/// Status and body families of GitLab facts §2, §3 and §16.
struct ResponseDecoderTests {
    @Test(arguments: [
        (#"{"message":"401 Unauthorized"}"#, GitLabError.TokenRejection.unknown),
        (
            #"{"error":"invalid_token","error_description":"Token is expired. You can either do re-authorization"}"#,
            .expired
        ),
        (#"{"error":"invalid_token","error_description":"Token was revoked. You have to re-authorize"}"#, .revoked),
        (#"{"error":"dpop_error"}"#, .other),
    ])
    func `trap 21: the bodies of a 401 are told apart`(body: String, rejection: GitLabError.TokenRejection) {
        #expect(ResponseDecoder.error(in: makeJSON(401, body)) == .unauthorized(rejection))
    }

    @Test(arguments: [
        (#"{"error":"insufficient_scope","scope":"api read_api"}"#, GitLabError.Refusal.scope),
        (#"{"message":"403 Forbidden - Your account has been blocked."}"#, .accountState),
        (#"{"message":"403 Forbidden - You must accept the Terms of Service"}"#, .accountState),
        (#"{"message":"403 Forbidden"}"#, .permission),
        (#"{"message":"403 Forbidden - Not a member"}"#, .permission),
    ])
    func `trap 22: the bodies of a 403 are told apart`(body: String, refusal: GitLabError.Refusal) {
        #expect(ResponseDecoder.error(in: makeJSON(403, body)) == .forbidden(refusal))
    }

    @Test func `trap 23: a missing record is not a missing route`() {
        #expect(ResponseDecoder.error(in: makeJSON(404, #"{"message":"404 Not found"}"#)) == .notFound(isRoute: false))
        #expect(ResponseDecoder.error(in: makeJSON(404, #"{"error":"404 Not Found"}"#)) == .notFound(isRoute: true))
    }

    @Test(arguments: [
        (makeText(502, "GitLab is not responding"), GitLabError.unavailable(status: 502)),
        (makeText(200, "<html>Sign in</html>"), .undecodable(.contentType)),
        (makeText(404, "<html>nginx</html>"), .undecodable(.contentType)),
        (makeJSON(302, ""), .undecodable(.redirect)),
        (makeJSON(408, #"{"message":"408 Request Timeout"}"#), .unavailable(status: 408)),
        (makeJSON(503, #"{"message":"GitLab Maintenance"}"#), .unavailable(status: 503)),
        (makeJSON(400, #"{"error":"action is invalid"}"#), .rejected(status: 400)),
        (makeJSON(401, "not JSON"), .undecodable(.notJSON)),
    ])
    func `trap 24: what is not GitLab's own JSON is no answer`(response: HTTPResponse, error: GitLabError) {
        #expect(ResponseDecoder.error(in: response) == error)
    }

    /// GitLab facts §3: the HTTP limiter answers in text with `Retry-After`, the application limiter in JSON without.
    @Test func `both limiters are recognised, and the pause they name`() {
        let text = makeText(429, "Retry later", [("Retry-After", "3600")])
        #expect(ResponseDecoder.error(in: text) == .rateLimited(retryAfter: .seconds(3_600)))
        let json = makeJSON(429, #"{"message":{"error":"This endpoint has been requested too many times."}}"#)
        #expect(ResponseDecoder.error(in: json) == .rateLimited(retryAfter: nil))
        let dated = makeText(
            429,
            "Retry later",
            [("Date", "Sun, 06 Nov 1994 08:49:37 GMT"), ("Retry-After", "Sun, 06 Nov 1994 08:51:37 GMT")]
        )
        #expect(ResponseDecoder.error(in: dated) == .rateLimited(retryAfter: .seconds(120)))
        let absurd = makeText(429, "", [("Retry-After", "99999999999")])
        #expect(ResponseDecoder.error(in: absurd) == .rateLimited(retryAfter: .hours(24)))
    }

    @Test func `trap 27: of a link only the page number is taken`() {
        let link = """
            <http://internal:8080/api/v4/x?id=9&page=1&per_page=20>; rel="first", \
            <http://internal:8080/api/v4/x?id=9&page=3&per_page=20&private_token=x>; rel="next"
            """
        #expect(ResponseDecoder.nextPage(["Link": link]) == 3)
        #expect(ResponseDecoder.nextPage(["Link": link, "x-next-page": ""]) == nil)
        #expect(ResponseDecoder.nextPage(["X-Next-Page": "2"]) == 2)
        #expect(ResponseDecoder.nextPage([:]) == nil)
    }
}
