import CNGHTTP2
import Crypto

/// Owner of OpenSSL's context for a server: certificate, key, versions, and ALPN.
///
/// Unchecked: thread-safe library: nothing of it changes once it is made, and OpenSSL counts its references by atomics (its manual,
/// "openssl-threads").
final class TLSContext: @unchecked Sendable {
    private let context: OpaquePointer

    /// TLS 1.2 and newer; with `isOutdated` TLS 1.1 and older.
    ///
    /// - Throws: `HTTPServerError.badIdentity` when certificate and key cannot be used together.
    init(
        _ identity: HTTPServerConfiguration.Identity,
        answersALPN: Bool,
        isOutdated: Bool = false
    ) throws(HTTPServerError) {
        guard let context = SSL_CTX_new(TLS_server_method()) else { throw .cannotStart }
        self.context = context
        // Partial writes from a buffer that moves are what a non-blocking sender needs; released buffers save 34 KB a connection.
        let modes = SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS
        wb_SSL_CTX_set_mode(context, Int(modes))
        guard Self.setVersions(isOutdated, of: context), Self.use(identity, in: context) else {
            ERR_clear_error()
            throw .badIdentity
        }
        if answersALPN { SSL_CTX_set_alpn_select_cb(context, chooseProtocol, nil) }
    }

    deinit {
        SSL_CTX_free(context)
    }

    /// TLS for one connection; belongs to the caller.
    func makeSession(over descriptor: Int32) -> OpaquePointer? {
        guard let session = SSL_new(context) else { return nil }
        guard SSL_set_fd(session, descriptor) == 1 else {
            SSL_free(session)
            return nil
        }
        SSL_set_accept_state(session)
        return session
    }

    private static func setVersions(_ isOutdated: Bool, of context: OpaquePointer) -> Bool {
        guard isOutdated else { return wb_SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1 }
        // OpenSSL 3 speaks these at its lowest level only.
        SSL_CTX_set_security_level(context, 0)
        return wb_SSL_CTX_set_min_proto_version(context, TLS1_VERSION) == 1
            && wb_SSL_CTX_set_max_proto_version(context, TLS1_1_VERSION) == 1
    }

    private static func use(_ identity: HTTPServerConfiguration.Identity, in context: OpaquePointer) -> Bool {
        // Without a callback for the password OpenSSL would ask on the terminal.
        guard
            let key = read(
                identity.keyPEM.exposedBytes,
                { PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in -1 }, nil) }
            )
        else { return false }
        defer { EVP_PKEY_free(key) }
        var isFirst = true
        let isRead = withReader(Array(identity.certificateChainPEM.utf8)) { reader in
            while let certificate = PEM_read_bio_X509(reader, nil, { _, _, _, _ in -1 }, nil) {
                guard add(certificate, isFirst: isFirst, to: context) else { return false }
                isFirst = false
            }
            // The end of the text leaves an error behind, which is none.
            ERR_clear_error()
            return !isFirst
        }
        return isRead && SSL_CTX_use_PrivateKey(context, key) == 1 && SSL_CTX_check_private_key(context) == 1
    }

    private static func add(_ certificate: OpaquePointer, isFirst: Bool, to context: OpaquePointer) -> Bool {
        if isFirst {
            defer { X509_free(certificate) }
            return SSL_CTX_use_certificate(context, certificate) == 1
        }
        guard wb_SSL_CTX_add0_chain_cert(context, certificate) == 1 else {
            X509_free(certificate)
            return false
        }
        return true
    }

    private static func read(_ bytes: [UInt8], _ parse: (OpaquePointer) -> OpaquePointer?) -> OpaquePointer? {
        var result: OpaquePointer?
        _ = withReader(bytes) { reader in
            result = parse(reader)
            return true
        }
        return result
    }

    private static func withReader(_ bytes: [UInt8], _ body: (OpaquePointer) -> Bool) -> Bool {
        guard let count = Int32(exactly: bytes.count), let reader = BIO_new_mem_buf(bytes, count) else { return false }
        defer { BIO_free(reader) }
        return body(reader)
    }
}

/// Chooses `h2` among what the client offers, and refuses a client that offers only other things.
private let chooseProtocol: SSL_CTX_alpn_select_cb_func = { _, chosen, chosenCount, offered, count, _ in
    guard let offered else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    var index = 0
    while index < Int(count) {
        let length = Int(offered[index])
        if length == 2, index + 2 < Int(count), offered[index + 1] == UInt8(ascii: "h"),
            offered[index + 2] == UInt8(ascii: "2")
        {
            // Points into the offer, which outlives the call.
            chosen?.pointee = offered + index + 1
            chosenCount?.pointee = 2
            return SSL_TLSEXT_ERR_OK
        }
        index += 1 + length
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}
