import Platform

/// The payloads of hooks, as far as §15.2 of the GitLab facts tells their fields.
extension State {
    func noteHook(_ id: Int64, _ action: String, _ item: Int, _ activity: Activity) -> (event: String, body: [UInt8]) {
        let note = items[item].notes.index(of: id).map { items[item].notes.rows[$0].current }
        let isHidden = items[item].row.current.isConfidential || note?.isInternal == true
        var writer = writer(capacity: 2_048)
        writer.object { object in
            object.field("object_kind", "note")
            object.field("event_type", isHidden ? "confidential_note" : "note")
            writeActor(activity, into: &object)
            writeHookProject(items[item].project, into: &object)
            object.objectField("object_attributes") { attributes in
                attributes.field("id", id)
                attributes.field("note", note?.body ?? activity.body)
                attributes.field("noteable_type", items[item].kind == .issue ? "Issue" : "MergeRequest")
                attributes.field("noteable_id", items[item].id)
                attributes.field("author_id", activity.actor.id)
                attributes.field("system", false)
                if version.tellsNoteAction { attributes.field("action", action) }
                attributes.field("created_at", HookTime.text(note?.createdAt ?? activity.at))
                attributes.field("updated_at", HookTime.text(note?.updatedAt ?? activity.at))
                attributes.field("url", "\(webURL(of: item))#note_\(id)")
            }
            object.objectField(items[item].kind == .issue ? "issue" : "merge_request") {
                writeHookItem(item, into: &$0)
            }
        }
        return (isHidden ? "Confidential Note Hook" : "Note Hook", writer.bytes)
    }

    func itemHook(_ action: String, _ item: Int, _ activity: Activity) -> (event: String, body: [UInt8]) {
        let isIssue = items[item].kind == .issue
        var writer = writer(capacity: 2_048)
        writer.object { object in
            object.field("object_kind", isIssue ? "issue" : "merge_request")
            object.field("event_type", isIssue ? "issue" : "merge_request")
            writeActor(activity, into: &object)
            writeHookProject(items[item].project, into: &object)
            object.objectField("object_attributes") { attributes in
                writeHookItem(item, into: &attributes)
                attributes.field("action", action)
                // Only pushes of code carry the former head.
                if activity.kind == .pushed { attributes.field("oldrev", String(repeating: "0", count: 40)) }
            }
            writeLabels(items[item].row.current.labels, details: true, into: &object)
            object.objectField("changes") { _ in }
        }
        guard isIssue else { return ("Merge Request Hook", writer.bytes) }
        return (items[item].row.current.isConfidential ? "Confidential Issue Hook" : "Issue Hook", writer.bytes)
    }

    /// `user` is who did it, not whose the item is.
    private func writeActor(_ activity: Activity, into object: inout JSONWriter) {
        let person = peopleByUsername[activity.actor.username].map { people[$0] }
        object.objectField("user") { user in
            user.field("id", activity.actor.id)
            user.field("name", person?.name ?? activity.actor.username)
            user.field("username", activity.actor.username)
            user.nullField("avatar_url")
            user.field("email", "[REDACTED]")
        }
        object.field("project_id", activity.item?.projectID)
    }

    private func writeHookProject(_ index: Int, into object: inout JSONWriter) {
        object.objectField("project") { project in
            project.field("id", projects[index].id)
            project.field("name", projects[index].name)
            project.field("web_url", "\(configuration.externalURL)/\(projects[index].path)")
            project.field("path_with_namespace", projects[index].path)
        }
    }

    private func writeHookItem(_ index: Int, into object: inout JSONWriter) {
        object.field("id", items[index].id)
        object.field("iid", items[index].iid)
        object.field("title", items[index].row.current.title)
        object.field("state", items[index].row.current.state.rawValue)
        object.field("updated_at", HookTime.text(items[index].row.current.updatedAt))
        object.field("url", webURL(of: index))
    }
}

/// The times of hooks: `2015-05-17 18:21:36 UTC` (GitLab facts §15.2).
enum HookTime {
    static func text(_ time: WallTime) -> String {
        let date = CivilDate(time)
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(date.dateText) \(two(date.hour)):\(two(date.minute)):\(two(date.second)) UTC"
    }
}
