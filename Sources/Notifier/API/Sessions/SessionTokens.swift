import Crypto
import FoundationEssentials
import JSON
import Platform

/// What an access token says.
struct SessionClaims: Equatable, Sendable {
    /// The account's public id.
    var account: String
    /// The session's public id.
    var session: String
    /// The public id of the device, when the session belonged to one at the time.
    var device: String?
    /// Of the account's sessions: a person who ends all of them begins another.
    var generation: Int64
    /// In which pair of the session's tokens it was given.
    var rotation: Int64
}

/// Makes and checks the access tokens of the REST API: JWTs signed with HMAC-SHA-256 (RFC 7519, RFC 7515).
struct SessionTokens: Sendable {
    /// The one header there is: whatever claims another algorithm is none of these tokens (RFC 8725 §3.1).
    private static let header = Base64URL.encode(Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8))

    private struct Claims: Codable {
        var sub: String
        var sid: String
        var dev: String?
        var gen: Int64
        var rot: Int64
        var iat: Int64
        var exp: Int64
    }

    private let key: Secret
    private let lifetime: Duration

    init(key: Secret, lifetime: Duration) {
        self.key = key
        self.lifetime = lifetime
    }

    /// A token that says `claims`, and when it ends.
    func issue(_ claims: SessionClaims, at now: WallTime) throws -> (token: String, expiresAt: WallTime) {
        let end = now.advanced(by: lifetime)
        let written = Claims(
            sub: claims.account,
            sid: claims.session,
            dev: claims.device,
            gen: claims.generation,
            rot: claims.rotation,
            iat: now.secondsSinceEpoch,
            exp: end.secondsSinceEpoch
        )
        let signed = try Self.header + "." + Self.part(written)
        let code = HMACSHA256.code(for: Array(signed.utf8), key: key)
        return (signed + "." + Base64URL.encode(code), WallTime(secondsSinceEpoch: end.secondsSinceEpoch))
    }

    /// What a valid token says. Whether its session is still there is another question.
    ///
    /// - Throws: `APIError.sessionInvalid`, or `sessionExpired` for one that was valid.
    func verify(_ token: Substring, at now: WallTime) throws(APIError) -> SessionClaims {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == Self.header, let code = Base64URL.decode(parts[2]) else {
            throw .sessionInvalid
        }
        let signed = Array(parts[0].utf8) + [UInt8(ascii: ".")] + Array(parts[1].utf8)
        guard HMACSHA256.isValid(code, for: signed, key: key) else { throw .sessionInvalid }
        // The signature is ours, so what is inside can be trusted.
        guard let claims: Claims = Self.value(parts[1]) else { throw .sessionInvalid }
        guard now.secondsSinceEpoch < claims.exp else { throw .sessionExpired }
        return SessionClaims(
            account: claims.sub,
            session: claims.sid,
            device: claims.dev,
            generation: claims.gen,
            rotation: claims.rot
        )
    }

    private static func part(_ value: some Encodable) throws -> String {
        Base64URL.encode(try DeterministicJSON.bytes(value))
    }

    private static func value<Value: Decodable>(_ part: Substring) -> Value? {
        Base64URL.decode(part).flatMap { try? JSONDecoder().decode(Value.self, from: Data($0)) }
    }
}
