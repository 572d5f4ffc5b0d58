import JSON

/// The codes and tokens that apps and programs have: what the notifier gave them, and what Apple did. Each is known by one word, whatever stands
/// around it, so that a code of six characters is not found in the middle of something else.
struct IssuedSecrets {
    /// A code or token, and what it is, in words.
    struct Secret: Equatable {
        var text: String
        var kind: String
    }

    /// What each is, by its word.
    private var kinds: [String: String] = [:]
    /// Words of the log that may be secrets which no app has heard of yet, with the entries in which they stand.
    private var candidates: [String: String] = [:]

    /// A world gives fewer than these; what comes after them is not known.
    private static let mostKept = 50_000
    /// Base64url of 32 bytes: signatures of access tokens, names of sign-ins.
    private static let longLength = 43
    private static let codeLength = 6

    /// What each route gives away, by members of its answer.
    private static func members(of method: String, _ path: Substring) -> [(member: String, kind: String)] {
        guard method == "POST" else { return [] }
        switch path {
        case "/auth/register", "/auth/refresh", "/auth/oauth/finish", "/pair/exchange":
            return [("token", "an access token"), ("refreshToken", "a refresh token")]
        case "/devices": return [("token", "an access token")]
        case "/auth/oauth/start": return [("state", "the name of a sign-in")]
        case "/signals/tokens": return [("token", "the token of a program")]
        case "/pair/start": return [("pairingCode", "a pairing code")]
        case _ where path.hasPrefix("/duties/") && path.hasSuffix("/invitations"):
            return [("invitationCode", "an invitation code")]
        default: return []
        }
    }

    /// What that answer gives to whoever asked.
    static func given(in body: [UInt8], to method: String, _ path: Substring) -> [Secret] {
        let members = members(of: method, path)
        guard !members.isEmpty, let answer = JSONValue(reading: body) else { return [] }
        return members.compactMap { member, kind in answer[member]?.text.map { Secret(text: $0, kind: kind) } }
    }

    /// From now on nobody else may see it.
    ///
    /// - Returns: the entry of the log in which it stood before.
    @discardableResult mutating func learn(_ secret: Secret) -> String? {
        // The last part of a JSON Web Token is its signature.
        guard let last = secret.text.split(separator: ".").last, Self.isTelling(last.utf8) else { return nil }
        let word = String(last)
        guard kinds.count < Self.mostKept, kinds.updateValue(secret.kind, forKey: word) == nil else { return nil }
        return candidates[word]
    }

    /// What stands there that nobody may see but who was given it; nil for nothing. What the text itself gives is left out.
    func kind(in bytes: [UInt8], except given: [Secret] = []) -> String? {
        guard !kinds.isEmpty else { return nil }
        var found: String?
        Self.eachWord(in: bytes) { word in
            guard found == nil, let kind = kinds[word], !given.contains(where: { $0.text.hasSuffix(word) }) else {
                return
            }
            found = kind
        }
        return found
    }

    /// The same of a text of the log, of which is remembered what may turn out to be a secret: a code is told only after the entry about it.
    mutating func kind(inLog text: String, of message: String) -> String? {
        var found: String?
        Self.eachWord(in: Array(text.utf8)) { word in
            if let kind = kinds[word] {
                found = found ?? kind
            } else if candidates.count < Self.mostKept, [Self.codeLength, Self.longLength].contains(word.utf8.count) {
                candidates[word] = candidates[word] ?? message
            }
        }
        return found
    }

    /// Whether it is long enough, or a code that no number can be.
    private static func isTelling(_ word: some Collection<UInt8>) -> Bool {
        word.count >= longLength || (isOfCode(word) && !word.allSatisfy(isDigit))
    }

    /// Hands over each word that may be a secret. It consists of letters, digits, `-` and `_`.
    private static func eachWord(in bytes: [UInt8], _ take: (String) -> Void) {
        var start = 0
        for index in 0...bytes.count where index == bytes.count || !isOfWord(bytes[index]) {
            let word = bytes[start..<index]
            start = index + 1
            if isTelling(word) { take(String(decoding: word, as: UTF8.self)) }
        }
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        isCapital(byte) || isDigit(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D || byte == 0x5F
    }

    private static func isOfCode(_ word: some Collection<UInt8>) -> Bool {
        word.count == codeLength && word.allSatisfy { isCapital($0) || isDigit($0) }
    }

    private static func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
