/// Why a cryptographic operation was refused. None of its texts holds a key, a plaintext or a token.
enum CryptoError: Error, Hashable, Sendable {
    /// The text is no PEM that holds a key of the kind asked for; an encrypted key counts as such.
    case unreadableKey
    /// The key is not on the curve P-256, which ES256 needs (RFC 7518 §3.4).
    case wrongCurve
    /// A symmetric key has another length than the algorithm's.
    case wrongKeyLength(bytes: Int, expected: Int)
    /// A nonce has another length than the algorithm's.
    case wrongNonceLength(bytes: Int, expected: Int)
    /// Ciphertext, associated data, nonce or key are not the ones of the sealing: nothing was decrypted.
    case authenticationFailed
    /// The library refused although its input was valid; `operation` names its function.
    case libraryFailure(operation: String)
}

extension CryptoError: CustomStringConvertible {
    var description: String {
        switch self {
        case .unreadableKey:
            "The text holds no readable key in PEM form: check that it is the whole .p8 file, unencrypted."
        case .wrongCurve: "The key is not on the curve P-256, which ES256 needs."
        case .wrongKeyLength(let bytes, let expected): "The key has \(bytes) bytes, not \(expected)."
        case .wrongNonceLength(let bytes, let expected): "The nonce has \(bytes) bytes, not \(expected)."
        case .authenticationFailed: "The sealed bytes are not what was sealed with this key."
        case .libraryFailure(let operation): "OpenSSL's \(operation) failed."
        }
    }
}
