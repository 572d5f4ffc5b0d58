import Platform

extension FakeGitLab {
    /// Arms auto-merge: the merge request is merged in this person's name as soon as its pipeline succeeds and nothing else stands in
    /// the way (supplement §4, trap 30). Until then `merge_user` names the person, a push or a close takes it back.
    @discardableResult
    package func enableAutoMerge(by username: String, on item: ItemReference) throws -> Activity {
        try act { try $0.enableAutoMerge(by: username, on: $0.mergeRequest(item), at: $1) }
    }
}

extension InstanceState {
    mutating func enableAutoMerge(by username: String, on item: Int, at now: WallTime) throws -> Activity {
        try requireOpen(item)
        guard items[item].row.current.autoMergeBy == nil, newestPipeline(of: item)?.isFinal == false else {
            throw FakeGitLabError(
                .wrongState,
                "\(items[item].reference(in: projects)) cannot be merged later.",
                hint: "Let a pipeline run, and arm auto-merge once."
            )
        }
        var draft = draft(.autoMergeEnabled, by: try person(username), on: item, at: now)
        try requireAccess(draft.actor, to: item)
        change(item, at: now) { $0.autoMergeBy = draft.actor }
        let sha = items[item].row.current.sha ?? String(repeating: "0", count: 40)
        let condition =
            version.mergesWhenChecksPass ? "all merge checks for \(sha) pass" : "the pipeline for \(sha) succeeds"
        draft.body = "enabled an automatic merge when \(condition)"
        insertSystemNote(draft.body, into: item, draft: &draft)
        return conclude(draft)
    }

    /// Merges in the name of who armed auto-merge, if nothing stands in the way any more.
    mutating func mergeAutomatically(_ item: Int, at now: WallTime) throws {
        let fields = items[item].row.current
        guard let person = fields.autoMergeBy, fields.state == .opened, !fields.isDraft, !fields.hasConflicts,
            newestPipeline(of: item) == .success
        else { return }
        // Who armed it may have lost access or be blocked since: GitLab leaves it open then.
        guard canRead(item: item, person), people[person].state == .active else { return }
        _ = try merge(by: people[person].username, on: item, at: now)
    }

    /// Takes auto-merge back, in the name of whoever's deed it was (supplement §3).
    mutating func abortAutoMerge(on item: Int, by actor: Int, because reason: String, at now: WallTime) {
        guard items[item].row.current.autoMergeBy != nil else { return }
        var draft = draft(.autoMergeAborted, by: actor, on: item, at: now)
        change(item, at: now) { $0.autoMergeBy = nil }
        draft.body = "aborted the automatic merge because \(reason)"
        insertSystemNote(draft.body, into: item, draft: &draft)
        _ = conclude(draft)
    }

    private func newestPipeline(of item: Int) -> PipelineStatus? { items[item].pipelines.rows.last?.current.status }
}
