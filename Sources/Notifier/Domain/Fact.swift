import Duties
import Platform

/// What names an event: the same whichever source tells of it, so that it is notified once (GitLab facts §18, traps 11, 12).
///
/// Numbers are unique per source table only, hence the table stands in the key; the instance is given by the account.
enum FactKey: Hashable, Sendable {
    /// A comment or a system note, by project and note id.
    case note(ProjectID, Int64)
    /// That a note mentions the account's person; apart from the note because an edit can add a mention later.
    case mention(ProjectID, note: Int64)
    /// A resource state event, by project and event id.
    case stateEvent(ProjectID, Int64)
    /// A to-do item that no note caused, by its id.
    case todo(Int64)
    /// A row of a project's activity feed that no comment caused, by project and event id.
    case event(ProjectID, Int64)
    /// A resource label event, by project and event id.
    case labelEvent(ProjectID, Int64)
    /// A resource milestone event, by project and event id.
    case milestoneEvent(ProjectID, Int64)
    /// An approval that only the list of approvals tells of: that person's nth on that merge request, since such an entry
    /// has no id (trap 15).
    case approval(ProjectID, iid: Int64, person: Int64, ordinal: Int64)
    /// How a run of a pipeline ended: a retry runs under the same id (GitLab facts §11.3).
    case pipeline(ProjectID, Int64, status: String, run: Int64)
    /// What a program said, by the id that it gave that and by what it said of it.
    case signal(SignalTokenID, Signal.Kind, id: String)
    /// That the person is reminded of the day by which they have to have an item done.
    case due(ItemReference, DueDay, DueStep)
    /// What became of an occurrence of a duty: by its id, by what happened and to whom, or what was told of it when.
    case duty(occurrence: String, change: String)

    /// The stored form. Codes never change meaning.
    var text: String {
        switch self {
        case .note(let project, let id): "note/\(project.rawValue)/\(id)"
        case .mention(let project, let id): "mention/\(project.rawValue)/\(id)"
        case .stateEvent(let project, let id): "state/\(project.rawValue)/\(id)"
        case .todo(let id): "todo/\(id)"
        case .event(let project, let id): "event/\(project.rawValue)/\(id)"
        case .labelEvent(let project, let id): "label/\(project.rawValue)/\(id)"
        case .milestoneEvent(let project, let id): "milestone/\(project.rawValue)/\(id)"
        case .approval(let project, let iid, let person, let ordinal):
            "approval/\(project.rawValue)/\(iid)/\(person)/\(ordinal)"
        case .pipeline(let project, let id, let status, let run):
            "pipeline/\(project.rawValue)/\(id)/\(status)/\(run)"
        case .signal(let token, let kind, let id): "\(token.subject)/\(kind.rawValue)/\(id)"
        case .due(let item, let day, let step):
            "due/\(item.project.rawValue)/\(item.kind.rawValue)/\(item.iid)/\(day.text)/\(step.rawValue)"
        case .duty(let occurrence, let change): "duty/\(occurrence)/\(change)"
        }
    }
}

/// Which reading a fact came from; the names of the push payload's `source`.
enum FactSource: String, Hashable, Sendable {
    case todo, note, activity, event
    /// No reading at all: a program said it.
    case signal
    /// No reading either: somebody who takes part in a duty did it, or a turn is due.
    case duty
}

/// The person who caused something, or the program.
struct Actor: Hashable, Sendable {
    /// GitLab's number of the person. Of a program it is the number of its token below zero, which no person has.
    var id: Int64
    var username: String
    var name: String
    var avatarURL: String?
}

/// What happened, normalised over the sources. `other` keeps GitLab's own word.
enum Action: Hashable, Sendable {
    case commented, mentioned, assigned, reviewRequested, approved, unapproved, merged, closed, reopened, pushed
    case buildFailed, approvalRequired, unmergeable
    case mergeTrainRemoved, keyExpiresSoon, keyExpired, accessRequested, reviewSubmitted
    /// A review that stands in the way of the merge.
    case changesRequested
    case assigneesChanged, reviewersChanged, labelsChanged, milestoneChanged, pipelineSucceeded, pipelineFailed
    /// What programs say.
    case approvalNeeded, runCompleted, runFailed
    /// What becomes of duties.
    case dutyTurn, dutyDone, dutySkipped, dutyReminder, dutyDue
    case other(String)
}

/// One event that is new to an account.
struct Fact: Hashable, Sendable {
    var key: FactKey
    var action: Action
    var actor: Actor
    /// Nil for to-dos on what cannot be watched (commits, keys, designs; GitLab facts §6.1).
    var item: ItemReference?
    var itemTitle: String
    var projectPath: String?
    var webURL: String?
    /// The comment's text, or nil when the action says it all.
    var body: String?
    /// When GitLab says it happened.
    var occurredAt: WallTime
    var source: FactSource
    /// The row's id in its source; 0 for what a program said.
    var sourceID: Int64
    /// Set for what a program said.
    var signal: SignalReference?
    /// Set for what became of a duty.
    var duty: DutyReference?
}

/// The part of a fact that only what became of a duty has, by the ids that clients know.
struct DutyReference: Hashable, Sendable {
    var duty: String
    var occurrence: String
    /// The member whose turn it is, or who did it.
    var assignee: String?
    var dueAt: WallTime
    /// The id of the ask that it makes, if it makes one.
    var ask: String?
    /// The collapse id of what asked for it before it was another's, which this one takes the place of.
    var collapseID: String?

    init(_ duty: Duty, _ occurrence: Occurrence) {
        self.duty = duty.id.description
        self.occurrence = occurrence.id.description
        assignee = occurrence.assignee?.description
        dueAt = WallTime(secondsSinceEpoch: occurrence.dueAt)
    }

    /// What notifications about a duty are grouped by.
    static func subject(of duty: String) -> String { "duty/\(duty)" }
}

/// What one push will tell: all new facts on one item, or news about the service itself.
struct NotificationDraft: Sendable {
    /// What a notification is about.
    enum Subject: Hashable, Sendable {
        /// Facts on one item or one to-do target, oldest first, at least one.
        case activity([Fact])
        /// What happened in quiet hours.
        case digest(Digest)
        /// GitLab no longer accepts the account's token.
        case authExpired
        /// The account's token is dead from that date on, `YYYY-MM-DD`.
        case tokenExpiring(on: String)
        /// GitLab could not be read since the given instant.
        case serviceTrouble(since: WallTime)
        /// GitLab can be read again after the trouble that began at the given instant.
        case serviceRecovered(since: WallTime)
        /// The person was tagged on an item that could not be watched: so many are, and that is all that there may be.
        case watchListFull(limit: Int)
        /// Somebody still waits for the person.
        case reminder(ReminderText)
        /// A test the person asked for.
        case test
        /// What the operator says.
        case announcement(Announcement)
        /// The day by which the person has to have an item done is near, or over.
        case due(DueText)
    }

    var account: AccountID
    var subject: Subject
}
