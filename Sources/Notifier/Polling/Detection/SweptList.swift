import HTTP
import Platform

/// A sweep as the poller knows it. A class, since the cycle's workers change it in place; it never leaves its actor.
final class SweptList {
    let scope: SweepScope
    let items: [PolledItem]
    var progress = SweepProgress()
    /// When the last look at all its items began, this account's own or others' that stand for one.
    var lookedAt: MonotonicInstant?
    /// True when the last sweep that was due was left to another account: the next is not.
    var hasGivenWay = false
    private let client: GitLabClient
    private var everything: (list: ListRequest, entityTag: String?)
    /// The validators of its items' rows when everything was last shown; nil before that.
    private var rowsOfEverything: [String?]?
    /// When the last sweep began whose answer held rows.
    private var shownAt: MonotonicInstant?
    private var changes: (since: WallTime, list: ListRequest, entityTag: String?)?

    init(_ scope: SweepScope, items: [PolledItem], client: GitLabClient) {
        self.scope = scope
        self.items = items
        self.client = client
        everything = (client.list(.sweep(scope, since: nil)), nil)
    }

    /// True when it is about these very items.
    func covers(_ others: [PolledItem]) -> Bool {
        items.count == others.count && zip(items, others).allSatisfy { $0 === $1 }
    }

    /// When GitLab last answered this account what it answers only to who may see every item of the list; nil where there is no such thing.
    var admittedAt: MonotonicInstant? {
        guard scope.isSeenAsAWhole else { return nil }
        return items.reduce(shownAt) { latest, item in
            guard let admittedAt = item.admittedAt else { return latest }
            return max(latest ?? admittedAt, admittedAt)
        }
    }

    /// The request for a question; answered with 304 when the answer would be the last one's.
    func request(_ question: SweepProgress.Question) -> HTTPRequest {
        switch question {
        case .everything: return everything.list.request(page: 1, entityTag: everything.entityTag)
        case .changes(let since):
            if let changes, changes.since == since {
                return changes.list.request(page: 1, entityTag: changes.entityTag)
            }
            let list = client.list(.sweep(scope, since: since))
            changes = (since, list, nil)
            return list.request(page: 1)
        }
    }

    /// Remembers the answer that has been taken in; nil forgets it, so that the next is a whole one.
    func remember(_ entityTag: String?, of question: SweepProgress.Question) {
        switch question {
        case .everything:
            everything.entityTag = entityTag
            rowsOfEverything = validators
        case .changes: changes?.entityTag = entityTag
        }
    }

    /// GitLab has answered a sweep that began at `start`; who may see nothing is shown no rows.
    func noteAnswer(from start: MonotonicInstant, holdsRows: Bool) {
        if holdsRows { shownAt = start }
        lookedAt = start
    }

    /// What the rows of its items look like, as far as this account knows.
    var validators: [String?] { items.map(\.attention.validator) }

    /// Whether all rows are known as they were when everything was last shown: that everything looks as it did then says that they still do.
    var isAsEverythingWas: Bool { rowsOfEverything == validators }

    /// Forgets every answer.
    func forget() {
        everything.entityTag = nil
        rowsOfEverything = nil
        shownAt = nil
        changes = nil
        lookedAt = nil
    }
}
