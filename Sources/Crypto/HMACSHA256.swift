import COpenSSL

/// HMAC with SHA-256 (RFC 2104, RFC 4231).
package enum HMACSHA256 {
    /// The 32-byte code of `message` under `key`.
    package static func code(for message: [UInt8], key: Secret) -> [UInt8] {
        let keyBytes = key.exposedBytes
        return [UInt8](unsafeUninitializedCapacity: SHA256.digestBytes) { buffer, count in
            let code = HMAC(
                EVP_sha256(),
                keyBytes,
                Int32(keyBytes.count),
                message,
                message.count,
                buffer.baseAddress,
                nil
            )
            precondition(code != nil, "a code with SHA-256 does not fail")
            count = SHA256.digestBytes
        }
    }

    /// True when `code` is the code of `message` under `key`; takes the same time wherever it differs.
    package static func isValid(_ code: [UInt8], for message: [UInt8], key: Secret) -> Bool {
        ConstantTime.areEqual(code, Self.code(for: message, key: key))
    }
}
