import Crypto
import FoundationEssentials
import HTTP
import Platform

/// A pair of tokens that GitLab has just issued.
struct OAuthTokens: Sendable {
    var access: Secret
    var refresh: Secret
    /// Of the access token.
    var lifetime: Duration
    /// Nil when GitLab did not say.
    var scopes: [String]?
}

/// What a device shows its person, and what this server asks with.
struct DeviceAuthorization: Sendable {
    var deviceCode: Secret
    var userCode: String
    var address: String
    var completeAddress: String?
    var lifetime: Duration
    /// Between two questions.
    var interval: Duration
}

/// Why GitLab's OAuth server issued nothing.
enum OAuthError: Error, Hashable, Sendable {
    /// `invalid_grant`: code or refresh token is unknown, used, revoked or over. Asking again does not help.
    case invalidGrant
    /// The person has not answered yet; with `slowDown` they were asked for too often.
    case pending(slowDown: Bool)
    /// The person said no.
    case denied
    /// The device code is over.
    case expired
    /// GitLab refuses this server's application: `invalid_client`, `invalid_scope` and the like.
    case refused(code: String)
    /// No answer of use: what was asked may have been done or not.
    case notAnswered(GitLabError)
}

/// Asks one GitLab's OAuth server in the name of this server's application (GitLab facts §14). Each call makes one request.
struct OAuthClient: Sendable {
    let application: NotifierSecrets.OAuthApplication
    private let http: any HTTPClient
    private let options: HTTPSendOptions

    init(_ application: NotifierSecrets.OAuthApplication, http: any HTTPClient, requestTimeout: Duration) {
        self.application = application
        self.http = http
        options = HTTPSendOptions(
            connectTimeout: min(requestTimeout, .seconds(10)),
            totalTimeout: requestTimeout,
            responseLimitBytes: 65_536
        )
    }

    /// Where the person's browser goes.
    func authorizationAddress(state: String, challenge: String) -> String {
        let query = FormCoding.text([
            ("client_id", application.clientID), ("redirect_uri", application.redirectURI), ("response_type", "code"),
            ("state", state), ("scope", application.scope), ("code_challenge", challenge),
            ("code_challenge_method", "S256"),
        ])
        return "\(application.origin)/oauth/authorize?\(query)"
    }

    /// The challenge of a verifier (RFC 7636 §4.2).
    static func challenge(of verifier: Secret) -> String {
        Base64URL.encode(SHA256.digest(verifier.exposedBytes))
    }

    /// Exchanges the code that the browser brought back.
    func tokens(code: Secret, verifier: Secret) async throws(OAuthError) -> OAuthTokens {
        try await tokens([
            ("grant_type", "authorization_code"), ("code", code.exposedText),
            ("redirect_uri", application.redirectURI), ("code_verifier", verifier.exposedText),
        ])
    }

    /// Exchanges a refresh token, which is over with that or soon after.
    func tokens(refresh: Secret) async throws(OAuthError) -> OAuthTokens {
        try await tokens([
            ("grant_type", "refresh_token"), ("refresh_token", refresh.exposedText),
            ("redirect_uri", application.redirectURI),
        ])
    }

    /// Asks whether the person at the device has agreed.
    func tokens(deviceCode: Secret) async throws(OAuthError) -> OAuthTokens {
        try await tokens([
            ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", deviceCode.exposedText),
        ])
    }

    /// Ends a grant by its refresh token, with every token that came of it (RFC 7009). What is over already counts as done.
    func revoke(refresh: Secret) async throws(OAuthError) {
        let _: Nothing = try await post(
            "/oauth/revoke",
            [("token", refresh.exposedText), ("token_type_hint", "refresh_token")],
            within: min(options.totalTimeout, .seconds(10))
        )
    }

    private struct Nothing: Decodable {}

    private struct DeviceBody: Decodable {
        var device_code: String
        var user_code: String
        var verification_uri: String
        var verification_uri_complete: String?
        var expires_in: Int64
        var interval: Int64?
    }

    /// Begins the grant for devices without a browser; GitLab before 17.9 answers 404.
    func startDevice() async throws(OAuthError) -> DeviceAuthorization {
        let pairs = [("scope", application.scope)]
        let body: DeviceBody = try await post("/oauth/authorize_device", pairs, isOptional: true)
        try Self.check(body.device_code, body.user_code, body.verification_uri, body.verification_uri_complete ?? "-")
        return DeviceAuthorization(
            deviceCode: Secret(body.device_code),
            userCode: body.user_code,
            address: body.verification_uri,
            completeAddress: body.verification_uri_complete,
            lifetime: .seconds(min(max(body.expires_in, 1), 3_600)),
            interval: .seconds(min(max(body.interval ?? 5, 1), 60))
        )
    }

    private struct TokenBody: Decodable {
        var access_token: String
        var refresh_token: String
        var expires_in: Int64?
        var scope: String?
    }

    private func tokens(_ pairs: [(String, String)]) async throws(OAuthError) -> OAuthTokens {
        let body: TokenBody = try await post("/oauth/token", pairs)
        try Self.check(body.access_token, body.refresh_token)
        return OAuthTokens(
            access: Secret(body.access_token),
            refresh: Secret(body.refresh_token),
            // Two hours, always (GitLab facts §14).
            lifetime: .seconds(min(max(body.expires_in ?? 7_200, 60), 86_400)),
            scopes: body.scope.map { $0.split(separator: " ").map(String.init) }
        )
    }

    /// A 404, which is a page for people, tells of an older GitLab where the address `isOptional`.
    private func post<Body: Decodable>(
        _ target: String,
        _ pairs: [(String, String)],
        isOptional: Bool = false,
        within limit: Duration? = nil
    ) async throws(OAuthError) -> Body {
        var pairs = pairs + [("client_id", application.clientID)]
        if let secret = application.clientSecret { pairs.append(("client_secret", secret.exposedText)) }
        let request = HTTPRequest(
            method: .post,
            origin: application.origin,
            target: target,
            fields: ["Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"],
            body: Array(FormCoding.text(pairs).utf8)
        )
        var options = options
        if let limit { options.totalTimeout = limit }
        switch await http.send(request, options: options) {
        case .response(let response) where isOptional && response.status == 404:
            throw .notAnswered(.notFound(isRoute: true))
        case .response(let response): return try Self.read(response)
        case .notSent(let failure), .unknown(let failure): throw .notAnswered(.unreachable(failure))
        }
    }

    /// What is stored has a bound: tokens of GitLab have some hundred bytes at most.
    private static func check(_ texts: String...) throws(OAuthError) {
        guard texts.allSatisfy({ (1...4_096).contains($0.utf8.count) }) else {
            throw .notAnswered(.undecodable(.unexpectedShape))
        }
    }

    private struct ErrorBody: Decodable {
        var error: String
    }

    private static func read<Body: Decodable>(_ response: HTTPResponse) throws(OAuthError) -> Body {
        // What is no JSON, or no status of OAuth's, comes from somebody in between.
        if [400, 401, 403].contains(response.status), ResponseDecoder.isJSON(response),
            let body = try? JSONDecoder().decode(ErrorBody.self, from: Data(response.body))
        {
            throw error(body.error)
        }
        if let error = ResponseDecoder.error(in: response) { throw .notAnswered(error) }
        guard let body = try? JSONDecoder().decode(Body.self, from: Data(response.body)) else {
            throw .notAnswered(.undecodable(.unexpectedShape))
        }
        return body
    }

    private static func error(_ code: String) -> OAuthError {
        switch code {
        case "invalid_grant": .invalidGrant
        case "authorization_pending": .pending(slowDown: false)
        case "slow_down": .pending(slowDown: true)
        case "access_denied": .denied
        case "expired_token": .expired
        case "invalid_client", "invalid_scope", "invalid_request", "unauthorized_client", "unsupported_grant_type":
            .refused(code: code)
        default: .refused(code: "other")
        }
    }
}

/// Queries and form bodies: `application/x-www-form-urlencoded`, with everything encoded that is not unreserved (RFC 3986 §2.3).
enum FormCoding {
    static func text(_ pairs: [(String, String)]) -> String {
        pairs.map { "\(encode($0.0))=\(encode($0.1))" }.joined(separator: "&")
    }

    private static func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes.append(UInt8(ascii: "%"))
                bytes.append(Self.digits[Int(byte >> 4)])
                bytes.append(Self.digits[Int(byte & 15)])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}
