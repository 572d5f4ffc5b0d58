import HTTP
import Platform

/// Why a request to the REST API was refused. Codes never change meaning; wording may.
enum APIError: Error, Equatable, Sendable {
    case invalidJSON
    case invalidField(String, expected: String)
    case sessionMissing, sessionInvalid, sessionExpired
    case routeNotFound
    case methodNotAllowed(allowed: String)
    case bodyTooLarge(limit: Int), targetTooLong(limit: Int), headersTooLarge(limit: Int)
    case watchNotFound, itemNotFound
    case watchLimitReached(limit: Int), deviceLimitReached(limit: Int)
    case gitLabTokenRefused(code: String), gitLabScopeMissing(found: [String]), gitLabAccountRefused
    case gitLabPermissionMissing
    case gitLabNotFound, gitLabUnreachable(String), gitLabUnreadable(String), gitLabUnavailable(String)
    case gitLabRateLimited(retryAfter: Duration?)
    case busy
    case changedMeanwhile
    case internalFailure
}

extension APIError {
    /// How the error shows: the one table from error to HTTP.
    struct Presentation: Equatable, Sendable {
        var status: Int
        var code: String
        var message: String
        var hint: String

        init(_ status: Int, _ code: String, _ message: String, _ hint: String) {
            self.status = status
            self.code = code
            self.message = message
            self.hint = hint
        }
    }

    var presentation: Presentation {
        switch self {
        case .invalidJSON, .invalidField, .routeNotFound, .methodNotAllowed, .bodyTooLarge, .targetTooLong,
            .headersTooLarge, .busy, .changedMeanwhile, .internalFailure:
            requestPresentation
        case .sessionMissing, .sessionInvalid, .sessionExpired, .watchNotFound, .watchLimitReached, .deviceLimitReached:
            ownPresentation
        case .gitLabTokenRefused, .gitLabScopeMissing, .gitLabAccountRefused, .gitLabPermissionMissing, .itemNotFound:
            gitLabRefusalPresentation
        case .gitLabNotFound, .gitLabUnreachable, .gitLabUnreadable, .gitLabUnavailable, .gitLabRateLimited:
            gitLabTroublePresentation
        }
    }

    private var requestPresentation: Presentation {
        switch self {
        case .invalidJSON:
            .init(400, "invalid_json", "The request body is not a JSON object.", "Send one JSON object as UTF-8.")
        case .invalidField(let name, let expected):
            .init(400, "invalid_field", "\"\(name)\" is not valid.", "\"\(name)\" must be \(expected).")
        case .routeNotFound:
            .init(404, "not_found", "There is nothing at this path.", "Check the path against the API's documentation.")
        case .methodNotAllowed(let allowed):
            .init(405, "method_not_allowed", "This path does not take this method.", "Use \(allowed).")
        case .bodyTooLarge(let limit):
            .init(413, "body_too_large", "The request body is too large.", "Send at most \(limit) bytes.")
        case .targetTooLong(let limit):
            .init(414, "target_too_long", "The path and query are too long.", "Send at most \(limit) bytes.")
        case .headersTooLarge(let limit):
            .init(431, "headers_too_large", "The header fields are too large.", "Send at most \(limit) bytes.")
        case .busy:
            .init(503, "busy", "The server is busy with other registrations.", "Try again in a moment.")
        case .changedMeanwhile:
            .init(409, "changed_meanwhile", "The account changed during the request.", "Send the request again.")
        default:
            .init(500, "internal", "Something went wrong on our end.", "Try again in a moment.")
        }
    }

    private var ownPresentation: Presentation {
        switch self {
        case .sessionMissing:
            .init(
                401,
                "session_missing",
                "This request needs a session.",
                "Send the token of POST /auth/register as Bearer."
            )
        case .sessionExpired:
            .init(401, "session_expired", "Session expired. Please sign in again.", "Register again for a new token.")
        case .watchNotFound:
            .init(404, "watch_not_found", "This watch list has no such entry.", "GET /watch lists the entries.")
        case .watchLimitReached(let limit):
            .init(409, "watch_limit", "The watch list is full.", "Remove an entry; \(limit) are allowed.")
        case .deviceLimitReached(let limit):
            .init(409, "device_limit", "Too many devices are registered.", "\(limit) are allowed.")
        default:
            .init(401, "session_invalid", "The session is not valid.", "Register again for a new token.")
        }
    }

    /// GitLab answered, and does not let this account have what it asked for.
    private var gitLabRefusalPresentation: Presentation {
        switch self {
        case .itemNotFound:
            .init(
                404,
                "item_not_found",
                "This item no longer exists or you don't have access to it.",
                "Check project, kind and number in GitLab."
            )
        case .gitLabTokenRefused(let code):
            .init(
                422,
                "gitlab_token_refused",
                "GitLab session expired. Please reconnect your account.",
                "GitLab refused the token (\(code)); make a new one with the scope read_api."
            )
        case .gitLabScopeMissing(let found):
            .init(
                422,
                "gitlab_scope_missing",
                "Your token is missing required permissions. Ensure it has `read_api` scope.",
                found.isEmpty
                    ? "Make a token with the scope read_api." : "It has only: \(found.joined(separator: ", "))."
            )
        case .gitLabAccountRefused:
            .init(
                422,
                "gitlab_account_refused",
                "GitLab does not let this account use its API.",
                "Sign in to GitLab: the account may be blocked, or terms wait to be accepted."
            )
        case .gitLabPermissionMissing:
            .init(403, "gitlab_forbidden", "GitLab does not let you read this.", "Ask for access to the project.")
        default: requestPresentation
        }
    }

    /// GitLab gave no answer of use to anyone.
    private var gitLabTroublePresentation: Presentation {
        switch self {
        case .gitLabNotFound:
            .init(
                422,
                "not_gitlab",
                "There is no GitLab API at this address.",
                "Give the address of the instance, such as https://gitlab.example.com, without a path."
            )
        case .gitLabRateLimited:
            .init(
                503,
                "gitlab_rate_limited",
                "GitLab is rate limiting requests. Notifications may be delayed.",
                "Try again later."
            )
        case .gitLabUnavailable(let code):
            .init(
                503,
                "gitlab_unavailable",
                "GitLab is temporarily unavailable.",
                "Nothing was changed (\(code)). Try again in a moment."
            )
        case .gitLabUnreachable(let code):
            .init(
                502,
                "gitlab_unreachable",
                "GitLab cannot be reached from this server.",
                "Check the address and the network (\(code)). Nothing was changed."
            )
        case .gitLabUnreadable(let code):
            .init(
                502,
                "gitlab_unreadable",
                "The answer is not what GitLab's API gives.",
                "Check that the address leads to GitLab and not to a sign-in page (\(code)). Nothing was changed."
            )
        default: requestPresentation
        }
    }

    /// The header fields beside the object.
    var fields: HTTPFields {
        switch self {
        case .methodNotAllowed(let allowed): ["Allow": allowed]
        case .sessionMissing, .sessionInvalid, .sessionExpired: ["WWW-Authenticate": "Bearer"]
        case .gitLabRateLimited(let pause): ["Retry-After": String(max(1, pause?.components.seconds ?? 60))]
        case .busy: ["Retry-After": "1"]
        default: [:]
        }
    }
}

extension APIError {
    /// What a failure to read GitLab means to the caller. `notFound` is what a 404 stands for where it was asked.
    init(_ error: GitLabError, notFound: APIError) {
        switch error {
        case .unauthorized: self = .gitLabTokenRefused(code: error.code)
        case .forbidden(.scope): self = .gitLabScopeMissing(found: [])
        case .forbidden(.accountState): self = .gitLabAccountRefused
        case .forbidden(.permission): self = .gitLabPermissionMissing
        case .notFound: self = notFound
        case .rateLimited(let pause): self = .gitLabRateLimited(retryAfter: pause)
        case .unavailable, .unstable, .tooManyPages: self = .gitLabUnavailable(error.code)
        case .unreachable: self = .gitLabUnreachable(error.code)
        default: self = .gitLabUnreadable(error.code)
        }
    }
}
