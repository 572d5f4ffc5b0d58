import Crypto
import Live

/// Certificates of a served world: what its servers present, and what they present while a fault lasts.
struct ServedCertificates {
    private static let names = ["localhost"]
    private static let addresses = ["127.0.0.1", "::1"]

    /// What clients are to trust.
    let authorityPEM: String
    let valid: HTTPServerConfiguration.Identity
    /// It ended a minute ago.
    let expired: HTTPServerConfiguration.Identity
    /// For a host that is not this one.
    let ofOtherName: HTTPServerConfiguration.Identity
    /// Of an authority that nobody was told of.
    let ofUnknownAuthority: HTTPServerConfiguration.Identity

    /// Makes an authority and what it issues.
    ///
    /// - Throws: `CryptoError.libraryFailure`.
    init() throws {
        let authority = try ThrowawayAuthority(name: "simctl serve")
        let stranger = try ThrowawayAuthority(name: "simctl serve, unknown")
        let (names, addresses) = (Self.names, Self.addresses)
        authorityPEM = try authority.certificatePEM
        valid = Self.identity(try authority.issue(names: names, addresses: addresses))
        expired = Self.identity(try authority.issue(names: names, addresses: addresses, isOver: true))
        ofOtherName = Self.identity(try authority.issue(names: ["elsewhere.example.com"], addresses: []))
        ofUnknownAuthority = Self.identity(try stranger.issue(names: names, addresses: addresses))
    }

    private static func identity(
        _ issued: (certificatePEM: String, keyPEM: Secret)
    ) -> HTTPServerConfiguration.Identity {
        HTTPServerConfiguration.Identity(certificateChainPEM: issued.certificatePEM, keyPEM: issued.keyPEM)
    }
}
