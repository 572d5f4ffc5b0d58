import FoundationEssentials
import Platform

/// A to-do item (GitLab facts §6.1). Its target can be anything, so that nothing in it is certain (trap 31).
struct TodoRow: IdentifiedRow, Hashable {
    /// The part of the project that comes with a to-do; the key is absent for to-dos without one.
    struct Project: Decodable, Hashable, Sendable {
        var id: Int64
        var path: String?
    }

    /// What the to-do is about. A commit has a text for an id and no number; a key has neither.
    struct Target: Decodable, Hashable, Sendable {
        var iid: Int64?
        var projectID: Int64?
        var title: String?
        var webURL: String?
        /// When it was merged or closed, while it is.
        var endedAt: WallTime?
        /// Who is asked for a review of a merge request; nil where GitLab does not say.
        var reviewers: [Int64]?
        var updatedAt: WallTime?
    }

    var id: Int64
    var project: Project?
    var author: UserRow?
    var actionName: String
    var targetType: String
    var target: Target?
    /// Ends in `#note_<id>` when a comment caused the to-do: the only link between the two.
    var targetURL: String?
    var body: String
    var createdAt: WallTime?

    var heldBytes: Int {
        let texts = [project?.path, target?.title, target?.webURL, targetURL, body].compactMap { $0?.utf8.count }
        return 2_048 + 2 * texts.reduce(0, +) + (author?.heldBytes ?? 0)
    }
}

extension TodoRow {
    private enum CodingKeys: String, CodingKey {
        case id, project, author, target, body
        case actionName = "action_name"
        case targetType = "target_type"
        case targetURL = "target_url"
        case createdAt = "created_at"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int64.self, forKey: .id)
        project = container.optional(.project)
        author = try container.promised(.author)
        actionName = try container.promisedText(.actionName)
        targetType = try container.promisedText(.targetType)
        target = try container.promised(.target)
        targetURL = container.address(.targetURL)
        body = container.text(.body, limit: TextLimit.body)
        createdAt = try container.promisedTime(.createdAt)
    }
}

extension TodoRow.Project {
    private enum CodingKeys: String, CodingKey {
        case id
        case path = "path_with_namespace"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int64.self, forKey: .id)
        path = container.line(.path)
    }
}

extension TodoRow.Target {
    private enum CodingKeys: String, CodingKey {
        case iid, title, state, reviewers
        case projectID = "project_id"
        case webURL = "web_url"
        case mergedAt = "merged_at"
        case closedAt = "closed_at"
        case updatedAt = "updated_at"
    }

    private struct Reviewer: Decodable {
        var id: Int64
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        iid = container.optional(.iid)
        projectID = container.optional(.projectID)
        title = container.line(.title)
        webURL = container.address(.webURL)
        let state = container.line(.state)
        endedAt = state == "merged" || state == "closed" ? container.time(.mergedAt) ?? container.time(.closedAt) : nil
        reviewers = container.optional(.reviewers, as: [Reviewer].self)?.prefix(TextLimit.entries).map(\.id)
        updatedAt = container.time(.updatedAt)
    }
}
