import Platform

@testable import Crypto
@testable import FakeAPNs
@testable import Notifier

extension FuzzTarget {
    /// `pem`, `provider-token` or `session` on the first line; what is read so behind it.
    static let keys = FuzzTarget("keys") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return }
        switch parts[0] {
        case "pem": readPEM(String(parts[1]))
        case "provider-token": readProviderToken(String(parts[1]))
        case "session": readSession(parts[1])
        default: return
        }
    }

    private static func readPEM(_ text: String) {
        if let key = try? ES256PrivateKey(pem: text) {
            promise((try? key.sign([1])) != nil, "a key that can be read signs")
        }
        if let key = try? ES256PublicKey(pem: text) {
            let isValid = try? key.isValidSignature([UInt8](repeating: 1, count: 64), for: [1])
            promise(isValid != true, "nobody guesses a signature")
        }
    }

    private static func readProviderToken(_ text: String) {
        guard let token = ProviderToken(text) else { return }
        promise(!token.keyID.isEmpty && !token.teamID.isEmpty, "a token names key and team")
        var verifier = ProviderTokenVerifier()
        promise(verifier.verify(text) == nil, "a token of an unknown key is not valid")
    }

    private static func readSession(_ text: Substring) {
        let tokens = SessionTokens(key: Secret([UInt8](repeating: 9, count: 32)), lifetime: .days(7))
        let claims = try? tokens.verify(text, at: VirtualWorld.start)
        promise(claims == nil, "nobody guesses a code")
        guard
            let (issued, _) = try? tokens.issue(
                SessionClaims(account: String(text), session: "s", device: nil, generation: 1, rotation: 1),
                at: VirtualWorld.start
            )
        else { return promise(false, "any text can be signed") }
        let read = try? tokens.verify(issued[...], at: VirtualWorld.start)
        promise(read?.account == String(text), "what is signed reads back")
    }
}
