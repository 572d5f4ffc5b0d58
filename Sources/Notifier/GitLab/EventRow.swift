import FoundationEssentials
import Platform

/// A row of a project's activity feed (GitLab facts §12.1).
struct EventRow: IdentifiedRow, Hashable {
    /// A comment as the feed carries it: the item stands in here, and nowhere else (trap 19).
    struct Comment: Decodable, Hashable, Sendable {
        var note: NoteRow
        var noteableType: String
        var noteableIID: Int64?
    }

    /// What was pushed: a branch, and no word about a merge request.
    struct Push: Decodable, Hashable, Sendable {
        var ref: String
        /// `branch` or `tag`.
        var refType: String = "branch"
        var commitCount: Int = 1
    }

    var id: Int64
    var projectID: Int64?
    /// Words for people, such as `commented on`, `accepted` (trap 20).
    var actionName: String
    var targetType: String = ""
    /// For comments the note's id, whatever its name says (trap 19).
    var targetIID: Int64?
    var author: UserRow?
    var createdAt: WallTime?
    var comment: Comment?
    var push: Push?
    var isImported: Bool = false

    var heldBytes: Int { 2_048 + (comment?.note.heldBytes ?? 0) + (author?.heldBytes ?? 0) }
}

extension EventRow {
    private enum CodingKeys: String, CodingKey {
        case id, author, note, imported
        case projectID = "project_id"
        case actionName = "action_name"
        case targetType = "target_type"
        case targetIID = "target_iid"
        case createdAt = "created_at"
        case push = "push_data"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int64.self, forKey: .id)
        projectID = container.optional(.projectID)
        actionName = try container.promisedText(.actionName)
        targetType = container.text(.targetType)
        targetIID = container.optional(.targetIID)
        // Left away where there is none, as what the event is about.
        author = try container.decodeIfPresent(UserRow.self, forKey: .author)
        createdAt = try container.promisedTime(.createdAt)
        comment = try container.decodeIfPresent(Comment.self, forKey: .note)
        push = try container.decodeIfPresent(Push.self, forKey: .push)
        isImported = container.flag(.imported)
    }
}

extension EventRow.Comment {
    private enum CodingKeys: String, CodingKey {
        case noteableType = "noteable_type"
        case noteableIID = "noteable_iid"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        note = try NoteRow(from: decoder)
        noteableType = container.text(.noteableType)
        noteableIID = container.optional(.noteableIID)
    }
}

extension EventRow.Push {
    private enum CodingKeys: String, CodingKey {
        case ref
        case refType = "ref_type"
        case commitCount = "commit_count"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        ref = container.text(.ref)
        refType = container.text(.refType)
        commitCount = container.optional(.commitCount) ?? 0
    }
}
