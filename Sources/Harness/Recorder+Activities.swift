import FakeGitLab
import Platform
import Scenarios
import Simulation
import Verdict

extension Recorder {
    /// Notes what happened on GitLab since it was last read.
    func readLedger(of gitlab: FakeGitLab) {
        guard gitlab.activityCount > ledgerSequence else { return }
        let marksImports = gitlab.tellsImported
        for activity in gitlab.activities(after: ledgerSequence) {
            ledgerSequence = activity.sequence
            note(activity, marksImports: marksImports)
        }
        onLedgerGrown?()
    }

    /// The first note of the oldest thread on a merge request that is still open.
    func oldestOpenThread(on item: ItemReference) -> Int64? {
        record.activities.first { activity in
            activity.item == item && (activity.kind == .diffComment || activity.kind == .reviewComment)
                && activity.goneAt == nil && !resolvedThreads.contains(activity.noteID ?? 0)
        }?.noteID
    }

    /// One record for each note an activity made.
    private func note(_ activity: Activity, marksImports: Bool) {
        for id in activity.resolvedTodoIDs { changeTodo(id) { $0.resolve(at: now) } }
        for id in activity.restoredTodoIDs { changeTodo(id) { $0.restore(at: now) } }
        if activity.kind == .noteDeleted { activity.noteIDs.forEach(noteGone) }
        guard let kind = Self.kind(of: activity) else { return }
        if kind == .unapproved { approvalsGone(by: activity.actor.id, on: activity) }
        if kind == .pushed, resetsApprovals { approvalsGone(by: nil, on: activity) }
        if let pipeline = activity.pipelineID { formerEndsGone(of: pipeline, before: activity.pipelineRun) }
        let notes = activity.noteIDs.map(Optional.some)
        for (index, note) in (notes.isEmpty ? [nil] : notes).enumerated() {
            var entry = makeRecord(of: activity, kind: kind, note: note)
            // The to-dos of a burst belong to the whole; they are told once, with its first note.
            if index > 0 { entry.todos = [] }
            entry.isMarkedAsImported = kind == .imported && marksImports
            add(entry)
        }
    }

    /// A to-do left the pending list, or came back to it, whatever the reason: GitLab's own ledger says so.
    private func changeTodo(_ id: Int64, _ change: (inout ActivityRecord.Todo) -> Void) {
        guard let place = todoPlaces[id] else { return }
        change(&record.activities[place.activity].todos[place.todo])
    }

    private func add(_ entry: ActivityRecord) {
        for (index, todo) in entry.todos.enumerated() { todoPlaces[todo.id] = (record.activities.count, index) }
        record.activities.append(entry)
        simulation.trace.record(
            .world(
                kind: "activity",
                subject: Int64(entry.number),
                detail: "\(entry.kind.rawValue) by \(entry.actor) on \(entry.item.map { "\($0)" } ?? "nothing")"
            )
        )
    }

    private func makeRecord(of activity: Activity, kind: ActivityKind, note: Int64?) -> ActivityRecord {
        let lag = activity.at.duration(to: activity.readableAt)
        var entry = ActivityRecord(
            number: record.activities.count + 1,
            kind: kind,
            at: now,
            readableFrom: now + lag,
            claimedAt: now - activity.claimedAt.duration(to: activity.at),
            actor: Username(activity.actor.username) ?? Self.nobody,
            item: activity.item.flatMap(Self.reference),
            projectID: activity.item?.projectID,
            itemTitle: activity.item?.title ?? "",
            noteID: note,
            stateEventID: activity.stateEventID,
            todos: activity.todos.compactMap { todo in
                Username(todo.person).map { ActivityRecord.Todo(person: $0, id: todo.id, action: todo.action.rawValue) }
            },
            mentions: activity.mentioned.compactMap { Username($0) },
            body: activity.body
        )
        entry.named = activity.named.compactMap { Username($0) }
        entry.project = entry.project ?? activity.projectPath.flatMap { ProjectPath($0) }
        entry.successor = activity.successor.flatMap(Self.reference)
        entry.eventID = activity.eventID
        entry.labelEventIDs = activity.labelEventIDs
        entry.milestoneEventIDs = activity.milestoneEventIDs
        entry.pipelineID = activity.pipelineID
        entry.pipelineStatus = activity.pipelineStatus?.rawValue
        entry.pipelineRun = activity.pipelineRun
        entry.actorID = activity.actor.id
        entry.due = activity.dueState.map(Self.due)
        return entry
    }

    private static func due(_ state: Activity.DueState) -> ActivityRecord.Due {
        ActivityRecord.Due(
            date: state.date,
            assignees: state.assignees.compactMap { Username($0) },
            isOpen: state.isOpen
        )
    }

    /// Items are due by another day, although nothing was done to them.
    func note(_ moved: [MovedDueDate]) {
        for change in moved {
            guard let item = Self.reference(change.item) else { continue }
            record.dueMoves.append(DueMoveRecord(item: item, at: now, due: Self.due(change.due)))
        }
    }

    /// The note cannot be read any more.
    private func noteGone(_ note: Int64) {
        for index in record.activities.indices
        where record.activities[index].noteID == note && record.activities[index].goneAt == nil {
            record.activities[index].goneAt = now
        }
    }

    /// Approvals that left no note stood in the list alone, which shows them no more: those of that person, or of everybody.
    private func approvalsGone(by actor: Int64?, on activity: Activity) {
        let item = activity.item.flatMap(Self.reference)
        for index in record.activities.indices
        where record.activities[index].kind == .approved && record.activities[index].noteID == nil
            && record.activities[index].item == item && record.activities[index].goneAt == nil
            && (actor == nil || record.activities[index].actorID == actor)
        {
            record.activities[index].goneAt = now
        }
    }

    /// The pipeline runs again under its id, which shows no more how its former runs ended.
    private func formerEndsGone(of pipeline: Int64, before run: Int64) {
        guard run > 1 else { return }
        for index in record.activities.indices
        where record.activities[index].pipelineID == pipeline && record.activities[index].pipelineRun < run
            && record.activities[index].goneAt == nil
        {
            record.activities[index].goneAt = now
        }
    }

    private var resetsApprovals: Bool {
        record.resolved.scenario.world.gitlab.quirks.contains { $0 == .resetsApprovals }
    }

    /// The person watches the item no more, however often they had asked for it.
    func endWatches(of item: ItemReference, by person: Username, requestedAt: Duration, endedAt: Duration? = nil) {
        for index in record.watches.indices {
            let watch = record.watches[index]
            guard watch.person == person, watch.item == item, watch.endedAt == nil else { continue }
            record.watches[index].endRequestedAt = requestedAt
            record.watches[index].endedAt = endedAt ?? now
        }
    }

    /// Nothing on the item can be read any more.
    func itemGone(_ item: ItemReference) {
        for index in record.activities.indices
        where record.activities[index].item == item && record.activities[index].goneAt == nil {
            record.activities[index].goneAt = now
        }
    }

    private static let nobody: Username = {
        guard let name = Username("ghost") else { preconditionFailure("a plain word is a username") }
        return name
    }()

    private static func reference(_ item: Activity.ItemSummary) -> ItemReference? {
        ProjectPath(item.projectPath).map {
            ItemReference(project: $0, kind: item.kind == .issue ? .issue : .mergeRequest, iid: item.iid)
        }
    }

    /// Nil for what is not an activity on an item: to-dos handled, memberships changed.
    private static func kind(of activity: Activity) -> ActivityKind? {
        switch activity.kind {
        case .opened: .opened
        case .commented: .comment
        case .replied: .reply
        case .diffCommented: .diffComment
        case .noteEdited: .editedComment
        case .noteDeleted: .deletedComment
        case .reacted: .reaction
        case .threadResolved, .threadUnresolved: .threadResolved
        case .reviewPublished: .reviewComment
        case .approved: .approved
        case .unapproved: .unapproved
        case .pushed: .pushed
        case .merged: .merged
        case .closed: .closed
        case .reopened: .reopened
        case .assigned: .assigned
        case .unassigned: .unassigned
        case .reviewRequested: .reviewRequested
        case .reviewRequestRemoved: .reviewRequestRemoved
        case .approvalRequired: .approvalRequired
        case .labelsChanged: .labelled
        case .milestoneChanged: .milestoneSet
        case .dueDateChanged: .dueDateChanged
        case .titleChanged: .titleChanged
        case .markedDraft: .markedDraft
        case .markedReady: .markedReady
        case .confidentialityChanged: .confidentialityChanged
        case .moved: .moved
        case .itemDeleted: .deleted
        case .crossReferenced: .crossReference
        case .notesImported: .imported
        case .pipelineFinished: .pipelineFinished
        case .autoMergeEnabled, .autoMergeAborted: .autoMergeSet
        case .becameUnmergeable: .unmergeable
        case .todoAdded, .descriptionChanged, .reactionRemoved: .other
        case .todoDone, .todoRestored, .todoSnoozed, .membershipChanged, .subscriptionChanged: nil
        }
    }
}
