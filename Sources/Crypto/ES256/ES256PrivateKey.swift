import COpenSSL

/// A private key for ECDSA on P-256 with SHA-256 (RFC 7518 §3.4): what signs APNs provider tokens.
package struct ES256PrivateKey: Sendable {
    private let key: Key

    /// Reads a key in PEM form, such as the text of a PKCS#8 `.p8` file.
    ///
    /// - Throws: `CryptoError.unreadableKey`, also for an encrypted key, or `wrongCurve`.
    package init(pem: String) throws {
        key = try Key(PEM.read(pem) { PEM_read_bio_PrivateKey($0, nil, PEM.noPassword, nil) })
    }

    private init(key: Key) {
        self.key = key
    }

    /// A new key from the library's own generator; two calls never give the same.
    package static func generate() throws -> ES256PrivateKey {
        let context = try Handle(
            EVP_PKEY_CTX_new_from_name(nil, "EC", nil),
            from: "EVP_PKEY_CTX_new_from_name",
            releasedBy: EVP_PKEY_CTX_free
        )
        try check(EVP_PKEY_keygen_init(context.pointer), "EVP_PKEY_keygen_init")
        try check(EVP_PKEY_CTX_set_group_name(context.pointer, "P-256"), "EVP_PKEY_CTX_set_group_name")
        var generated: OpaquePointer?
        try check(EVP_PKEY_generate(context.pointer, &generated), "EVP_PKEY_generate")
        return ES256PrivateKey(key: try Key(generated))
    }

    /// The key as unencrypted PKCS#8 in PEM form.
    package var pem: Secret {
        get throws {
            Secret(
                try PEM.write("PEM_write_bio_PKCS8PrivateKey") { buffer in
                    PEM_write_bio_PKCS8PrivateKey(buffer, key.pointer, nil, nil, 0, nil, nil)
                }
            )
        }
    }

    /// The key that verifies what this one signs.
    package var publicKey: ES256PublicKey { ES256PublicKey(halfOf: key) }

    /// The signature of `message` in JOSE form: r and s, 32 bytes each (RFC 7518 §3.4).
    ///
    /// Each call gives other bytes, all valid: never put them where runs are compared.
    package func sign(_ message: [UInt8]) throws -> [UInt8] {
        let context = try Handle(EVP_MD_CTX_new(), from: "EVP_MD_CTX_new", releasedBy: EVP_MD_CTX_free)
        try check(
            EVP_DigestSignInit_ex(context.pointer, nil, "SHA256", nil, nil, key.pointer, nil),
            "EVP_DigestSignInit_ex"
        )
        // The DER form of two 256-bit numbers takes at most 72 bytes.
        var der = [UInt8](repeating: 0, count: 80)
        var length = der.count
        try check(EVP_DigestSign(context.pointer, &der, &length, message, message.count), "EVP_DigestSign")
        return try JOSESignature.fromDER(Array(der.prefix(length)))
    }

    /// Puts the public half into a certificate; OpenSSL's sign of success.
    func install(in certificate: OpaquePointer) -> Int32 {
        X509_set_pubkey(certificate, key.pointer)
    }

    /// Signs a certificate; the length of the signature.
    func sign(certificate: OpaquePointer) -> Int32 {
        X509_sign(certificate, key.pointer, EVP_sha256())
    }
}
