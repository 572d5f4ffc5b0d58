import Platform

extension InstanceState {
    /// Ends an action: appends it to the ledger.
    mutating func conclude(_ draft: ActivityDraft) -> Activity {
        people[draft.actor].lastWrite = draft.now
        let activity = Activity(
            sequence: ledger.count + 1,
            kind: draft.kind,
            at: draft.now,
            readableAt: draft.readableAt,
            claimedAt: draft.claimedAt ?? draft.now,
            actor: Activity.Actor(id: people[draft.actor].id, username: people[draft.actor].username),
            item: draft.item.map { summary(of: $0) },
            projectPath: (draft.item.map { items[$0].project } ?? draft.project).map { projects[$0].path },
            noteIDs: draft.noteIDs,
            systemNoteIDs: draft.systemNoteIDs,
            stateEventID: draft.stateEventID,
            labelEventIDs: draft.labelEventIDs,
            milestoneEventIDs: draft.milestoneEventIDs,
            pipelineID: draft.pipelineID,
            pipelineStatus: draft.pipelineStatus,
            pipelineRun: draft.pipelineRun,
            eventID: draft.eventID,
            todos: draft.todos.map {
                Activity.CreatedTodo(person: people[$0.person].username, id: $0.id, action: $0.action)
            },
            resolvedTodoIDs: draft.resolvedTodoIDs,
            restoredTodoIDs: draft.restoredTodoIDs,
            mentioned: draft.mentioned.filter { $0 != draft.actor }.map { people[$0].username },
            named: (draft.mentioned + draft.named.filter { !draft.mentioned.contains($0) })
                .filter { $0 != draft.actor }.map { people[$0].username },
            concerned: concerned(by: draft),
            successor: draft.successor.map { summary(of: $0) },
            body: draft.body,
            dueState: draft.item.flatMap { dueState(of: $0, after: draft.kind) }
        )
        ledger.append(activity)
        return activity
    }

    private func dueState(of index: Int, after kind: Activity.Kind) -> Activity.DueState? {
        let state = dueState(of: index)
        return state.date != nil || kind == .dueDateChanged || kind == .milestoneChanged ? state : nil
    }

    /// Who has to have the item done by when.
    func dueState(of index: Int) -> Activity.DueState {
        let fields = items[index].row.current
        return Activity.DueState(
            date: fields.dueDate ?? fields.milestone.flatMap { milestones[$0].dueDate },
            assignees: fields.assignees.map { people[$0].username },
            isOpen: fields.state != .closed && fields.state != .merged
        )
    }

    func summary(of index: Int) -> Activity.ItemSummary {
        let item = items[index]
        return Activity.ItemSummary(
            projectID: projects[item.project].id,
            projectPath: projects[item.project].path,
            kind: item.kind,
            id: item.id,
            iid: item.iid,
            title: item.row.current.title,
            webURL: webURL(of: index)
        )
    }

    private func concerned(by draft: ActivityDraft) -> [String] {
        var indices = Set(draft.concerned)
        indices.formUnion(draft.mentioned)
        indices.formUnion(draft.todos.map(\.person))
        if let index = draft.item {
            indices.insert(items[index].author)
            indices.formUnion(items[index].row.current.assignees)
            indices.formUnion(items[index].row.current.reviewers)
            indices.formUnion(items[index].participants)
        }
        indices.remove(draft.actor)
        return indices.map { people[$0].username }.sorted()
    }
}
