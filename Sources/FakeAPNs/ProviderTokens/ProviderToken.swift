import Crypto
import FoundationEssentials
import Platform

/// A provider token taken apart: three base64url segments, of which the first two hold JSON (APNs facts §7).
struct ProviderToken {
    let keyID: String
    let teamID: String
    let issuedAt: WallTime
    let signature: [UInt8]
    /// What the signature covers: the first two segments with the dot between them.
    let signedBytes: [UInt8]

    /// Nil when `text` is not an ES256 token with `kid`, `iss` and `iat`.
    init?(_ text: String) {
        let segments = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 4_096, segments.count == 3,
            let header: Header = Self.decode(segments[0]), header.alg == "ES256", !header.kid.isEmpty,
            let claims: Claims = Self.decode(segments[1]), !claims.iss.isEmpty,
            let signature = Base64URL.decode(String(segments[2]))
        else { return nil }
        keyID = header.kid
        teamID = claims.iss
        issuedAt = claims.iat.time
        self.signature = signature
        signedBytes = Array((segments[0] + "." + segments[1]).utf8)
    }

    private static func decode<Value: Decodable>(_ segment: Substring) -> Value? {
        guard let bytes = Base64URL.decode(String(segment)) else { return nil }
        return try? JSONDecoder().decode(Value.self, from: Data(bytes))
    }

    private struct Header: Decodable {
        let alg: String
        let kid: String
    }

    private struct Claims: Decodable {
        let iss: String
        let iat: IssuedAt
    }
}

/// `iat` in every form seen in the field: integer, float, numeric string (APNs facts §7).
struct IssuedAt: Decodable {
    let time: WallTime

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let seconds = try? container.decode(Int64.self) {
            time = try Self.time(Double(seconds), container)
        } else if let seconds = try? container.decode(Double.self) {
            time = try Self.time(seconds, container)
        } else {
            time = try Self.time(Double(container.decode(String.self)), container)
        }
    }

    /// Seconds up to the year 5138; anything beyond is no time at all.
    private static func time(_ seconds: Double?, _ container: any SingleValueDecodingContainer) throws -> WallTime {
        guard let seconds, seconds.isFinite, abs(seconds) < 100_000_000_000 else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "iat is not a number of seconds")
        }
        return WallTime(microseconds: Int64((seconds * 1_000_000).rounded()))
    }
}
