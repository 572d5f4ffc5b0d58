import Crypto
import HTTP
import Live

extension DaemonSettings.Listening {
    /// What the REST API is served with; nil without TLS. Apart from the other inputs, which commands read that serve nobody.
    ///
    /// - Throws: `DaemonError.settingsUnreadable`; `settingsInvalid` where sessions would be served in the clear to whoever is near.
    func identity() throws -> HTTPServerConfiguration.Identity? {
        guard let certificate, let key else {
            try checkThatNobodyListens()
            return nil
        }
        return HTTPServerConfiguration.Identity(
            certificateChainPEM: String(decoding: try LiveFile.read(certificate), as: UTF8.self),
            keyPEM: Secret(try LiveFile.read(key))
        )
    }
    /// Without TLS whoever is on the way reads the apps' sessions: so only this machine may be on it, or a proxy that speaks TLS.
    private func checkThatNobodyListens() throws(DaemonError) {
        guard IPAddress(address)?.isLoopback != true, !trustsForwardedFor else { return }
        throw DaemonError(
            .settingsInvalid,
            "\"listen\" would serve others than this machine without TLS",
            hint:
                "name a \"certificate\" and \"key\", or set \"trustsForwardedFor\" where nobody but a proxy that speaks TLS gets there"
        )
    }
}
