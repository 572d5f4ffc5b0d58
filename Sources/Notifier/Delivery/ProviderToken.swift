import Crypto
import FoundationEssentials
import Platform

/// The token that proves to APNs who sends (APNs facts §7), in use or stored.
struct ProviderToken: Equatable, Sendable {
    var issuedAt: WallTime
    /// The signed token as the `authorization` header carries it.
    var jwt: Secret
}

/// Decides which provider token a push goes with (APNs facts §7, §17 items 3 and 4): one for the whole process, kept for 50 minutes, and never two
/// within 20, neither made nor shown to one service. A service counts a change from when it is first shown the token, so one that is
/// too old to last 20 minutes more is shown to none that has not seen it; and one that has seen it late keeps it longer than the others.
enum ProviderTokenPolicy {
    /// Age at which a token is replaced; APNs refuses it after an hour.
    static let refreshAge: Duration = .minutes(50)
    /// APNs refuses a change more often than this.
    static let leastSpacing: Duration = .minutes(20)
    /// Age up to which a service keeps a token that it has seen too lately to be shown another.
    static let longestAge: Duration = .minutes(55)

    enum Decision: Equatable, Sendable {
        /// The newest.
        case use
        /// The one that the service was shown last.
        case keep
        case mint
        /// Another token is needed but may not be made yet.
        case wait
    }

    /// What a service of APNs was shown last.
    struct Shown: Equatable, Sendable {
        var isNewest: Bool
        /// Since it was made.
        var age: Duration
        /// Since the service was shown it first.
        var since: Duration
        /// APNs has refused it.
        var isRefused = false
        /// The service had been shown another before.
        var isChange = false
    }

    /// What to do while the newest token has that age (nil when there is none), which APNs may have refused.
    ///
    /// A service that was shown another token a moment ago takes no third one: what it refuses may be taken again, and is tried meanwhile.
    static func decide(age: Duration?, isRefused: Bool, shown: Shown?) -> Decision {
        guard let age else { return .mint }
        if let shown, shown.isChange, shown.since < leastSpacing {
            if shown.isRefused { return .wait }
            if isRefused, shown.age < longestAge { return .keep }
        }
        if isRefused {
            if age >= leastSpacing { return .mint }
            // The other service refuses it: this one still takes the older one that it was shown.
            if let shown, !shown.isNewest, !shown.isRefused, shown.age < longestAge { return .keep }
            return .wait
        }
        // One that was kept beside a newer one gives way to that when it is refused.
        if let shown, !shown.isRefused {
            if shown.isNewest, age < refreshAge { return .use }
            if shown.since < leastSpacing, shown.age < longestAge { return .keep }
            if shown.isNewest { return .mint }
        }
        return age <= longestAge - leastSpacing ? .use : .mint
    }
}

/// Makes provider tokens: a JWT signed with ES256, the signature in the JOSE form.
struct ProviderTokenSigner: Sendable {
    private struct Header: Encodable {
        var alg = "ES256"
        var kid: String
    }

    private struct Claims: Encodable {
        var iss: String
        var iat: Int64
    }

    let keyID: String
    let teamID: String
    private let key: ES256PrivateKey

    /// - Throws: `CryptoError` when the key is no PEM, or not on P-256.
    init(_ apnsKey: NotifierSecrets.APNsKey) throws {
        keyID = apnsKey.keyID
        teamID = apnsKey.teamID
        key = try ES256PrivateKey(pem: apnsKey.pem.exposedText)
    }

    /// A token issued at `now`, with integer seconds as `iat`.
    func sign(at now: WallTime) throws -> ProviderToken {
        let signed =
            try Self.part(Header(kid: keyID)) + "." + Self.part(Claims(iss: teamID, iat: now.secondsSinceEpoch))
        let signature = try key.sign(Array(signed.utf8))
        return ProviderToken(issuedAt: now, jwt: Secret(signed + "." + Base64URL.encode(signature)))
    }

    private static func part(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Base64URL.encode(Array(try encoder.encode(value)))
    }
}
