package import Platform
package import Scenarios

/// What a program said to one person, as its own ledger has it.
package struct SignalRecord: Sendable, Equatable {
    package var person: Username
    package var word: ProgramWord
    /// The program's own name for it.
    package var name: String
    /// The run that it belongs to, whose end settles what was asked in it.
    package var run: String
    /// How the notifier keys it, once the program has a token.
    package var key: String?
    /// When the program had the answer; nil while it has none.
    package var answeredAt: Duration?
    /// Whether that was a refusal.
    package var isRefused = false

    /// The run has the same name unless another is given.
    package init(person: Username, word: ProgramWord, name: String, run: String? = nil) {
        (self.person, self.word, self.name, self.run) = (person, word, name, run ?? name)
    }
}

/// One thing someone did on GitLab, as the fake recorded it when it was done; or something that a program said.
package struct ActivityRecord: Sendable, Equatable {
    /// A to-do item the activity made.
    package struct Todo: Sendable, Equatable {
        var person: Username
        package var id: Int64
        /// GitLab's own word: `mentioned`, `review_requested`.
        var action: String
        /// When it left the pending list: done, snoozed, or resolved because its owner acted (GitLab facts §6.2); the first time
        /// since it came back. Nil while pending, or when the driver does not say; the verdict then derives it from the person's
        /// own actions.
        var resolvedAt: Duration?
        /// When it came back to the pending list last, because its owner undid that; nil when it never did.
        private(set) var restoredAt: Duration?
        /// When it did so first.
        private(set) var firstRestoredAt: Duration?

        package init(person: Username, id: Int64, action: String, resolvedAt: Duration? = nil) {
            self.person = person
            self.id = id
            self.action = action
            self.resolvedAt = resolvedAt
        }

        /// It left the pending list.
        package mutating func resolve(at instant: Duration) {
            resolvedAt = resolvedAt ?? instant
        }

        /// It came back.
        package mutating func restore(at instant: Duration) {
            resolvedAt = nil
            restoredAt = instant
            firstRestoredAt = firstRestoredAt ?? instant
        }
    }

    /// Who has to have the item done by when, since the activity.
    package struct Due: Sendable, Equatable {
        /// The item's own day, else its milestone's; the time of day means nothing.
        var date: CivilDate?
        var assignees: [Username]
        /// Neither closed nor merged.
        var isOpen: Bool

        package init(date: CivilDate?, assignees: [Username], isOpen: Bool) {
            (self.date, self.assignees, self.isOpen) = (date, assignees, isOpen)
        }
    }

    /// Its number in the ledger, from 1; names the activity in reports.
    package var number: Int
    package var kind: ActivityKind
    /// When it was done.
    var at: Duration
    /// From when it can be read through the API, later than `at` for a late commit or a lagging replica.
    package var readableFrom: Duration
    /// When it could no longer be read: deleted, made invisible, its item gone. Nil when it stayed.
    package var goneAt: Duration?
    /// When GitLab says it happened; earlier than `at` for imported rows.
    var claimedAt: Duration
    /// Whether GitLab marks the row as imported, which releases before 17.0 do not (GitLab facts §8.1).
    package var isMarkedAsImported = false
    package var actor: Username
    /// Nil for what concerns no issue or merge request.
    package var item: ItemReference?
    var projectID: Int64?
    /// Where a moved issue goes on; nil for every other deed.
    package var successor: ItemReference?
    /// Where it happened, also when it concerns no issue or merge request.
    package var project: ProjectPath?
    var itemTitle: String
    /// The note it made; for an edit the note it changed.
    package var noteID: Int64?
    /// The resource state event it made.
    var stateEventID: Int64?
    /// The row of the project's activity feed it made; nil for comments, which the feed tells by their note.
    package var eventID: Int64?
    /// The resource label and milestone events it made.
    package var labelEventIDs: [Int64] = []
    package var milestoneEventIDs: [Int64] = []
    /// The pipeline that moved, how it stands since, and in which run.
    package var pipelineID: Int64?
    package var pipelineStatus: String?
    package var pipelineRun: Int64 = 0
    /// GitLab's number of the actor.
    package var actorID: Int64?
    /// Set for what a program said; its actor is the person who let it in.
    package var signal: SignalRecord?
    /// Set for what has a day by which it is due, and for what had one until then.
    package var due: Due?
    package var todos: [Todo]
    /// People its text mentions.
    var mentions: [Username]
    /// The same with those who could not read it then: GitLab makes them no to-do item, and whoever can read it later finds their name.
    package var named: [Username] = []
    var body: String?

    package init(
        number: Int,
        kind: ActivityKind,
        at: Duration,
        readableFrom: Duration,
        goneAt: Duration? = nil,
        claimedAt: Duration,
        actor: Username,
        item: ItemReference?,
        projectID: Int64?,
        itemTitle: String,
        noteID: Int64? = nil,
        stateEventID: Int64? = nil,
        todos: [Todo] = [],
        mentions: [Username] = [],
        body: String? = nil
    ) {
        self.number = number
        self.kind = kind
        self.at = at
        self.readableFrom = readableFrom
        self.goneAt = goneAt
        self.claimedAt = claimedAt
        self.actor = actor
        self.item = item
        project = item?.project
        self.projectID = projectID
        self.itemTitle = itemTitle
        self.noteID = noteID
        self.stateEventID = stateEventID
        self.todos = todos
        self.mentions = mentions
        self.body = body
    }
}

extension ActivityRecord {
    /// True for an approval that left no note: only a look at the list of approvals shows it.
    var isOnlyListed: Bool { kind == .approved && noteID == nil }
}
