import Platform

extension PollCycle {
    /// What happens to a cycle.
    enum Event: Sendable {
        /// Requests have a token to show.
        case accessRenewed
        /// GitLab has ended what it had granted.
        case accessEnded
        /// There is no token for now; nil when there is nobody to have one.
        case accessUnavailable(GitLabError?)
        /// GitLab has answered what a list or an item was asked for.
        case answered
        /// It has not, or not so that the answer can be relied on.
        case failed(GitLabError)
        /// What became of a token that was doubted; nil when it could not be looked into.
        case tokenJudged(AccountHealth.Verdict?)
        case todosRead(TodosReading)
        /// The failure itself was told before.
        case todosFailed(GitLabError)
        /// Whether the store has taken what was dealt with elsewhere.
        case elsewhereMarked(Bool)
        /// A sweep showed changes.
        case changesSwept
        /// Others were shown changes that this account's own sweeps have not.
        case hinted
        /// All sweeps were asked; how the items stand now, in the order in which they are to be read.
        case swept([ItemProspect])
        /// The store has refused what an item brought, and perhaps to-dos with it.
        case itemRefused(hadTodos: Bool)
        /// Nobody reads items any more; what has passed the gate until then.
        case itemsRead(RequestGate.Count)
        case feedsRead
        case todosCommitted(Bool)
        case probed
        /// The task was cancelled: nothing is learnt from the cycle.
        case cancelled
    }

    /// What a cycle is to do.
    enum Action: Hashable, Sendable {
        case renewAccess
        case refreshCapabilities
        case readTodos
        /// So many are new that the next cycle, which comes at once, goes on behind them.
        case tellParts(rows: Int)
        /// Forget those that are long gone; these are pending.
        case reviewTodos(listed: [Int64])
        /// Whatever is not pending any more was dealt with elsewhere.
        case markReadElsewhere(exceptFor: [Int64], before: WallTime)
        case sweep
        /// Webhooks need not name these, since they are read anyway.
        case forgetNamed([ItemReference])
        /// Read what ``PollCycle/nextItem()`` gives, a few at a time.
        case readItems(count: Int)
        /// Tell the items' fallbacks how their lists went. A failure counts only while other readings can be trusted.
        case settleFallbacks([ListVerdict], isTrusted: Bool)
        case readFeeds
        case commitTodos([TodoRow])
        /// All that there are, and all that are not there any more, have been dealt with; the page to remember, unless it is as it was, with the
        /// to-dos that it lists.
        case rememberTodos(PageMark?, listing: [Int64])
        /// Watch what the person was tagged on, and what a watched issue was moved to.
        case extendWatchList
        case checkToken
        case probe
        /// Look into a 401.
        case confirmToken
        /// Let no request pass any more.
        case holdBack
        /// Draw the conclusions, unless the task is cancelled.
        case end
    }

    /// What a cycle that has ended leads to.
    enum Conclusion: Hashable, Sendable {
        case plan(PollPolicy.Report, RequestGate.Count)
        case logNamed(count: Int)
        case settleItems([ItemVerdict])
        case expire(GitLabError.TokenRejection)
        case probeAgain(at: MonotonicInstant)
        case clearDeaths
        case settleTrouble(isAnswered: Bool)
        case recordPoll
    }

    /// The to-dos as far as they were read.
    struct TodosReading: Sendable {
        var reading: ListReading<TodosScan>
        /// What our clock showed when they were asked for.
        var askedAt: WallTime
        /// Old ones are to be forgotten by it, when it is complete.
        var isReviewDue = false
    }

    /// What the poller knows at the end of a cycle.
    struct Ending: Hashable, Sendable {
        var count: RequestGate.Count
        var items: Int
        /// How many sweeps there are; nil with detection per item.
        var sweeps: Int?
        /// How long one request takes to earn in the budget.
        var requestInterval: Duration
    }

    /// How the reading of an item ended.
    struct ItemVerdict: Hashable, Sendable {
        var watch: WatchID
        var reading: ItemHealth.Reading
    }

    /// How the readings of an item's lists ended, in their order.
    struct ListVerdict: Hashable, Sendable {
        var watch: WatchID
        var readings: [ItemFallback.Reading]
    }
}

/// An item that a cycle reads, and why.
struct DueItem: Hashable, Sendable {
    var watch: WatchID
    var item: ItemReference
    var reason: DueReason
}

/// What decides whether a cycle reads an item.
struct ItemProspect: Hashable, Sendable {
    var watch: WatchID
    var item: ItemReference
    var attention: ItemAttention.State
    /// False while it must not be asked for, since it is missing or keeps failing.
    var isAdmitted = true
    /// The sweep that would show it was answered in this cycle.
    var isCovered = true
    /// Its lists are due from end to end.
    var mustReconcile = false
    /// A limit of GitLab's, or of one's own, kept the last reading from something.
    var isHeldBack = false
    /// When the last reading began to which GitLab answered with its notes; nil before the first.
    var readAt: MonotonicInstant?
    /// Another account was shown that a list has changed.
    var isOutdated = false
    /// How many accounts share their looks at it, this one counted.
    var watchers = 1
    /// A list that leaves no trace in a sweep is due.
    var areMetadataListsDue = false

    /// Whether what happened to it may have made a to-do item for this person.
    var mayHaveTodos: Bool { isAdmitted && ((attention.isChanged && !attention.isHinted) || !attention.isRead) }
}
