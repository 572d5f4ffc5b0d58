import Platform

/// Issues and merge requests (GitLab facts §7.1).
extension InstanceState {
    /// An item for a list, without what only the single answer has; the present one is rendered once.
    mutating func itemJSON(_ item: Int, instant: WallTime, labelDetails: Bool = false) -> [UInt8]? {
        let row = items[item].row
        if !row.json.isEmpty, !labelDetails, row.isCurrent(at: instant) { return row.json }
        guard let fields = row.value(at: instant) else { return nil }
        var writer = writer(capacity: 3_072)
        writer.object { writeItem(item, fields, labelDetails: labelDetails, into: &$0) }
        if !labelDetails, row.isCurrent(at: instant) { items[item].row.json = writer.bytes }
        return writer.bytes
    }

    mutating func writeItem(_ item: Int, _ fields: ItemFields, labelDetails: Bool, into object: inout JSONWriter) {
        let entity = items[item]
        writeItemHead(entity, fields, into: &object)
        if entity.kind == .mergeRequest { writeMerge(fields, into: &object) }
        object.field("closed_at", fields.closedAt)
        write("closed_by", person: fields.closedBy, into: &object)
        writeLabels(fields.labels, details: labelDetails, into: &object)
        writeMilestoneField(fields.milestone, into: &object)
        write("assignees", people: fields.assignees, into: &object)
        write("author", person: entity.author, into: &object)
        if entity.kind == .issue {
            writeIssuePart(fields, into: &object)
        } else {
            write("reviewers", people: fields.reviewers, into: &object)
            writeMergeRequestPart(entity, fields, into: &object)
        }
        write("assignee", person: fields.assignees.first, into: &object)
        writeCommonPart(item, fields, into: &object)
    }

    /// What GitLab writes first of an item, also where it says little more.
    func writeItemHead(_ entity: Item, _ fields: ItemFields, into object: inout JSONWriter) {
        object.field("id", entity.id)
        object.field("iid", entity.iid)
        object.field("project_id", projects[entity.project].id)
        object.field("title", fields.title)
        object.field("description", fields.description)
        object.field("state", fields.state.rawValue)
        object.field("created_at", entity.createdAt)
        object.field("updated_at", fields.updatedAt)
    }

    private func writeMilestoneField(_ milestone: Int?, into object: inout JSONWriter) {
        guard let milestone else { return object.nullField("milestone") }
        object.objectField("milestone") { writeMilestone(milestone, into: &$0) }
    }

    private mutating func writeMerge(_ fields: ItemFields, into object: inout JSONWriter) {
        write("merged_by", person: fields.mergedBy, into: &object)
        write("merge_user", person: fields.mergedBy ?? fields.autoMergeBy, into: &object)
        object.field("merged_at", fields.mergedAt)
    }

    private func writeIssuePart(_ fields: ItemFields, into object: inout JSONWriter) {
        object.field("type", "ISSUE")
        object.field("issue_type", "issue")
        object.field("confidential", fields.isConfidential)
        object.field("merge_requests_count", 0)
        object.field("due_date", fields.dueDate?.dateText)
        object.field("moved_to_id", fields.movedTo.map { items[$0].id })
        object.field("has_tasks", false)
        object.field("task_status", "")
        object.field("severity", "UNKNOWN")
    }

    private func writeMergeRequestPart(_ entity: Item, _ fields: ItemFields, into object: inout JSONWriter) {
        let project = projects[entity.project].id
        object.field("source_project_id", project)
        object.field("target_project_id", project)
        object.field("source_branch", fields.sourceBranch)
        object.field("target_branch", fields.targetBranch)
        object.field("draft", fields.isDraft)
        object.field("work_in_progress", fields.isDraft)
        object.field("merge_when_pipeline_succeeds", fields.autoMergeBy != nil)
        let canBeMerged = fields.state == .opened && !fields.hasConflicts
        object.field("merge_status", canBeMerged ? "can_be_merged" : "cannot_be_merged")
        if version.hasDetailedMergeStatus { object.field("detailed_merge_status", detailedStatus(fields)) }
        if version.hasPreparedAt {
            object.field("prepared_at", entity.createdAt)
            object.nullField("merge_after")
        }
        object.field("sha", fields.sha)
        object.field("merge_commit_sha", fields.mergeCommit)
        object.nullField("squash_commit_sha")
        object.nullField("should_remove_source_branch")
        object.nullField("force_remove_source_branch")
        object.field("has_conflicts", fields.hasConflicts)
        object.field("blocking_discussions_resolved", true)
        object.field("squash", false)
        object.field("squash_on_merge", false)
        object.field("reference", "!\(entity.iid)")
    }

    func detailedStatus(_ fields: ItemFields) -> String {
        guard fields.state == .opened else { return "not_open" }
        if fields.hasConflicts { return "conflict" }
        return fields.isDraft ? "draft_status" : "mergeable"
    }

    private func writeCommonPart(_ item: Int, _ fields: ItemFields, into object: inout JSONWriter) {
        let entity = items[item]
        let mark = "\(entity.kind.mark)\(entity.iid)"
        object.field("user_notes_count", fields.noteCount)
        object.field("upvotes", fields.upvotes)
        object.field("downvotes", fields.downvotes)
        object.nullField("discussion_locked")
        if version.tellsImported { Self.writeImport(fields.isImported, into: &object) }
        object.field("web_url", webURL(of: item))
        object.objectField("references") { references in
            references.field("short", mark)
            references.field("relative", mark)
            references.field("full", "\(projects[entity.project].path)\(mark)")
        }
        object.objectField("time_stats") { stats in
            stats.field("time_estimate", 0)
            stats.field("total_time_spent", 0)
            stats.nullField("human_time_estimate")
            stats.nullField("human_total_time_spent")
        }
        object.objectField("task_completion_status") { status in
            status.field("count", 0)
            status.field("completed_count", 0)
        }
        guard entity.kind == .issue else { return }
        let path = "/projects/\(projects[entity.project].id)"
        let base = "\(configuration.externalURL)/api/v4\(path)"
        object.objectField("_links") { links in
            links.field("self", "\(base)/issues/\(entity.iid)")
            links.field("notes", "\(base)/issues/\(entity.iid)/notes")
            links.field("award_emoji", "\(base)/issues/\(entity.iid)/award_emoji")
            links.field("project", base)
        }
    }

    /// What only the single answer has (GitLab facts §7.1).
    mutating func writeSinglePart(_ item: Int, _ fields: ItemFields, _ call: Call, into object: inout JSONWriter) {
        object.field("subscribed", isSubscribed(call.reader, to: item))
        guard items[item].kind == .mergeRequest else { return }
        object.field("changes_count", "1")
        if canReadPipelines(of: items[item].project, call.reader) {
            writePipelines(item, at: call.instant, into: &object)
        }
        object.objectField("diff_refs") { refs in
            let base = diffs[item]?.base ?? String(repeating: "0", count: 40)
            refs.field("base_sha", base)
            refs.field("head_sha", fields.sha)
            refs.field("start_sha", base)
        }
        object.nullField("merge_error")
        let role = role(of: call.reader, in: items[item].project) ?? .guest
        object.objectField("user") { $0.field("can_merge", role >= .developer) }
    }

    private mutating func writePipelines(_ item: Int, at instant: WallTime, into object: inout JSONWriter) {
        let newest = items[item].pipelines.rows.last { $0.value(at: instant) != nil }
        for name in ["latest_build_started_at", "latest_build_finished_at"] as [StaticString] {
            object.field(name, newest?.value(at: instant)?.updatedAt)
        }
        object.nullField("first_deployed_to_production_at")
        guard let newest, let pipeline = newest.value(at: instant) else {
            object.nullField("pipeline")
            return object.nullField("head_pipeline")
        }
        object.objectField("pipeline") { writePipeline(pipeline, id: newest.id, of: item, into: &$0) }
        let author = personJSON(pipeline.author)
        object.objectField("head_pipeline") { head in
            writePipeline(pipeline, id: newest.id, of: item, into: &head)
            head.field("user", json: author)
            head.field("started_at", pipeline.createdAt)
            head.field("finished_at", pipeline.updatedAt)
            head.field("duration", 90)
            head.nullField("coverage")
            head.objectField("detailed_status") { status in
                status.field("text", pipeline.status.rawValue)
                status.field("label", pipeline.status.rawValue)
                status.field("group", pipeline.status.rawValue)
            }
        }
    }

    func writePipeline(_ pipeline: Pipeline, id: Int64, of item: Int, into object: inout JSONWriter) {
        let project = projects[items[item].project]
        object.field("id", id)
        object.field("iid", pipeline.iid)
        object.field("project_id", project.id)
        object.field("sha", pipeline.sha)
        object.field("ref", pipeline.ref)
        object.field("status", pipeline.status.rawValue)
        object.field("source", "merge_request_event")
        object.nullField("name")
        object.field("created_at", pipeline.createdAt)
        object.field("updated_at", pipeline.updatedAt)
        object.field("web_url", "\(configuration.externalURL)/\(project.path)/-/pipelines/\(id)")
    }
}
