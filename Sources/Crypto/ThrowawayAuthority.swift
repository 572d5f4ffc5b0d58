import COpenSSL
package import Platform

/// A certificate authority for one run on one machine: whoever trusts it trusts the servers it names, for a few days.
///
/// Its key exists in memory only.
package final class ThrowawayAuthority: Sendable {
    private let key: ES256PrivateKey
    private let certificate: Certificate
    private let validity: ClosedRange<WallTime>?

    /// Makes an authority of that name. It and what it issues are valid in `validity`; without one, for a few days, also by a
    /// clock that is a day behind.
    ///
    /// - Throws: `CryptoError.libraryFailure`.
    package init(name: String, validity: ClosedRange<WallTime>? = nil) throws {
        key = try ES256PrivateKey.generate()
        self.validity = validity
        certificate = try Certificate(name: name, of: key, serial: 1, validity: validity)
        try certificate.add(NID_basic_constraints, "critical,CA:TRUE,pathlen:0", issuer: certificate)
        try certificate.add(NID_key_usage, "critical,keyCertSign,cRLSign", issuer: certificate)
        try certificate.add(NID_subject_key_identifier, "hash", issuer: certificate)
        try certificate.sign(by: key, issuer: certificate)
    }

    /// What clients are to trust, as PEM.
    package var certificatePEM: String {
        get throws { try certificate.pem }
    }

    /// Makes a certificate for a server of these names and addresses, such as `127.0.0.1`, and its key. It is valid as long as the
    /// authority is, or in a `validity` of its own.
    ///
    /// - Throws: `CryptoError.libraryFailure`, also for what is no name or address.
    package func issue(
        names: [String],
        addresses: [String],
        validity: ClosedRange<WallTime>? = nil
    ) throws -> (certificatePEM: String, keyPEM: Secret) {
        let serverKey = try ES256PrivateKey.generate()
        let server = try Certificate(
            name: names.first ?? "server",
            of: serverKey,
            serial: 2,
            validity: validity ?? self.validity
        )
        let places = names.map { "DNS:\($0)" } + addresses.map { "IP:\($0)" }
        try server.add(NID_basic_constraints, "critical,CA:FALSE", issuer: certificate)
        try server.add(NID_key_usage, "critical,digitalSignature", issuer: certificate)
        try server.add(NID_ext_key_usage, "serverAuth", issuer: certificate)
        try server.add(NID_subject_key_identifier, "hash", issuer: certificate)
        try server.add(NID_authority_key_identifier, "keyid:always", issuer: certificate)
        try server.add(NID_subject_alt_name, places.joined(separator: ","), issuer: certificate)
        try server.sign(by: key, issuer: certificate)
        return (try server.pem, try serverKey.pem)
    }
}

/// Owns one X.509 certificate; released in `deinit`.
///
/// Unchecked: never changes: only before it is signed, and by whoever makes it.
private final class Certificate: @unchecked Sendable {
    private let handle: Handle
    private var pointer: OpaquePointer { handle.pointer }

    private static let secondsBefore = 2 * 86_400
    private static let lifetimeSeconds = 7 * 86_400

    /// A certificate of version 3.
    init(name: String, of key: ES256PrivateKey, serial: Int, validity: ClosedRange<WallTime>?) throws {
        handle = try Handle(X509_new(), from: "X509_new", releasedBy: X509_free)
        // Version 3 counts from 0.
        try check(X509_set_version(handle.pointer, 2), "X509_set_version")
        try check(ASN1_INTEGER_set(X509_get_serialNumber(handle.pointer), serial), "ASN1_INTEGER_set")
        try limit(to: validity)
        try check(key.install(in: handle.pointer), "X509_set_pubkey")
        try check(
            X509_NAME_add_entry_by_txt(X509_get_subject_name(handle.pointer), "CN", MBSTRING_ASC, name, -1, -1, 0),
            "X509_NAME_add_entry_by_txt"
        )
    }

    private func limit(to validity: ClosedRange<WallTime>?) throws {
        let (from, until) = (X509_getm_notBefore(pointer), X509_getm_notAfter(pointer))
        guard let validity else {
            guard X509_gmtime_adj(from, -Self.secondsBefore) != nil, X509_gmtime_adj(until, Self.lifetimeSeconds) != nil
            else { throw libraryFailure(in: "X509_gmtime_adj") }
            return
        }
        guard ASN1_TIME_set(from, Int(validity.lowerBound.microseconds / 1_000_000)) != nil,
            ASN1_TIME_set(until, Int(validity.upperBound.microseconds / 1_000_000)) != nil
        else { throw libraryFailure(in: "ASN1_TIME_set") }
    }

    /// Adds an extension in OpenSSL's own notation.
    func add(_ identifier: Int32, _ value: String, issuer: Certificate) throws {
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, issuer.pointer, pointer, nil, nil, 0)
        guard let made = X509V3_EXT_conf_nid(nil, &context, identifier, value) else {
            throw libraryFailure(in: "X509V3_EXT_conf_nid")
        }
        defer { X509_EXTENSION_free(made) }
        try check(X509_add_ext(pointer, made, -1), "X509_add_ext")
    }

    func sign(by key: ES256PrivateKey, issuer: Certificate) throws {
        try check(X509_set_issuer_name(pointer, X509_get_subject_name(issuer.pointer)), "X509_set_issuer_name")
        // Its success is the length of the signature.
        guard key.sign(certificate: pointer) > 0 else { throw libraryFailure(in: "X509_sign") }
    }

    var pem: String {
        get throws {
            String(decoding: try PEM.write("PEM_write_bio_X509") { PEM_write_bio_X509($0, pointer) }, as: UTF8.self)
        }
    }
}
