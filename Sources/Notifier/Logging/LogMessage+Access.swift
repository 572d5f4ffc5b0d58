import Platform

/// What sessions, pairing and devices tell. Entries name `account.id` where the account is known.
extension LogMessage {
    static let refreshTokenReused = LogMessage(.warning, "session.refresh_token_reused")
    static let noGitLabServed = LogMessage(.warning, "gitlab.none_served")
    static let accountNotServed = LogMessage(.warning, "account.gitlab_not_served")
    static let signInFailed = LogMessage(.notice, "account.sign_in_failed")
    static let accountRemoved = LogMessage(.notice, "account.removed")
    static let sessionsRevoked = LogMessage(.notice, "session.revoked_all")
    static let devicePaired = LogMessage(.info, "device.paired")
    static let deviceRemoved = LogMessage(.info, "device.removed")
    static let deviceUnregistered = LogMessage(.info, "device.unregistered")
    static let pairingRefused = LogMessage(.notice, "pairing.refused")
}
