package import Scenarios

/// When a fault was in force.
package struct FaultRecord: Sendable, Equatable {
    var id: EntryID
    package var kind: FaultKind
    package var span: Span
    /// How many answers of GitLab it has shaped; nil where nobody counts.
    var strikes: Int?

    package init(id: EntryID, kind: FaultKind, span: Span, strikes: Int? = nil) {
        self.id = id
        self.kind = kind
        self.span = span
        self.strikes = strikes
    }
}

extension [FaultRecord] {
    /// The faults of that name have shaped an answer. Which of several nobody can tell.
    package mutating func noteStrike(of id: String) {
        for index in indices where self[index].id.text == id { self[index].strikes? += 1 }
    }
}

/// How many requests were made for one person in one hour.
package struct RequestCount: Sendable, Equatable {
    package var person: Username
    /// Requests in each full hour since the start.
    package var perHour: [Int]
    /// Those that GitLab's limiter refused.
    var rejected: Int
    /// All of them by the class of their answer.
    var statuses: StatusCounts

    package init(person: Username, perHour: [Int], rejected: Int, statuses: StatusCounts = StatusCounts()) {
        self.person = person
        self.perHour = perHour
        self.rejected = rejected
        self.statuses = statuses
    }
}

/// When the notifier asked GitLab for one person and got an answer, by itself and not because of what the person did in the app.
package struct ReadingRecord: Sendable, Equatable {
    package var person: Username
    /// When each request arrived, rising.
    package var at: [Duration]

    package init(person: Username, at: [Duration] = []) {
        self.person = person
        self.at = at
    }

    /// The last one at an instant or before it; nil when there was none.
    func last(until end: Duration) -> Duration? {
        var (low, high) = (0, at.count)
        while low < high {
            let middle = (low + high) / 2
            if at[middle] <= end { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? at[low - 1] : nil
    }
}

/// What was asked of GitLab in one minute.
package struct MinuteTraffic: Sendable, Equatable {
    package var requests = 0
    /// Those that GitLab's limiter refused.
    package var refused = 0
    /// Polls that began: readings of somebody's pending to-dos.
    package var polls = 0

    package init() {}
}

/// Answers of a server by the class of their status: 1xx to 5xx.
package struct StatusCounts: Codable, Sendable, Equatable {
    /// One number for each class, that of 1xx first.
    private(set) var classes = [0, 0, 0, 0, 0]

    package init() {}

    /// Counts an answer; a status that is none belongs to no class.
    package mutating func count(_ status: Int) {
        guard (100...599).contains(status) else { return }
        classes[status / 100 - 1] += 1
    }

    /// Adds class by class.
    static func += (left: inout StatusCounts, right: StatusCounts) {
        for index in left.classes.indices where index < right.classes.count {
            left.classes[index] += right.classes[index]
        }
    }
}

/// Something that must never happen and did: one is enough to fail a run.
package struct ViolationRecord: Sendable, Equatable {
    /// The invariants of docs/verdict.md, by stable name.
    package enum Invariant: String, Sendable, CaseIterable, Codable {
        case outboxLost = "outbox-row-lost"
        case pushedTwice = "pushed-twice-after-display"
        case secretLeaked = "secret-leaked"
        case budgetExceeded = "budget-exceeded"
        case retryAfterIgnored = "retry-after-ignored"
        case payloadTooLarge = "payload-too-large"
        case deadTokenUsed = "dead-token-used"
        case removedDeviceUsed = "removed-device-used"
        case pairedDeviceLeftOut = "paired-device-left-out"
        case strayJob = "stray-job"
        case unknownRoute = "unknown-route"
        case ignoredParameter = "ignored-parameter"
        case notifiedInQuietHours = "notified-in-quiet-hours"
        case pushMisleads = "push-leads-elsewhere"
        case pushMisstates = "push-says-otherwise"
        case serviceNewsWrong = "service-news-wrong"
        case refusalUntold = "refused-token-untold"
        case expiryUntold = "expiring-token-untold"
        case remindedTooOften = "reminded-too-often"
        case remindedAfterEnd = "reminded-after-end"
        case shownTwice = "shown-twice"
        case toldUnseen = "told-without-access"
        case askedUnwatched = "asked-unwatched"
        case askedAfterLeaving = "asked-after-leaving"
        case askedTooOften = "asked-too-often"
        case knownListRead = "known-list-read-again"
        case choiceLost = "choice-lost"
        case choiceUndone = "choice-undone"
        case choiceMistold = "choice-mistold"
        case choiceStuck = "choice-stuck"
        case screenMistold = "screen-mistold"
        case apiMishandled = "api-mishandled"
        case testUnsent = "test-unsent"
        case announcementUntold = "announcement-untold"
        case silentPushMisused = "silent-push-misused"
        case devicesDiffer = "devices-differ"
        case dutyTurnsDiffer = "duty-turns-differ"
        case dutyChangeLost = "duty-change-lost"
        case dutyUndone = "duty-undone"
        case dutyUnfair = "duty-unfair"
        case dutyMistold = "duty-mistold"
    }

    package var invariant: Invariant
    var at: Duration
    /// A sentence with the evidence.
    package var detail: String

    package init(invariant: Invariant, at: Duration, detail: String) {
        self.invariant = invariant
        self.at = at
        self.detail = detail
    }
}

/// A path that was reached.
package struct ProbeRecord: Sendable, Equatable {
    var probe: Probe
    package var count: Int
    var firstAt: Duration

    package init(probe: Probe, count: Int, firstAt: Duration) {
        self.probe = probe
        self.count = count
        self.firstAt = firstAt
    }
}
