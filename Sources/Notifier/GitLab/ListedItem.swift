import FoundationEssentials
import Platform

/// How a person has to do with an item.
enum Involvement: String, Hashable, Sendable, CaseIterable {
    case assigned, authored, reviewer, mentioned
}

/// An issue or merge request in a list, or as the target of a to-do (GitLab facts §6.1, §7).
struct ListedItemRow: IdentifiedRow, Hashable {
    /// The row's own id: the item's global one, or the to-do's.
    var id: Int64
    /// Nil for to-dos on anything but issues and merge requests (trap 31), for those whose target is gone, and for work items of a group.
    var item: ListedItem?
    /// A to-do's action, such as `mentioned`; nil for rows that are items themselves.
    var actionName: String?

    private enum CodingKeys: String, CodingKey {
        case id, target, project
        case actionName = "action_name"
        case targetType = "target_type"
    }

    private struct Project: Decodable {
        var id: Int64?
        var path: String?

        private enum CodingKeys: String, CodingKey {
            case id
            case path = "path_with_namespace"
        }
    }

    /// Work items of a group, such as epics, have no project, and can be watched by nobody here.
    private struct Target: Decodable {
        var item: ListedItem?

        private enum CodingKeys: String, CodingKey {
            case projectID = "project_id"
        }

        init(from decoder: any Decoder) throws {
            let projectID = try decoder.container(keyedBy: CodingKeys.self).promised(.projectID, as: Int64.self)
            item = projectID == nil ? nil : try ListedItem(from: decoder)
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int64.self, forKey: .id)
        actionName = container.line(.actionName)
        guard container.contains(.actionName) else {
            item = try ListedItem(from: decoder)
            return
        }
        let project = container.optional(.project, as: Project.self)
        let type = try container.promisedText(.targetType)
        guard type == "Issue" || type == "MergeRequest" else { return }
        item = try container.promised(.target, as: Target.self)?.item
        if item?.projectPath == nil { item?.projectPath = project?.path?.cut(toBytes: TextLimit.line) }
    }

    /// True for a to-do that a mention caused: a comment that begins with the name counts as addressed (GitLab facts §6.1).
    var isMention: Bool { actionName == "mentioned" || actionName == "directly_addressed" }
}

/// An issue or merge request as a list shows it.
struct ListedItem: Decodable, Hashable, Sendable {
    /// Global.
    var id: Int64
    var iid: Int64
    var projectID: Int64
    var title: String
    /// An open set of words, such as `opened`, `closed`, `merged`.
    var state: String
    var webURL: String?
    /// Such as `team/backend`.
    var projectPath: String?
    var updatedAt: WallTime
    /// Only merge requests have a source branch.
    var kind: ItemKind

    private enum CodingKeys: String, CodingKey {
        case id, iid, title, state, references
        case projectID = "project_id"
        case webURL = "web_url"
        case updatedAt = "updated_at"
        case sourceBranch = "source_branch"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int64.self, forKey: .id)
        iid = try container.decode(Int64.self, forKey: .iid)
        projectID = try container.decode(Int64.self, forKey: .projectID)
        title = container.text(.title)
        state = container.text(.state)
        webURL = container.address(.webURL)
        updatedAt = container.time(.updatedAt) ?? WallTime(microseconds: 0)
        kind = container.contains(.sourceBranch) ? .mergeRequest : .issue
        projectPath = container.projectPath(.references)
    }

    var reference: ItemReference {
        ItemReference(project: ProjectID(rawValue: projectID), kind: kind, iid: iid)
    }
}
