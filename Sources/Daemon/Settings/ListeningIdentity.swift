import Crypto
import Live

extension DaemonSettings.Listening {
    /// What the REST API is served with; nil without TLS. Apart from the other inputs, which commands read that serve nobody.
    ///
    /// - Throws: `DaemonError.settingsUnreadable`.
    func identity() throws -> HTTPServerConfiguration.Identity? {
        guard let certificate, let key else { return nil }
        return HTTPServerConfiguration.Identity(
            certificateChainPEM: String(decoding: try LiveFile.read(certificate), as: UTF8.self),
            keyPEM: Secret(try LiveFile.read(key))
        )
    }
}
