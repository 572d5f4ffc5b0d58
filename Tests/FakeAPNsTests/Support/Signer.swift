import Crypto
import FakeAPNs
import Platform
import Synchronization

/// A developer team with one key, as a provider would hold it.
final class Signer: Sendable {
    let keyID: String
    let teamID: String
    private let privateKey: ES256PrivateKey
    private let shared: Mutex<[Int64: String]> = Mutex([:])
    private let current: Mutex<String?> = Mutex(nil)

    init(keyID: String = "ABCDE12345", teamID: String = "TEAM123456") throws {
        self.keyID = keyID
        self.teamID = teamID
        privateKey = try ES256PrivateKey.generate()
    }

    func key(
        topics: Set<String>? = nil,
        environments: Set<APNsEnvironment> = Set(APNsEnvironment.allCases)
    ) -> ProviderKey {
        ProviderKey(
            keyID: keyID,
            teamID: teamID,
            publicKey: privateKey.publicKey,
            topics: topics,
            environments: environments
        )
    }

    /// The token every request of a test shares, made at first use.
    func currentToken(at wall: WallTime) throws -> String {
        if let token = current.withLock({ $0 }) { return token }
        let token = try token(issuedAt: "\(wall.secondsSinceEpoch)")
        current.withLock { $0 = token }
        return token
    }

    /// The one token of this instant: signing twice would give two.
    func sharedToken(issuedAt seconds: Int64) throws -> String {
        if let token = shared.withLock({ $0[seconds] }) { return token }
        let token = try token(issuedAt: "\(seconds)")
        shared.withLock { $0[seconds] = token }
        return token
    }

    /// A signed token with `iat` written as given.
    func token(
        issuedAt: String,
        keyID: String? = nil,
        teamID: String? = nil,
        algorithm: String = "ES256"
    ) throws -> String {
        let header = #"{"alg":"\#(algorithm)","kid":"\#(keyID ?? self.keyID)"}"#
        return try sign(header: header, claims: #"{"iss":"\#(teamID ?? self.teamID)","iat":\#(issuedAt)}"#)
    }

    func sign(header: String, claims: String) throws -> String {
        let signed = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(claims.utf8))
        return signed + "." + Base64URL.encode(try privateKey.sign(Array(signed.utf8)))
    }
}
