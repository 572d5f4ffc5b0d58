import COpenSSL

/// Owns one key on P-256, private or public; released in `deinit`.
///
/// Unchecked: thread-safe library: the handle is set once and the key behind it never changed afterwards; OpenSSL allows several
/// threads to read one key (openssl-threads(7): objects are safe for concurrent use as long as none modifies them).
final class Key: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes over `pointer`.
    ///
    /// - Throws: `CryptoError.unreadableKey` without one, `wrongCurve` when it is not on P-256; it is released then.
    init(_ pointer: OpaquePointer?) throws {
        guard let pointer else {
            ERR_clear_error()
            throw CryptoError.unreadableKey
        }
        // A class whose initialiser throws after all properties are set runs its `deinit`.
        self.pointer = pointer
        guard isOnP256 else { throw CryptoError.wrongCurve }
    }

    deinit {
        EVP_PKEY_free(pointer)
    }

    private var isOnP256: Bool {
        guard EVP_PKEY_is_a(pointer, "EC") == 1 else { return false }
        var name = [CChar](repeating: 0, count: 64)
        var length = 0
        guard EVP_PKEY_get_group_name(pointer, &name, name.count, &length) == 1 else {
            ERR_clear_error()
            return false
        }
        return String(decoding: name.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self) == "prime256v1"
    }
}

/// Keys as text.
enum PEM {
    /// Refuses an encrypted key: without a callback OpenSSL would ask for the password on the terminal.
    static let noPassword:
        @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?) -> Int32 =
            { _, _, _, _ in -1 }

    /// What `read` makes of `text`; nil when it finds nothing.
    static func read(_ text: String, by read: (OpaquePointer) -> OpaquePointer?) throws -> OpaquePointer? {
        var text = text
        return try text.withUTF8 { bytes in
            let buffer = try Handle(
                BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)),
                from: "BIO_new_mem_buf",
                releasedBy: BIO_free_all
            )
            return read(buffer.pointer)
        }
    }

    /// The bytes that `write` puts out.
    static func write(_ operation: String, by write: (OpaquePointer) -> Int32) throws -> [UInt8] {
        let buffer = try Handle(BIO_new(BIO_s_mem()), from: "BIO_new", releasedBy: BIO_free_all)
        try check(write(buffer.pointer), operation)
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1_024)
        while case let count = Int(BIO_read(buffer.pointer, &chunk, Int32(chunk.count))), count > 0 {
            text += chunk.prefix(count)
        }
        return text
    }
}
