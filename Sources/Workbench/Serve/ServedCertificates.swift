import Crypto
import Live
import Platform

/// Certificates of a served world: what its servers present, and what they present while a fault lasts.
struct ServedCertificates {
    private static let names = ["localhost"]
    private static let addresses = ["127.0.0.1", "::1"]
    private static let longAgo = WallTime(secondsSinceEpoch: 0)...WallTime(secondsSinceEpoch: 3_600)

    /// What clients are to trust.
    let authorityPEM: String
    let valid: HTTPServerConfiguration.Identity
    /// It ended long ago.
    let expired: HTTPServerConfiguration.Identity
    /// For a host that is not this one.
    let ofOtherName: HTTPServerConfiguration.Identity
    /// Of an authority that nobody was told of.
    let ofUnknownAuthority: HTTPServerConfiguration.Identity

    /// Makes an authority of that name and what it issues, valid in `validity`; without one, for a few days.
    ///
    /// - Throws: `CryptoError.libraryFailure`.
    init(name: String, validity: ClosedRange<WallTime>? = nil) throws {
        let authority = try ThrowawayAuthority(name: name, validity: validity)
        let stranger = try ThrowawayAuthority(name: "\(name), unknown", validity: validity)
        let (names, addresses) = (Self.names, Self.addresses)
        authorityPEM = try authority.certificatePEM
        valid = Self.identity(try authority.issue(names: names, addresses: addresses))
        expired = Self.identity(try authority.issue(names: names, addresses: addresses, validity: Self.longAgo))
        ofOtherName = Self.identity(try authority.issue(names: ["elsewhere.example.com"], addresses: []))
        ofUnknownAuthority = Self.identity(try stranger.issue(names: names, addresses: addresses))
    }

    private static func identity(
        _ issued: (certificatePEM: String, keyPEM: Secret)
    ) -> HTTPServerConfiguration.Identity {
        HTTPServerConfiguration.Identity(certificateChainPEM: issued.certificatePEM, keyPEM: issued.keyPEM)
    }
}
