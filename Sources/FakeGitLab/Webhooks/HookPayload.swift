import Platform

/// The payloads of hooks (GitLab facts §15.2, supplement §5).
extension InstanceState {
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
                writeHookNote(id, note, on: item, activity, into: &attributes)
                if version.tellsNoteAction { attributes.field("action", action) }
            }
            object.objectField(items[item].kind == .issue ? "issue" : "merge_request") {
                writeHookItem(item, into: &$0)
            }
        }
        return (isHidden ? "Confidential Note Hook" : "Note Hook", writer.bytes)
    }

    private func writeHookNote(
        _ id: Int64,
        _ note: Note?,
        on item: Int,
        _ activity: Activity,
        into object: inout JSONWriter
    ) {
        object.nullField("attachment")
        object.field("author_id", activity.actor.id)
        object.nullField("change_position")
        object.nullField("commit_id")
        object.field("created_at", HookTime.text(note?.createdAt ?? activity.at))
        object.field("discussion_id", note.map { items[item].discussions[$0.discussion].id })
        object.field("id", id)
        object.nullField("line_code")
        object.field("note", note?.body ?? activity.body)
        object.field("noteable_id", items[item].id)
        object.field("noteable_type", items[item].kind.className)
        object.nullField("original_position")
        object.nullField("position")
        object.field("project_id", projects[items[item].project].id)
        object.field("resolved_at", note?.resolvedAt.map(HookTime.text))
        object.field("resolved_by_id", note?.resolvedBy.map { people[$0].id })
        object.nullField("resolved_by_push")
        object.nullField("st_diff")
        object.field("system", false)
        object.field("type", note.flatMap { $0.type == .plain ? nil : $0.type.rawValue })
        object.field("updated_at", HookTime.text(note?.updatedAt ?? activity.at))
        object.nullField("updated_by_id")
        object.field("description", note?.body ?? activity.body)
        object.field("url", "\(webURL(of: item))#note_\(id)")
    }

    func itemHook(_ action: String, _ item: Int, _ activity: Activity) -> (event: String, body: [UInt8]) {
        let isIssue = items[item].kind == .issue
        let isHidden = isIssue && items[item].row.current.isConfidential
        var writer = writer(capacity: 2_048)
        writer.object { object in
            object.field("object_kind", isIssue ? "issue" : "merge_request")
            object.field("event_type", isHidden ? "confidential_issue" : isIssue ? "issue" : "merge_request")
            writeActor(activity, into: &object)
            writeHookProject(items[item].project, into: &object)
            object.objectField("object_attributes") { attributes in
                writeHookItem(item, into: &attributes)
                attributes.field("action", action)
                // Only pushes of code carry the former head.
                if activity.kind == .pushed { attributes.field("oldrev", formerHead(of: item, before: activity.at)) }
            }
            writeLabels(items[item].row.current.labels, details: true, into: &object)
            object.objectField("changes") { _ in }
            writeHookPeople("assignees", items[item].row.current.assignees, into: &object)
            if !isIssue { writeHookPeople("reviewers", items[item].row.current.reviewers, into: &object) }
        }
        guard isIssue else { return ("Merge Request Hook", writer.bytes) }
        return (isHidden ? "Confidential Issue Hook" : "Issue Hook", writer.bytes)
    }

    private func formerHead(of item: Int, before instant: WallTime) -> String? {
        diffs[item]?.versions.last { $0.createdAt < instant }?.head
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

    private func writeHookPeople(_ name: StaticString, _ indices: [Int], into object: inout JSONWriter) {
        object.arrayField(name) { array in
            for index in indices {
                array.object { user in
                    user.field("id", people[index].id)
                    user.field("name", people[index].name)
                    user.field("username", people[index].username)
                    user.nullField("avatar_url")
                    user.field("email", "[REDACTED]")
                }
            }
        }
    }

    private func writeHookProject(_ index: Int, into object: inout JSONWriter) {
        let address = "\(configuration.externalURL)/\(projects[index].path)"
        object.objectField("project") { project in
            project.field("id", projects[index].id)
            project.field("name", projects[index].name)
            project.nullField("description")
            project.field("web_url", address)
            project.nullField("avatar_url")
            project.field("git_http_url", "\(address).git")
            project.field("namespace", projects[index].namespace)
            project.field("path_with_namespace", projects[index].path)
            project.field("default_branch", "main")
        }
        object.objectField("repository") { repository in
            repository.field("name", projects[index].name)
            repository.field("url", "\(address).git")
            repository.field("description", "")
            repository.field("homepage", address)
        }
    }

    private func writeHookItem(_ index: Int, into object: inout JSONWriter) {
        let item = items[index]
        let fields = item.row.current
        object.field("id", item.id)
        object.field("iid", item.iid)
        object.field("title", fields.title)
        object.field("description", fields.description)
        object.field("author_id", people[item.author].id)
        object.arrayField("assignee_ids") { array in
            for person in fields.assignees { array.int(people[person].id) }
        }
        object.field("milestone_id", fields.milestone.map { milestones[$0].id })
        object.field("state", fields.state.rawValue)
        object.field("state_id", fields.state.number)
        object.field("created_at", HookTime.text(item.createdAt))
        object.field("updated_at", HookTime.text(fields.updatedAt))
        object.field("url", webURL(of: index))
        writeLabels(fields.labels, details: true, into: &object)
        if item.kind == .issue {
            writeHookIssue(item, fields, into: &object)
        } else {
            writeHookMerge(index, fields, into: &object)
        }
    }

    private func writeHookIssue(_ item: Item, _ fields: ItemFields, into object: inout JSONWriter) {
        object.field("project_id", projects[item.project].id)
        object.field("confidential", fields.isConfidential)
        object.field("due_date", fields.dueDate?.dateText)
        object.field("moved_to_id", fields.movedTo.map { items[$0].id })
        object.nullField("duplicated_to_id")
        object.field("severity", "unknown")
        object.field("type", "Issue")
        object.field("closed_at", fields.closedAt.map(HookTime.text))
    }

    private func writeHookMerge(_ index: Int, _ fields: ItemFields, into object: inout JSONWriter) {
        let item = items[index]
        let project = projects[item.project].id
        object.field("source_branch", fields.sourceBranch)
        object.field("target_branch", fields.targetBranch)
        object.field("source_project_id", project)
        object.field("target_project_id", project)
        object.arrayField("reviewer_ids") { array in
            for person in fields.reviewers { array.int(people[person].id) }
        }
        object.field("draft", fields.isDraft)
        object.field("work_in_progress", fields.isDraft)
        object.field("merge_commit_sha", fields.mergeCommit)
        object.field("merge_user_id", fields.mergedBy.map { people[$0].id })
        object.field("blocking_discussions_resolved", true)
        if version.hasDetailedMergeStatus { object.field("detailed_merge_status", detailedStatus(fields)) }
        for side in ["source", "target"] as [StaticString] {
            object.objectField(side) { target in
                target.field("id", project)
                target.field("name", projects[item.project].name)
                target.field("path_with_namespace", projects[item.project].path)
            }
        }
        guard let commit = diffs[index]?.commits.last else {
            return object.nullField("last_commit")
        }
        object.objectField("last_commit") { last in
            last.field("id", commit.sha)
            last.field("message", commit.title)
            last.field("title", commit.title)
            last.field("timestamp", HookTime.text(commit.createdAt))
            last.objectField("author") { author in
                author.field("name", people[commit.author].name)
                author.field("email", "[REDACTED]")
            }
        }
    }
}

extension ItemState {
    /// `state_id` of a hook.
    fileprivate var number: Int {
        switch self {
        case .opened: 1
        case .closed: 2
        case .merged: 3
        case .locked: 4
        }
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
