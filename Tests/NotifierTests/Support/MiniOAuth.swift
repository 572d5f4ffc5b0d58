import FoundationEssentials
import HTTP
import Synchronization

@testable import Notifier

/// GitLab's OAuth server as far as a test needs it: every renewal gives another pair, and the tokens of old are over.
final class MiniOAuth: Sendable {
    private struct State {
        var generation = 0
        var renewals = 0
        var revocations: [String] = []
        var trouble: HTTPOutcome?
    }

    private let state = Mutex(State())

    /// The pair that counts now.
    var access: String { "access-\(state.withLock { $0.generation })-s3cr3t" }
    var refresh: String { "refresh-\(state.withLock { $0.generation })-s3cr3t" }
    /// Requests for a pair.
    var renewals: Int { state.withLock { $0.renewals } }

    /// Forms of requests that ended a grant.
    var revocations: [String] { state.withLock { $0.revocations } }

    /// Answers every request for a pair instead, until nil; with `isLost` GitLab has given the pair nevertheless.
    func trouble(_ outcome: HTTPOutcome?) { state.withLock { $0.trouble = outcome } }

    /// As an answer that was lost: the pair in hand is over.
    func skip() { state.withLock { $0.generation += 1 } }

    /// Answers for GitLab, also for the lists of `gitlab`, which see requests with the right token only.
    func answer(_ request: HTTPRequest, scope: String = "read_api") -> HTTPOutcome? {
        if request.path == "/oauth/token" { return token(request, scope: scope) }
        if request.path == "/oauth/revoke" { return revoke(request) }
        guard let field = request.fields["Authorization"] else { return nil }
        guard field == "Bearer \(access)" else {
            let text = "Token is expired. You can either do re-authorization or token refresh."
            return .response(makeJSON(401, #"{"error":"invalid_token","error_description":"\#(text)"}"#))
        }
        return nil
    }

    private func revoke(_ request: HTTPRequest) -> HTTPOutcome {
        state.withLock { state in
            state.revocations.append(String(decoding: request.body, as: UTF8.self))
            return state.trouble ?? .response(makeJSON(200, "{}"))
        }
    }

    private func token(_ request: HTTPRequest, scope: String) -> HTTPOutcome {
        let form = String(decoding: request.body, as: UTF8.self)
        let current = refresh
        return state.withLock { state in
            state.renewals += 1
            if let trouble = state.trouble { return trouble }
            if form.contains("grant_type=refresh_token"), !form.contains("refresh_token=\(current)&") {
                return .response(makeJSON(400, #"{"error":"invalid_grant","error_description":"over"}"#))
            }
            if form.contains("code=wrong") { return .response(makeJSON(400, #"{"error":"invalid_grant"}"#)) }
            state.generation += 1
            let body = """
                {"access_token":"access-\(state.generation)-s3cr3t","refresh_token":"refresh-\(state.generation)-s3cr3t",\
                "token_type":"bearer","expires_in":7200,"scope":"\(scope)","created_at":1}
                """
            return .response(makeJSON(200, body))
        }
    }
}
