import Platform

/// To-dos with their targets of every shape (GitLab facts §6.1).
extension InstanceState {
    mutating func writeTodo(_ todo: Todo, id: Int64, _ call: Call, into writer: inout JSONWriter) {
        let author = personJSON(todo.author)
        writer.object { object in
            object.field("id", id)
            if let project = todo.project { object.objectField("project") { writeTodoProject(project, into: &$0) } }
            if case .other(.group(let path)) = todo.target { Self.writeGroup(path, into: &object) }
            object.field("author", json: author)
            object.field("action_name", todo.action.rawValue)
            writeTarget(of: todo, call, into: &object)
            object.field("body", todo.body)
            object.field("state", todo.isDone ? "done" : "pending")
            object.field("created_at", todo.createdAt)
            object.field("updated_at", todo.updatedAt)
        }
    }

    private func writeTodoProject(_ index: Int, into object: inout JSONWriter) {
        writeProject(index, into: &object)
    }

    private static func writeGroup(_ path: String, into object: inout JSONWriter) {
        object.objectField("group") { group in
            group.field("id", 1)
            group.field("name", path)
            group.field("path", path)
            group.field("kind", "group")
            group.field("full_path", path)
            group.nullField("parent_id")
            group.nullField("avatar_url")
            group.field("web_url", "/groups/\(path)")
        }
    }

    private mutating func writeTarget(of todo: Todo, _ call: Call, into object: inout JSONWriter) {
        switch todo.target {
        case .item(let item):
            object.field("target_type", items[item].kind.className)
            if call.route.isRead {
                if let json = itemJSON(item, instant: call.instant) {
                    object.field("target", json: json)
                } else {
                    object.nullField("target")
                }
            } else {
                object.field("target", json: singleJSON(item, call))
            }
            object.field("target_url", webURL(of: item) + (todo.note.map { "#note_\($0)" } ?? ""))
        case .other(let target):
            object.field("target_type", target.className)
            object.key("target")
            write(target, into: &object)
            object.field("target_url", url(of: target))
        }
    }

    private func write(_ target: OtherTodoTarget, into writer: inout JSONWriter) {
        switch target {
        case .commit(_, let sha, let title):
            writer.object { commit in
                commit.field("id", sha)
                commit.field("short_id", String(sha.prefix(8)))
                commit.field("title", title)
                commit.field("message", title)
            }
        case .key(let title):
            writer.object { key in
                key.field("id", 1)
                key.field("title", title)
            }
        case .project(let path):
            guard let index = projectsByPath[path] else { return writer.null() }
            writer.object { writeProject(index, into: &$0) }
        case .group(let path):
            writer.object { group in
                group.field("id", 1)
                group.field("name", path)
                group.field("full_path", path)
            }
        case .workItem(let path, let iid, let title):
            writer.object { item in
                item.field("id", iid)
                item.field("iid", iid)
                item.field("project_id", projectsByPath[path].map { projects[$0].id })
                item.field("title", title)
                item.field("type", "TASK")
                item.field("issue_type", "task")
                item.field("state", "opened")
            }
        case .design(_, let filename):
            writer.object { design in
                design.field("id", 1)
                design.field("filename", filename)
            }
        }
    }

    private func url(of target: OtherTodoTarget) -> String? {
        let base = "\(configuration.externalURL)/"
        return switch target {
        case .commit(let path, let sha, _): base + "\(path)/-/commit/\(sha)"
        case .key: base + "-/user_settings/ssh_keys/1"
        case .project(let path): base + "\(path)/-/project_members"
        case .group(let path): base + "groups/\(path)/-/group_members"
        case .workItem(let path, let iid, _): base + "\(path)/-/work_items/\(iid)"
        case .design: nil
        }
    }
}
