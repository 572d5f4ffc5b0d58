import Crypto
import HTTP
import Synchronization

/// What a request to GitLab shows to be let in (GitLab facts §2).
enum GitLabCredential: Sendable, Equatable {
    case personalAccessToken(Secret)
    /// Of OAuth; lives two hours.
    case accessToken(Secret)

    var secret: Secret {
        switch self {
        case .personalAccessToken(let secret), .accessToken(let secret): secret
        }
    }

    /// Puts it into a request.
    func authorize(_ request: inout HTTPRequest) {
        switch self {
        case .personalAccessToken(let secret): request.fields.append("PRIVATE-TOKEN", secret.exposedText)
        case .accessToken(let secret): request.fields.append("Authorization", "Bearer \(secret.exposedText)")
        }
    }
}

/// The credential of one client, which changes while the client lives: access tokens are renewed every two hours.
final class CredentialBox: Sendable {
    private let state: Mutex<GitLabCredential>

    init(_ credential: GitLabCredential) {
        state = Mutex(credential)
    }

    var credential: GitLabCredential {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
