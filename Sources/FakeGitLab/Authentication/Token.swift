import Platform

/// What a personal access token may do (GitLab facts §2).
package enum TokenScope: String, Sendable, CaseIterable {
    case api
    case readAPI = "read_api"
    case readUser = "read_user"
    case readRepository = "read_repository"
    /// Only to rotate itself (supplement §1.5).
    case selfRotate = "self_rotate"
}

/// Whether a token is valid, whatever its expiry date says.
package enum TokenState: String, Sendable, CaseIterable {
    case valid
    /// As if past its expiry date.
    case expired
    case revoked
    /// As if it had never existed.
    case unknown
}

/// One personal access token, or one that OAuth issued.
struct Token: Sendable {
    let id: Int64
    let secret: String
    let person: Int
    var name: String
    var scopes: [TokenScope]
    let createdAt: WallTime
    /// The first instant of its expiry date in UTC: the token is dead from then on (GitLab facts §2).
    var expiresAt: WallTime?
    var state = TokenState.valid
    /// Only `Authorization: Bearer` and `access_token` take it.
    var isOAuth = false
    /// Names the fault that changed the token; nil while nothing did.
    var faultID: String?
    var lastUsedAt: WallTime?
    /// The id of the token it comes from by rotation; nil for one that was issued anew.
    var family: Int64?
}
