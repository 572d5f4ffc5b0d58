import Platform

/// What an account's OAuth grant is worth, beside the access token that the account holds.
struct OAuthGrant: Equatable, Sendable {
    /// When the person agreed; the same as long as the grant lives.
    var grantedAt: WallTime
    /// When the access token is over.
    var accessEndsAt: WallTime
    /// Sealed like the access token.
    var refresh: SealedSecret
    /// When GitLab said last that the grant is over. Mostly only the person can bring another; one who was blocked may be let in again.
    var refusedAt: WallTime?
}
