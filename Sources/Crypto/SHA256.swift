import COpenSSL

/// SHA-256 (FIPS 180-4), in one go or piece by piece.
///
/// A value of this type belongs to one task; copies would share what was hashed, so there are none.
package struct SHA256: ~Copyable {
    /// How many bytes a digest has.
    static let digestBytes = 32

    private let context: OpaquePointer

    init() {
        // Both fail only when memory is exhausted or the library was built without SHA-256; neither can be handled.
        guard let context = EVP_MD_CTX_new() else { fatalError("OpenSSL has no memory for a digest") }
        guard EVP_DigestInit_ex2(context, sha256, nil) == 1 else { fatalError("OpenSSL offers SHA-256") }
        self.context = context
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    /// Takes more bytes.
    mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// Takes the UTF-8 bytes of `text`.
    mutating func update(_ text: String) {
        var text = text
        text.withUTF8 { update(UnsafeRawBufferPointer($0)) }
    }

    /// Takes more bytes, without a copy.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        let result = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
        precondition(result == 1, "updating a digest does not fail")
    }

    /// The digest of all bytes taken.
    consuming func finalize() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.digestBytes) { buffer, count in
            let result = EVP_DigestFinal_ex(context, buffer.baseAddress, nil)
            precondition(result == 1, "ending a digest does not fail")
            count = Self.digestBytes
        }
    }

    /// The digest of `bytes`.
    package static func digest(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finalize()
    }
}

/// Looked up once: each look-up takes a lock and costs more than hashing a few hundred bytes.
///
/// Unchecked: thread-safe library: a fetched algorithm never changes, and "the EVP_MD object is reference counted" and may be used by any
/// thread (openssl.org, EVP_MD_fetch(3) and openssl-threads(7)).
nonisolated(unsafe) private let sha256: OpaquePointer? = EVP_MD_fetch(nil, "SHA256", nil)
