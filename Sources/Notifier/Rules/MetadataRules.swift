import Platform

/// Facts of the lists that are read now and then, or only for who wants them.
extension FactRules {
    /// A label or milestone that was added or removed.
    func candidate(
        _ event: MetadataEventRow,
        of list: MetadataList,
        on watched: WatchedItem,
        at moment: Moment
    ) -> Candidate {
        let isLabel = list == .labelEvents
        let project = watched.item.project
        let sign = isLabel ? "~" : "%"
        let verb = event.action == "remove" ? "removed" : "added"
        let fact = Fact(
            key: isLabel ? .labelEvent(project, event.id) : .milestoneEvent(project, event.id),
            action: isLabel ? .labelsChanged : .milestoneChanged,
            actor: Actor(event.user),
            item: watched.item,
            itemTitle: watched.title,
            projectPath: watched.projectPath,
            webURL: watched.webURL,
            body: event.name.map { "\(verb) \(sign)\($0)" },
            occurredAt: event.createdAt ?? moment.now,
            source: .activity,
            sourceID: event.id
        )
        return judged(Candidate(fact: fact), actor: event.user, isImported: false, at: moment)
    }

    /// A pipeline that has ended. Nobody did it: it is news for the author of the merge request too.
    func candidate(_ ended: EndedRun, on watched: WatchedItem, at moment: Moment) -> Candidate {
        let pipeline = ended.row
        let action = pipeline.status == "failed" ? Action.pipelineFailed : .pipelineSucceeded
        let fact = Fact(
            key: .pipeline(watched.item.project, pipeline.id, status: pipeline.status, run: ended.run),
            action: action,
            actor: Actor(nil),
            item: watched.item,
            itemTitle: watched.title,
            projectPath: watched.projectPath,
            webURL: pipeline.webURL ?? watched.webURL,
            body: nil,
            occurredAt: pipeline.updatedAt ?? moment.now,
            source: .activity,
            sourceID: pipeline.id
        )
        var candidate = Candidate(fact: fact)
        candidate.report = report(action, by: nil, on: watched.item, source: .item)
        candidate.report?.since = ended.since
        return judged(candidate, actor: nil, isImported: false, at: moment)
    }

    /// An approval that appeared in the list since `since`.
    func candidate(
        _ appearance: ApprovalCheck.Appearance,
        on watched: WatchedItem,
        since: WallTime,
        at moment: Moment
    ) -> Candidate {
        let user = appearance.entry.user
        let item = watched.item
        let fact = Fact(
            key: .approval(item.project, iid: item.iid, person: user.id, ordinal: appearance.times),
            action: .approved,
            actor: Actor(user),
            item: item,
            itemTitle: watched.title,
            projectPath: watched.projectPath,
            webURL: watched.webURL,
            body: nil,
            occurredAt: appearance.entry.approvedAt ?? moment.now,
            source: .activity,
            sourceID: user.id
        )
        var candidate = Candidate(fact: fact)
        candidate.report = report(.approved, by: user, on: item, source: .approvals)
        candidate.report?.since = appearance.entry.approvedAt ?? since
        return judged(candidate, actor: user, isImported: false, at: moment)
    }
}
