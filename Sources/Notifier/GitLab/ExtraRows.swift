import FoundationEssentials
import Platform

/// A label or milestone that was added to an item or removed from it (GitLab facts §10).
struct MetadataEventRow: IdentifiedRow, Hashable {
    var id: Int64
    /// The actor: the key is `user` here, and it may be null.
    var user: UserRow?
    var createdAt: WallTime?
    /// `add` or `remove`.
    var action: String
    /// The label's name or the milestone's title; nil when it was deleted meanwhile.
    var name: String?
}

extension MetadataEventRow {
    private enum CodingKeys: String, CodingKey {
        case id, user, action, label, milestone
        case createdAt = "created_at"
    }

    private struct Named: Decodable {
        var name: String?
        var title: String?
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int64.self, forKey: .id)
        user = try container.promised(.user)
        createdAt = try container.promisedTime(.createdAt)
        action = try container.promisedText(.action)
        let label: Named? = container.optional(.label)
        let milestone: Named? = container.optional(.milestone)
        name = (label?.name ?? milestone?.title)?.cut(toBytes: TextLimit.line)
    }
}

/// A pipeline of a merge request as the list shows it (GitLab facts §11.3).
struct PipelineRow: IdentifiedRow, Hashable {
    var id: Int64
    /// An open set of words; `success` and `failed` are ends.
    var status: String
    var updatedAt: WallTime?
    var webURL: String?
    var createdAt: WallTime?
}

extension PipelineRow {
    private enum CodingKeys: String, CodingKey {
        case id, status
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case webURL = "web_url"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int64.self, forKey: .id)
        status = try container.promisedText(.status)
        updatedAt = try container.promisedTime(.updatedAt)
        webURL = container.address(.webURL)
        createdAt = container.time(.createdAt)
    }
}

/// Who approves a merge request (GitLab facts §11.1).
struct ApprovalsResponse: Decodable, Hashable, Sendable {
    struct Entry: Decodable, Hashable, Sendable {
        var user: UserRow
        /// Nil on most releases.
        var approvedAt: WallTime?
    }

    var entries: [Entry]
}

extension ApprovalsResponse {
    private enum CodingKeys: String, CodingKey {
        case entries = "approved_by"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        entries = Array(try container.decode([Entry].self, forKey: .entries).prefix(TextLimit.entries))
    }
}

extension ApprovalsResponse.Entry {
    private enum CodingKeys: String, CodingKey {
        case user
        case approvedAt = "approved_at"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        user = try container.decode(UserRow.self, forKey: .user)
        approvedAt = container.time(.approvedAt)
    }
}
