import FoundationEssentials
import Platform

/// A person as GitLab embeds them in other objects (GitLab facts §1).
struct UserRow: Decodable, Hashable, Sendable {
    var id: Int64
    var username: String
    var name: String
    var avatarURL: String?

    /// The same as a row's.
    var heldBytes: Int { 2 * (username.utf8.count + name.utf8.count + (avatarURL?.utf8.count ?? 0)) }
}

extension UserRow {
    private enum CodingKeys: String, CodingKey {
        case id, username, name
        case avatarURL = "avatar_url"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int64.self, forKey: .id)
        username = container.text(.username)
        name = container.text(.name)
        avatarURL = container.address(.avatarURL)
    }
}

/// A row that has an id of its own table.
protocol IdentifiedRow: Decodable, Sendable {
    var id: Int64 { get }
    /// What it holds in memory until it has been committed, with what is made of it, in bytes; about.
    var heldBytes: Int { get }
}

extension IdentifiedRow {
    var heldBytes: Int { 1_024 }
}

/// A comment or a system note (GitLab facts §8).
struct NoteRow: IdentifiedRow, Hashable {
    var id: Int64
    var body: String
    var author: UserRow?
    /// Nil when GitLab wrote no time that can be read.
    var createdAt: WallTime?
    var isSystem: Bool = false
    /// True for notes that an importer wrote (since 17.x).
    var isImported: Bool = false

    var heldBytes: Int { 2_048 + 2 * body.utf8.count + (author?.heldBytes ?? 0) }
}

extension NoteRow {
    private enum CodingKeys: String, CodingKey {
        case id, body, author, system, imported
        case createdAt = "created_at"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int64.self, forKey: .id)
        body = try container.promisedText(.body, limit: TextLimit.body)
        author = try container.promised(.author)
        createdAt = try container.promisedTime(.createdAt)
        isSystem = try container.promised(.system) ?? false
        isImported = container.flag(.imported)
    }
}

/// A close, reopen or merge (GitLab facts §10).
struct StateEventRow: IdentifiedRow, Hashable {
    var id: Int64
    /// The actor: the key is `user` here, and it may be null.
    var user: UserRow?
    var createdAt: WallTime?
    /// `closed`, `reopened`, `merged`, or a word this version does not know.
    var state: String
}

extension StateEventRow {
    private enum CodingKeys: String, CodingKey {
        case id, user, state
        case createdAt = "created_at"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int64.self, forKey: .id)
        user = try container.promised(.user)
        createdAt = try container.promisedTime(.createdAt)
        state = try container.promisedText(.state)
    }
}
