/// Remembers which `apns-id` came for which token: at least the last `generationLimit` pairs, and at most twice as many.
///
/// Keeps a 64-bit digest of each pair. Among 100,000 pairs two share one with a chance below 1 in 10⁹.
struct RecentMessages {
    private static let generationLimit = 50_000

    private var current: Set<UInt64> = []
    private var previous: Set<UInt64> = []

    /// True when the pair is among those remembered; remembers it.
    mutating func insert(apnsID: String, token: Int) -> Bool {
        let digest = Self.digest(apnsID, token)
        if previous.contains(digest) { return true }
        guard current.insert(digest).inserted else { return true }
        if current.count >= Self.generationLimit {
            previous = current
            current = []
        }
        return false
    }

    /// FNV-1a over the id, in one letter case, behind the token's number.
    private static func digest(_ apnsID: String, _ token: Int) -> UInt64 {
        var hash = (0xCBF2_9CE4_8422_2325 ^ UInt64(token)) &* 0x0000_0100_0000_01B3
        for byte in apnsID.utf8 { hash = (hash ^ UInt64(byte | 0x20)) &* 0x0000_0100_0000_01B3 }
        return hash
    }
}
