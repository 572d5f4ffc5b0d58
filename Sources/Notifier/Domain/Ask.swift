import Platform

/// That somebody waits for this very person: a review, an approval, an answer, a turn of a duty. GitLab's to-do items are such, and end by
/// themselves.
struct Ask: Equatable, Sendable {
    /// What is wanted.
    enum Kind: String, Sendable, CaseIterable {
        case reviewRequested = "review_requested"
        case approvalRequired = "approval_required"
        /// A comment that begins with the person's name: a question, or as good as one.
        case addressed
        /// Named somewhere in a text, which may need no answer at all. Kept only until GitLab says whether it addresses the person.
        case mentioned
        /// A program that goes on only with the person's consent.
        case approvalNeeded = "approval_needed"
        /// A turn of a duty that asks for it: others rely on the person.
        case dutyDue = "duty_due"

        /// Whether it is dealt with in GitLab, so that a reminder has to know how things stand there.
        var isOfGitLab: Bool { self != .approvalNeeded && self != .dutyDue }

        /// Whether anybody waits, so that it is listed and the person is reminded of it.
        var isWaiting: Bool { self != .mentioned }

        /// The kind of what such an action asks for; nil for one that asks for nothing.
        init?(_ action: Action) {
            switch action {
            case .reviewRequested: self = .reviewRequested
            case .approvalRequired: self = .approvalRequired
            case .mentioned: self = .mentioned
            case .approvalNeeded: self = .approvalNeeded
            case .dutyDue: self = .dutyDue
            default: return nil
            }
        }
    }

    /// Why nobody waits any more. Codes never change meaning.
    enum Settlement: String, Sendable, CaseIterable {
        /// Its to-do item is not pending any more.
        case todoDone = "todo_done"
        /// The person did what was asked, or answered.
        case acted
        /// It was asked again, by something newer that is waited for in its place.
        case askedAgain = "asked_again"
        /// The item was merged or closed.
        case itemEnded = "item_ended"
        /// The review is not asked of the person any more.
        case withdrawn
        /// The person muted, dismissed or stopped watching the item, or muted the program or the duty.
        case silenced
        /// The person does not want to hear of who asked.
        case deniedActor = "denied_actor"
        /// The person said so, in an app.
        case done
        /// The program that asked said so.
        case program
        /// The run that asked for it completed or failed.
        case runEnded = "run_ended"
        /// The person took the token of the program that asked back.
        case revoked
        /// Somebody did the turn, or left it out.
        case occurrenceEnded = "occurrence_ended"
        /// It is somebody else's turn, due at another time, or the duty asks no more.
        case turnPassed = "turn_passed"
    }

    var id: Int64
    /// The id that clients know.
    var publicID: String
    /// The stored key of the fact that asks.
    var key: String
    var account: AccountID
    var kind: Kind
    var item: ItemReference?
    /// The title of its first notification.
    var title: String
    var itemTitle: String
    var projectPath: String?
    var webURL: String?
    /// As ``HistoryRow/subject``.
    var subject: String
    /// The first notification, once there is one.
    var notification: NotificationID?
    var raisedAt: WallTime
    /// When the first device had it.
    var toldAt: WallTime?
    /// Since when complete readings of the to-do items do not show it; replicas that are behind may leave one out for a moment.
    var missingSince: WallTime?
}

/// Somebody who begins to wait.
struct NewAsk: Sendable {
    /// What asks.
    var fact: Fact
    var kind: Ask.Kind
    /// The id that clients will know.
    var publicID: String
    /// The title of its first notification, and its item's.
    var title: String
    var itemTitle: String
    /// As ``HistoryRow/subject``.
    var subject: String
}

/// One time at which a person is told again.
struct Reminder: Equatable, Sendable {
    enum State: String, Sendable, CaseIterable {
        case waiting, sent, skipped, cancelled
    }

    /// 1 or 2.
    var step: Int
    var dueAt: WallTime
    /// Since when it is put off because GitLab could not be read.
    var heldSince: WallTime?
}

/// What a reminder's notification says.
struct ReminderText: Hashable, Sendable {
    var ask: String
    var step: Int
    var item: ItemReference?
    var title: String
    var itemTitle: String
    var projectPath: String?
    var webURL: String?
    var subject: String
    /// The stored key of the fact that asks.
    var factKey: String
    /// The first notification's collapse id, which this one takes the place of; the ask's own where that one told of more.
    var collapseID: String
}
