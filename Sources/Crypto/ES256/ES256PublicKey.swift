import COpenSSL

/// A public key for ECDSA on P-256 with SHA-256 (RFC 7518 §3.4).
package struct ES256PublicKey: Sendable {
    private let key: Key

    /// Reads a key in PEM form (`BEGIN PUBLIC KEY`).
    ///
    /// - Throws: `CryptoError.unreadableKey` or `wrongCurve`.
    init(pem: String) throws {
        key = try Key(PEM.read(pem) { PEM_read_bio_PUBKEY($0, nil, PEM.noPassword, nil) })
    }

    /// The public half of a private key, which OpenSSL keeps in the same object.
    init(halfOf privateKey: Key) {
        key = privateKey
    }

    /// The key in PEM form; nothing in it is secret.
    var pem: String {
        get throws {
            String(
                decoding: try PEM.write("PEM_write_bio_PUBKEY") { PEM_write_bio_PUBKEY($0, key.pointer) },
                as: UTF8.self
            )
        }
    }

    /// True when `signature`, in JOSE form (64 bytes), was made for `message` by the private half of this key.
    ///
    /// - Throws: `CryptoError.libraryFailure` when the library cannot tell; a wrong or malformed signature is just false.
    package func isValidSignature(_ signature: [UInt8], for message: [UInt8]) throws -> Bool {
        guard signature.count == JOSESignature.bytes else { return false }
        return try isValidSignature(der: JOSESignature.toDER(signature), for: message)
    }

    /// True when `der`, a signature in the form that OpenSSL makes, was made for `message` by the private half of this key.
    ///
    /// - Throws: `CryptoError.libraryFailure` when the library cannot tell; a wrong or malformed signature is just false.
    package func isValidSignature(der: [UInt8], for message: [UInt8]) throws -> Bool {
        let context = try Handle(EVP_MD_CTX_new(), from: "EVP_MD_CTX_new", releasedBy: EVP_MD_CTX_free)
        try check(
            EVP_DigestVerifyInit_ex(context.pointer, nil, "SHA256", nil, nil, key.pointer, nil),
            "EVP_DigestVerifyInit_ex"
        )
        let result = EVP_DigestVerify(context.pointer, der, der.count, message, message.count)
        if result != 1 { ERR_clear_error() }
        return result == 1
    }
}
