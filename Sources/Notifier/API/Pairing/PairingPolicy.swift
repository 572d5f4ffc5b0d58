import Crypto
import Platform

/// How pairing codes are made and matched.
///
/// Six of 31 characters are 887 million codes. One lives five minutes. An address has five guesses at once and one a minute, and so has
/// an IPv6 network of 64 bits; one of 48 bits, which is what a household or a tunnel has, four times as many. A code withstands 2,000
/// wrong guesses from anywhere: a guesser has a chance of one in 443,000 against the code of one person, and who wants to end the codes
/// of others by guessing needs 200 addresses at once, for five minutes.
enum PairingPolicy {
    static let length = 6
    static let lifetime: Duration = .minutes(5)
    /// Without I, L, O, 0 and 1.
    private static let alphabet = Array("ABCDEFGHJKMNPQRSTUVWXYZ23456789".utf8)

    /// What codes look like, as a regular expression.
    static let pattern = "[A-HJKMNP-Z2-9]{6}"
    /// What people may type for one.
    static let typedPattern = "[ -]*([A-HJKMNP-Za-hjkmnp-z2-9][ -]*){6}"
    static let typedLimitBytes = 32

    /// A new code.
    static func makeCode(_ entropy: any EntropySource) -> String {
        let bytes = (0..<length).map { _ in alphabet[Int(entropy.next(below: UInt64(alphabet.count)))] }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The code somebody typed: in any letter case, with spaces and hyphens. Nil when it cannot be one.
    static func normalized(_ text: String) -> String? {
        // Some letters outside ASCII become two of it in upper case.
        guard text.utf8.count <= typedLimitBytes, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let code = text.uppercased().filter { $0 != " " && $0 != "-" }
        guard code.utf8.count == length, code.utf8.allSatisfy(alphabet.contains) else { return nil }
        return code
    }

    /// Whose code it is. Looks at every code in full, so the time it takes does not tell how near a guess came.
    static func match(_ digest: [UInt8], among codes: [LiveCode]) -> Int64? {
        var found: Int64?
        for code in codes where ConstantTime.areEqual(code.digest, digest) { found = code.owner }
        return found
    }

    /// Codes that are over and are cleared away by one new code.
    private static let purgeLimit = 100

    /// Gives `owner` a code that nobody else has, in place of the one it had; what of it is kept is its digest.
    ///
    /// - Returns: the code.
    /// - Throws: what the store throws.
    static func issueCode(
        _ table: CodeTable,
        to owner: Int64,
        expiresAt: WallTime,
        at now: WallTime,
        _ entropy: any EntropySource,
        _ sessions: SessionIssuer,
        in store: Store
    ) throws -> String {
        try store.purgeCodes(table, at: now, limit: purgeLimit)
        let others = try store.liveCodes(table, at: now).filter { $0.owner != owner }
        var code = makeCode(entropy)
        while match(sessions.digest(code), among: others) != nil { code = makeCode(entropy) }
        try store.setCode(table, of: owner, to: sessions.digest(code), expiresAt: expiresAt)
        return code
    }
}
