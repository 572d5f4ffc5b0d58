/// What one activity means for one registered person, and why (docs/verdict.md).
enum Standing: Sendable, Equatable {
    /// They must learn of it.
    case expected(Ground)
    /// Telling them is neither required nor wrong.
    case optional(Leeway)
    /// Telling them is wrong.
    case notForThem(Exclusion)

    /// Why somebody must learn of an activity.
    enum Ground: String, Sendable, CaseIterable {
        case watched, todo, signal

        /// The ground in a sentence.
        var sentence: String {
            switch self {
            case .watched: "They watched the item at that instant."
            case .todo: "GitLab made a to-do item for them."
            case .signal: "A program that they had let in said it to them."
            }
        }
    }

    /// Why an activity is neither required nor wrong.
    enum Leeway: String, Sendable, CaseIterable {
        case registering
        case leaving
        case watchChanging = "watch-changing"
        case visibleOnlyLater = "visible-only-later"
        case unwatchedSoonAfter = "unwatched-soon-after"
        case claimsToBeOld = "claims-to-be-old"
        case claimsToPrecedeWatch = "claims-to-precede-watch"
        case importedAroundUpgrade = "imported-around-upgrade"
        case goneTooSoon = "gone-too-soon"
        case todoResolvedFirst = "todo-resolved-first"
        case noAccess = "no-access"
        case confidential
        case editWithoutTodo = "edit-without-todo"
        case mentionedBefore = "mentioned-before"
        case unnamedAgain = "unnamed-again"
        case choiceChanging = "choice-changing"
        case quietUntilTheEnd = "quiet-until-the-end"
        case approvedAgain = "approved-again"
        case unanswered
        case settledMeanwhile = "settled-meanwhile"
        case readFirst = "read-first"

        /// The leeway in a sentence.
        var sentence: String {
            switch self {
            case .registering: "It fell between the request to register and its answer."
            case .leaving: "They left before a poll was due."
            case .watchChanging: "It fell between the request to watch or unwatch and its answer."
            case .visibleOnlyLater: "It was done before they asked for it and became readable only afterwards."
            case .unwatchedSoonAfter: "They stopped watching before a poll was due."
            case .claimsToBeOld: "It claims to be more than a day older than it is, like an import."
            case .claimsToPrecedeWatch: "It claims to be from before they watched the item."
            case .importedAroundUpgrade: "It was imported in a run with an upgrade of GitLab, and may be marked later."
            case .goneTooSoon: "It vanished before a poll was due."
            case .todoResolvedFirst: "They resolved the to-do item before a poll was due."
            case .noAccess: "They had no access to the project."
            case .confidential: "The issue was confidential and hidden from them."
            case .choiceChanging: "They changed what they want to be notified of before a poll was due."
            case .quietUntilTheEnd: "Their quiet hours kept it back until the run was over, or nearly."
            case .unanswered: "The program had no answer, so it may not have been heard."
            case .settledMeanwhile: "It was settled before it had to be told."
            case .readFirst: "They had read it before it could be pushed."
            case .approvedAgain: "They had just withdrawn an approval, and only a list without times shows the new one."
            case .mentionedBefore: "The comment had mentioned them before an edit took that out."
            case .unnamedAgain: "A later edit took their name out of the comment, perhaps before it was read there."
            case .editWithoutTodo: "An edit mentions them, but GitLab made no to-do item for it."
            }
        }
    }

    /// Why an activity is none of somebody's business.
    enum Exclusion: String, Sendable, CaseIterable {
        case notRegistered = "not-registered"
        case ownAction = "own-action"
        case notWatched = "not-watched"
        case kindDoesNotCount = "kind-does-not-count"
        case muted, dismissed
        case actorDenied = "actor-denied"
        case imported
        case notToThem = "not-to-them"
        case saidBefore = "said-before"

        /// The exclusion in a sentence.
        var sentence: String {
            switch self {
            case .notRegistered: "They were not registered yet."
            case .ownAction: "They did it themselves."
            case .notWatched: "They did not watch the item, and GitLab made no to-do item for them."
            case .muted: "They had muted the item, or the program."
            case .notToThem: "A program said it to somebody else."
            case .saidBefore: "The program had said so before."
            case .dismissed: "They had dismissed the item."
            case .imported: "GitLab marks it as imported, which is quiet by decision."
            case .actorDenied: "They did not want to hear of who did it."
            case .kindDoesNotCount: "Changes of that kind are not notified, and GitLab made no to-do item for them."
            }
        }
    }

    /// Whether they must learn of it.
    var isExpected: Bool {
        if case .expected = self { return true }
        return false
    }

    /// Whether a notification of it is wrong.
    var isNotForThem: Bool {
        if case .notForThem = self { return true }
        return false
    }

    /// The stable name used in ledgers: `expected`, `optional`, `not-for-them`.
    var name: String {
        switch self {
        case .expected: "expected"
        case .optional: "optional"
        case .notForThem: "not-for-them"
        }
    }

    /// The stable name of the reason.
    var reason: String {
        switch self {
        case .expected(let ground): ground.rawValue
        case .optional(let leeway): leeway.rawValue
        case .notForThem(let exclusion): exclusion.rawValue
        }
    }

    /// The reason in a sentence.
    var sentence: String {
        switch self {
        case .expected(let ground): ground.sentence
        case .optional(let leeway): leeway.sentence
        case .notForThem(let exclusion): exclusion.sentence
        }
    }
}
