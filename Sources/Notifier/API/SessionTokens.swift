import Crypto
import FoundationEssentials
import Platform

/// Makes and checks the session tokens of the REST API: JWTs signed with HMAC-SHA-256 that name an account.
struct SessionTokens: Sendable {
    private struct Header: Codable {
        var alg: String
        var typ: String?
    }

    private struct Claims: Codable {
        var sub: String
        var iat: Int64
        var exp: Int64
    }

    private let key: Secret
    private let lifetime: Duration

    init(key: Secret, lifetime: Duration) {
        self.key = key
        self.lifetime = lifetime
    }

    /// A token for the account known by `publicID`, and when it ends.
    func issue(for publicID: String, at now: WallTime) throws -> (token: String, expiresAt: WallTime) {
        let end = now.advanced(by: lifetime)
        let claims = Claims(sub: publicID, iat: now.secondsSinceEpoch, exp: end.secondsSinceEpoch)
        let signed = try Self.part(Header(alg: "HS256", typ: "JWT")) + "." + Self.part(claims)
        let code = HMACSHA256.code(for: Array(signed.utf8), key: key)
        return (signed + "." + Base64URL.encode(code), WallTime(secondsSinceEpoch: end.secondsSinceEpoch))
    }

    /// The account's public id in a valid token.
    ///
    /// - Throws: `APIError.sessionInvalid`, or `sessionExpired` for one that was valid.
    func verify(_ token: Substring, at now: WallTime) throws(APIError) -> String {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let code = Base64URL.decode(parts[2]) else { throw .sessionInvalid }
        let signed = Array(parts[0].utf8) + [UInt8(ascii: ".")] + Array(parts[1].utf8)
        guard HMACSHA256.isValid(code, for: signed, key: key) else { throw .sessionInvalid }
        // The signature is ours, so what is inside can be trusted; only the algorithm is checked, as RFC 8725 §3.1 asks.
        guard let header: Header = Self.value(parts[0]), header.alg == "HS256",
            let claims: Claims = Self.value(parts[1])
        else { throw .sessionInvalid }
        guard now.secondsSinceEpoch < claims.exp else { throw .sessionExpired }
        return claims.sub
    }

    private static func part(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Base64URL.encode(Array(try encoder.encode(value)))
    }

    private static func value<Value: Decodable>(_ part: Substring) -> Value? {
        Base64URL.decode(part).flatMap { try? JSONDecoder().decode(Value.self, from: Data($0)) }
    }
}
