import COpenSSL

/// Authenticated encryption with AES-256 in Galois/Counter Mode (NIST SP 800-38D).
///
/// A nonce must never be used twice with one key: whoever repeats one gives away the plaintexts.
package struct AES256GCM: Sendable {
    package static let keyBytes = 32
    package static let nonceBytes = 12
    /// The tag behind the ciphertext.
    static let tagBytes = 16

    private let key: Secret

    /// - Throws: `CryptoError.wrongKeyLength` unless the key has 32 bytes.
    package init(key: Secret) throws {
        guard key.count == Self.keyBytes else {
            throw CryptoError.wrongKeyLength(bytes: key.count, expected: Self.keyBytes)
        }
        self.key = key
    }

    /// The ciphertext of `plaintext`, as long as it, with the 16-byte tag behind it. `associatedData` is bound to it but not
    /// contained.
    ///
    /// - Throws: `CryptoError.wrongNonceLength` unless the nonce has 12 bytes.
    package func seal(_ plaintext: [UInt8], nonce: [UInt8], associatedData: [UInt8] = []) throws -> [UInt8] {
        let context = try makeContext(nonce: nonce)
        try check(
            EVP_EncryptInit_ex2(context.pointer, EVP_aes_256_gcm(), key.exposedBytes, nonce, nil),
            "EVP_EncryptInit_ex2"
        )
        _ = try Self.run(EVP_EncryptUpdate, context, associatedData, isOutput: false)
        let ciphertext = try Self.run(EVP_EncryptUpdate, context, plaintext, isOutput: true)
        // GCM is a stream mode: the end adds no byte, but completes the tag.
        var written: Int32 = 0
        var block = [UInt8](repeating: 0, count: Self.tagBytes)
        try check(EVP_EncryptFinal_ex(context.pointer, &block, &written), "EVP_EncryptFinal_ex")
        var tag = [UInt8](repeating: 0, count: Self.tagBytes)
        try check(
            EVP_CIPHER_CTX_ctrl(context.pointer, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagBytes), &tag),
            "EVP_CIPHER_CTX_ctrl"
        )
        return ciphertext + tag
    }

    /// The plaintext behind `sealed`, as `seal` gave it.
    ///
    /// - Throws: `CryptoError.authenticationFailed` when anything differs from the sealing, `wrongNonceLength`.
    package func open(_ sealed: [UInt8], nonce: [UInt8], associatedData: [UInt8] = []) throws -> [UInt8] {
        guard sealed.count >= Self.tagBytes else { throw CryptoError.authenticationFailed }
        let context = try makeContext(nonce: nonce)
        try check(
            EVP_DecryptInit_ex2(context.pointer, EVP_aes_256_gcm(), key.exposedBytes, nonce, nil),
            "EVP_DecryptInit_ex2"
        )
        _ = try Self.run(EVP_DecryptUpdate, context, associatedData, isOutput: false)
        let ciphertext = Array(sealed.dropLast(Self.tagBytes))
        let plaintext = try Self.run(EVP_DecryptUpdate, context, ciphertext, isOutput: true)
        var tag = Array(sealed.suffix(Self.tagBytes))
        try check(
            EVP_CIPHER_CTX_ctrl(context.pointer, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagBytes), &tag),
            "EVP_CIPHER_CTX_ctrl"
        )
        var written: Int32 = 0
        var block = [UInt8](repeating: 0, count: Self.tagBytes)
        guard EVP_DecryptFinal_ex(context.pointer, &block, &written) == 1 else {
            ERR_clear_error()
            throw CryptoError.authenticationFailed
        }
        return plaintext
    }

    private func makeContext(nonce: [UInt8]) throws -> Handle {
        guard nonce.count == Self.nonceBytes else {
            throw CryptoError.wrongNonceLength(bytes: nonce.count, expected: Self.nonceBytes)
        }
        return try Handle(EVP_CIPHER_CTX_new(), from: "EVP_CIPHER_CTX_new", releasedBy: EVP_CIPHER_CTX_free)
    }

    private typealias Update = (
        OpaquePointer, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int32>?, UnsafePointer<UInt8>?, Int32
    ) -> Int32

    /// Feeds `input` to the cipher; without output it counts as associated data.
    private static func run(_ update: Update, _ context: Handle, _ input: [UInt8], isOutput: Bool) throws -> [UInt8] {
        guard !input.isEmpty else { return [] }
        guard let count = Int32(exactly: input.count) else { throw libraryFailure(in: "EVP_CipherUpdate") }
        var output = [UInt8](repeating: 0, count: isOutput ? input.count : 0)
        var written: Int32 = 0
        let result = output.withUnsafeMutableBufferPointer { buffer in
            update(context.pointer, isOutput ? buffer.baseAddress : nil, &written, input, count)
        }
        try check(result, "EVP_CipherUpdate")
        return output
    }
}
