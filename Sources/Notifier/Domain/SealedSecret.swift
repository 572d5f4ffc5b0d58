/// A secret as the database keeps it: unreadable without the key of its version.
struct SealedSecret: Equatable, Sendable {
    var ciphertext: [UInt8]
    /// 12 bytes, drawn anew for each sealing.
    var nonce: [UInt8]
    var keyVersion: Int64
}

/// A device token as the database keeps it.
struct SealedDeviceToken: Equatable, Sendable {
    /// The token's keyed digest: tells whether two tokens are the same one, and nothing more.
    var digest: String
    /// Sealed for its digest.
    var sealed: SealedSecret
}
