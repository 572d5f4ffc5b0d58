import FoundationEssentials
import Platform

/// The person a token belongs to (`GET /user`, GitLab facts §5.2).
struct CurrentUser: Decodable, Hashable, Sendable {
    /// Stable; the username is not.
    var id: Int64
    var username: String
    var name: String
    var avatarURL: String?

    private enum CodingKeys: String, CodingKey {
        case id, username, name
        case avatarURL = "avatar_url"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int64.self, forKey: .id)
        username = try container.decode(BoundedName.self, forKey: .username).text
        name = container.text(.name)
        avatarURL = container.address(.avatarURL)
    }
}

/// A name that is stored as it is. GitLab's have at most 255 characters; an answer with a longer one is not GitLab's.
private struct BoundedName: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        text = try container.decode(String.self)
        guard (1...TextLimit.line).contains(text.utf8.count) else {
            let context = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "not a name")
            throw DecodingError.typeMismatch(String.self, context)
        }
    }
}

/// What a token is allowed and how long it lives (`GET /personal_access_tokens/self`, GitLab facts §5.3).
struct PersonalAccessToken: Decodable, Hashable, Sendable {
    var scopes: [String]
    var isActive: Bool
    var userID: Int64?
    /// `YYYY-MM-DD`; the token is dead from 00:00 UTC of that day (GitLab facts §2). Nil: it does not expire.
    var expiresOn: String?

    private enum CodingKeys: String, CodingKey {
        case scopes, active
        case userID = "user_id"
        case expiresAt = "expires_at"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        scopes = try container.decode([String].self, forKey: .scopes).prefix(50).filter { $0.utf8.count <= 64 }
        isActive = container.optional(.active) ?? true
        userID = container.optional(.userID)
        let day: String? = container.optional(.expiresAt)
        expiresOn = day.flatMap { $0.utf8.count <= 32 ? $0 : nil }
    }
}

/// Which GitLab this is (`GET /metadata` or `GET /version`, GitLab facts §5.1).
struct InstanceMetadata: Decodable, Hashable, Sendable {
    /// Such as `17.11.2` or `18.4.0-ee`.
    var version: String
    /// True for an enterprise build, whatever its licence; false when GitLab does not say.
    var isEnterprise: Bool

    private enum CodingKeys: String, CodingKey {
        case version, enterprise
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        version = try container.decode(BoundedName.self, forKey: .version).text
        isEnterprise = container.flag(.enterprise)
    }
}

/// A single issue or merge request (GitLab facts §7.1), as far as a watch needs it.
struct ItemDetails: Decodable, Hashable, Sendable {
    /// Of the whole instance.
    var id: Int64?
    var iid: Int64
    var projectID: Int64
    var title: String
    /// An open set of words, such as `opened`, `closed`, `merged`.
    var state: String
    var webURL: String?
    /// The project's path, taken from the full reference such as `team/backend!847`.
    var projectPath: String?
    /// The global id of the issue this one was moved to.
    var movedToID: Int64?
    /// Whether GitLab says at all if it was moved: of an issue always.
    var tellsSuccessor: Bool
    /// Whether GitLab tells the person of what happens here: by choice, or because they take part (GitLab facts §13).
    var isSubscribed: Bool
    var createdAt: WallTime?
    /// Of a merge request; with the project that holds it, a fork perhaps.
    var sourceBranch: String?
    var sourceProjectID: Int64?

    private enum CodingKeys: String, CodingKey {
        case id, iid, title, state, references, subscribed
        case projectID = "project_id"
        case webURL = "web_url"
        case movedToID = "moved_to_id"
        case createdAt = "created_at"
        case sourceBranch = "source_branch"
        case sourceProjectID = "source_project_id"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = container.optional(.id)
        iid = try container.decode(Int64.self, forKey: .iid)
        projectID = try container.decode(Int64.self, forKey: .projectID)
        title = container.text(.title)
        state = container.text(.state)
        webURL = container.address(.webURL)
        movedToID = try container.decodeIfPresent(Int64.self, forKey: .movedToID)
        tellsSuccessor = container.contains(.movedToID)
        isSubscribed = container.flag(.subscribed)
        createdAt = container.time(.createdAt)
        sourceBranch = container.line(.sourceBranch)
        sourceProjectID = container.optional(.sourceProjectID)
        projectPath = container.projectPath(.references)
    }
}
