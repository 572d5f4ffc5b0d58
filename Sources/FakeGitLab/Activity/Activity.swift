package import Platform

/// Something that happened on the fake GitLab, with everything it created: one entry of the ledger, which is the
/// ground truth.
package struct Activity: Sendable, Equatable {
    /// What happened.
    package enum Kind: String, Sendable, CaseIterable {
        case opened, commented, replied, diffCommented, noteEdited, noteDeleted, reacted, reactionRemoved
        case threadResolved, threadUnresolved, reviewPublished, approved, unapproved, pushed, merged, closed, reopened
        case assigned, unassigned, reviewRequested, reviewRequestRemoved, approvalRequired
        case labelsChanged, milestoneChanged, titleChanged, descriptionChanged, dueDateChanged, markedDraft, markedReady
        case confidentialityChanged, moved, itemDeleted, crossReferenced, notesImported, pipelineFinished
        case autoMergeEnabled, autoMergeAborted, becameUnmergeable
        case todoAdded, todoDone, todoRestored, todoSnoozed, membershipChanged, subscriptionChanged
    }

    /// Who did it.
    package struct Actor: Sendable, Hashable {
        package let id: Int64
        package let username: String
    }

    /// The item it happened on, as it was named then.
    package struct ItemSummary: Sendable, Hashable {
        package let projectID: Int64
        package let projectPath: String
        package let kind: ItemKind
        /// Global id.
        let id: Int64
        /// Id within the project.
        package let iid: Int64
        package let title: String
        let webURL: String
    }

    /// Who has to have an item done by when, as it stands after an activity.
    package struct DueState: Sendable, Hashable {
        /// The item's own day, else its milestone's; the time of day means nothing.
        package let date: CivilDate?
        /// Usernames.
        package let assignees: [String]
        /// Neither closed nor merged.
        package let isOpen: Bool
    }

    /// A to-do that came of it.
    package struct CreatedTodo: Sendable, Hashable {
        /// Whose to-do it is, by username.
        package let person: String
        package let id: Int64
        package let action: TodoAction
    }

    /// Position in the ledger, from 1.
    package let sequence: Int
    package let kind: Kind
    /// The wall time of the action.
    package let at: WallTime
    /// From when every row of it can be read from the primary; later than `at` only while commits are held back.
    /// Outages, limits and replica lag are not counted in. Events of comments, which come later still, are not either.
    package let readableAt: WallTime
    /// When GitLab says it happened: earlier than `at` for what an importer wrote, of several rows the first's.
    package let claimedAt: WallTime
    package let actor: Actor
    /// Nil when it concerns no issue or merge request.
    package let item: ItemSummary?
    /// Full path of the project it happened in, as far as there is one.
    package let projectPath: String?
    /// Notes created, or the one that was edited, deleted, reacted to or resolved; system notes included.
    package let noteIDs: [Int64]
    /// Which of `noteIDs` are system notes.
    let systemNoteIDs: [Int64]
    package let stateEventID: Int64?
    package let labelEventIDs: [Int64]
    package let milestoneEventIDs: [Int64]
    package let pipelineID: Int64?
    /// How the pipeline stands since then, and in which run; 0 for what is no pipeline.
    package let pipelineStatus: PipelineStatus?
    package let pipelineRun: Int64
    /// The row of the project's feed; nil for comments, whose event is written later.
    package let eventID: Int64?
    package let todos: [CreatedTodo]
    /// To-dos of the actor that were resolved by it.
    package let resolvedTodoIDs: [Int64]
    /// To-dos of the actor that are pending again.
    package let restoredTodoIDs: [Int64]
    /// Usernames mentioned, in order of appearance, without the actor.
    package let mentioned: [String]
    /// The same with those who could not read it then, and of whom GitLab made nothing.
    package let named: [String]
    /// Usernames of those it is meant for or who take part in the item, sorted, without the actor.
    let concerned: [String]
    /// Where a moved issue goes on.
    package let successor: ItemSummary?
    /// What was written, or a few words that say what was done.
    package let body: String
    /// Set for what has a day by which it is due, and for what had one until then.
    package let dueState: DueState?
}

/// Collects what an action creates until it becomes an `Activity`.
struct ActivityDraft {
    let kind: Activity.Kind
    let actor: Int
    let item: Int?
    /// Where it happened, when there is no item.
    var project: Int?
    let now: WallTime
    var readableAt: WallTime
    /// Nil for now.
    var claimedAt: WallTime?
    var noteIDs: [Int64] = []
    var systemNoteIDs: [Int64] = []
    var stateEventID: Int64?
    var labelEventIDs: [Int64] = []
    var milestoneEventIDs: [Int64] = []
    var pipelineID: Int64?
    var pipelineStatus: PipelineStatus?
    var pipelineRun: Int64 = 0
    var eventID: Int64?
    var todos: [(person: Int, id: Int64, action: TodoAction)] = []
    var resolvedTodoIDs: [Int64] = []
    var restoredTodoIDs: [Int64] = []
    var mentioned: [Int] = []
    /// People whom notes name, whether they can read them or not.
    var named: [Int] = []
    var concerned: [Int] = []
    var successor: Int?
    var body = ""

    init(_ kind: Activity.Kind, actor: Int, item: Int?, now: WallTime) {
        self.kind = kind
        self.actor = actor
        self.item = item
        self.now = now
        readableAt = now
    }
}
