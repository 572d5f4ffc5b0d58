#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// How a device signs in, stays so and leaves.
extension NotifierClient {
    private struct Registration: Encodable, Sendable {
        var gitlabUrl: String
        var personalAccessToken: String
    }

    /// What every way to sign in answers.
    private struct Session: Decodable, Sendable {
        var token: String
        var refreshToken: String
        var expiresAt: Date
        var deviceId: String?

        func credentials(on server: ServerAddress) -> Credentials {
            Credentials(
                server: server,
                token: token,
                refreshToken: refreshToken,
                expiresAt: expiresAt,
                deviceID: deviceId
            )
        }
    }

    /// Signs in with a personal access token of GitLab, which is sent once and not kept here.
    public func register(
        on server: ServerAddress,
        gitlab: String,
        personalAccessToken: String
    ) async throws(NotifierError) {
        let body = Registration(gitlabUrl: gitlab, personalAccessToken: personalAccessToken)
        let session: Session = try Self.decode(try await open(.register, on: server, body: body))
        try await take(session.credentials(on: server))
    }

    private struct Exchange: Encodable, Sendable {
        var pairingCode: String
        var platform: String
        var deviceName: String?
    }

    /// Signs in with the code that another device of the person shows.
    public func pair(
        on server: ServerAddress,
        code: String,
        platform: DevicePlatform,
        name: String?
    ) async throws(NotifierError) {
        let body = Exchange(pairingCode: code, platform: platform.rawValue, deviceName: name)
        let session: Session = try Self.decode(try await open(.exchangePairing, on: server, body: body))
        try await take(session.credentials(on: server))
    }

    private struct OAuthStart: Encodable, Sendable {
        var gitlabUrl: String
        var grantType: String
    }

    /// Begins a sign-in through GitLab. Where the person agrees says `kind`.
    public func startOAuth(
        on server: ServerAddress,
        gitlab: String,
        kind: OAuthSignIn.Kind
    ) async throws(NotifierError) -> OAuthSignIn {
        let body = OAuthStart(gitlabUrl: gitlab, grantType: kind.rawValue)
        return try Self.decode(try await open(.startOAuth, on: server, body: body))
    }

    private struct OAuthFinish: Encodable, Sendable {
        var state: String
        var code: String?
    }

    private struct OAuthPending: Decodable, Sendable {
        var retryAfterSeconds: Int64
    }

    /// Ends a sign-in through GitLab. `code` is what GitLab sent the browser back with; none for a code that is typed in elsewhere.
    ///
    /// - Returns: nil when the person is signed in, otherwise how long to wait before asking again.
    public func finishOAuth(
        on server: ServerAddress,
        state: String,
        code: String?
    ) async throws(NotifierError) -> Duration? {
        let response = try await open(.finishOAuth, on: server, body: OAuthFinish(state: state, code: code))
        if response.status == 202 {
            let pending: OAuthPending = try Self.decode(response)
            return .seconds(min(max(pending.retryAfterSeconds, 1), 3_600))
        }
        let session: Session = try Self.decode(response)
        try await take(session.credentials(on: server))
        return nil
    }

    private struct Refresh: Encodable, Sendable {
        var refreshToken: String
    }

    /// New tokens in the place of the former ones.
    func refresh(_ credentials: Credentials) async throws(NotifierError) -> Credentials {
        let body = Refresh(refreshToken: credentials.refreshToken)
        let session: Session = try Self.decode(try await open(.refresh, on: credentials.server, body: body))
        var next = session.credentials(on: credentials.server)
        next.deviceID = next.deviceID ?? credentials.deviceID
        next.signIn = credentials.signIn
        return next
    }

    /// A code with which another device of the person can join, for five minutes and one use.
    public func startPairing() async throws(NotifierError) -> PairingCode {
        try await value(.startPairing)
    }

    /// Ends every session and device of the person, this one included.
    public func revokeAllSessions() async throws(NotifierError) {
        try await done(.revokeAll)
        try await forgetCredentials()
    }

    /// Disconnects from GitLab: the server forgets the person.
    public func removeAccount() async throws(NotifierError) {
        try await done(.removeAccount)
        try await forgetCredentials()
    }
}

/// What a device is. The server pushes to no other kinds.
public enum DevicePlatform: String, Sendable, Codable, CaseIterable {
    case ios, macos
}

/// A code that another device is to be given.
public struct PairingCode: Sendable, Equatable, Codable {
    /// Six letters and digits.
    public var pairingCode: String
    /// When it ends.
    public var expiresAt: Date
}

/// A sign-in through GitLab that has begun.
public struct OAuthSignIn: Sendable, Equatable, Codable {
    /// Where the person agrees.
    public enum Kind: String, Sendable, CaseIterable {
        /// In a browser on this device.
        case browser = "authorization_code"
        /// Anywhere, with a code that is typed in.
        case code = "device_code"
    }

    /// Names the sign-in.
    public var state: String
    /// Where the browser goes; of a sign-in by browser.
    public var authorizationUrl: String?
    /// What the person types in; of a sign-in by code.
    public var userCode: String?
    /// Where they type it in.
    public var verificationUrl: String?
    /// The same address with the code filled in.
    public var verificationUrlComplete: String?
    /// How long to wait between two questions whether they have agreed.
    public var pollSeconds: Int64?
    /// When it ends.
    public var expiresAt: Date
}
