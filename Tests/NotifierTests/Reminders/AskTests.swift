import Configuration
import HTTP
import JSON
import Platform
import SQLite
import Testing

@testable import Notifier

/// Who waits for the person, from the pipeline to the last reminder.
struct AskTests {
    private let store: Store
    private let account: AccountID
    private let device: DeviceID
    private let outbox = Outbox(entropy: SeededEntropy(), expiration: .hours(24))
    private let pipeline: NotificationPipeline
    private let item = ItemReference(project: ProjectID(rawValue: 42), kind: .mergeRequest, iid: 847)

    init() throws { (store, account, device, pipeline) = try makeAskedPerson(outbox) }

    private func take(_ fact: Fact, suppression: Candidate.SuppressionReason? = nil, at now: WallTime = deliveryStart)
        throws
    {
        var commit = FactCommit(account: account)
        commit.candidates = [Candidate(fact: fact, suppression: suppression)]
        _ = try pipeline.take(commit, at: now, in: store)
    }

    private func request(todo: Int64 = 71, on other: ItemReference? = nil) -> Fact {
        var fact = makeFact(.reviewRequested, note: todo, item: other ?? item)
        (fact.key, fact.source, fact.sourceID) = (.todo(todo), .todo, todo)
        return fact
    }

    private func open() throws -> [(ask: Ask, next: WallTime?)] { try store.openAsks(of: account, limit: 10) }

    /// APNs accepts the newest notification.
    private func accept(at now: WallTime = deliveryStart) throws {
        let claimed = try store.claimDue(at: now).claimed
        for delivery in claimed {
            try store.finish(delivery.id, .accepted, at: now)
            try store.noteTold(through: delivery.id, at: now)
        }
    }

    @Test func `who has read it before it could be pushed is reminded of it, and hears nothing else`() throws {
        try take(request())
        try store.setRead(true, NotificationID(rawValue: 1), chosenAt: deliveryStart)
        let later = deliveryStart.advanced(by: .minutes(40))
        let found = try store.claimDue(at: later)
        #expect(found.claimed.isEmpty && found.moot.count == 1)
        #expect(try open()[0].next == later.advanced(by: .minutes(15)))
    }

    @Test func `a review request is waited for, and its time counts from when a device had it`() throws {
        try take(request())
        #expect(try open().map(\.ask.kind) == [.reviewRequested])
        #expect(try open()[0].next == nil, "nobody has seen it")
        let later = deliveryStart.advanced(by: .minutes(40))
        try accept(at: later)
        #expect(try open()[0].next == later.advanced(by: .minutes(15)))
        #expect(try store.asksWithDueReminders(at: later.advanced(by: .seconds(899)), limit: 9).isEmpty)
        #expect(try store.asksWithDueReminders(at: later.advanced(by: .minutes(15)), limit: 9).count == 1)
    }

    @Test func `a comment asks for nothing, and neither does being named in one`() throws {
        try take(makeFact(.commented, note: 1, item: item))
        try take(makeFact(.mentioned, note: 2, item: item))
        try accept()
        #expect(try open().isEmpty)
        #expect(try store.database.first("SELECT count(*) FROM reminders") { $0.int(0) } == 0)
    }

    @Test func `a comment that begins with the name asks something, whichever way it was found first`() throws {
        try take(makeFact(.mentioned, note: 2, item: item))
        try accept()
        var todo = makeFact(.mentioned, note: 2, item: item)
        (todo.source, todo.sourceID) = (.todo, 72)
        var commit = FactCommit(account: account)
        commit.candidates = [Candidate(fact: todo, isAddressed: true)]
        let later = deliveryStart.advanced(by: .minutes(2))
        _ = try pipeline.take(commit, at: later, in: store)
        #expect(try open().map(\.ask.kind) == [.addressed])
        #expect(try open()[0].next == deliveryStart.advanced(by: .minutes(15)), "counted from when it was told")
        _ = try pipeline.take(commit, at: later, in: store)
        #expect(try store.database.first("SELECT count(*) FROM reminders") { $0.int(0) } == 2)
        #expect(
            try store.reviewAsks(pending: [], of: account, readAt: later.advanced(by: .minutes(1)), at: later)
                .hasMissing
        )
    }

    @Test func `what was told as a comment asks something once its to-do says so, counted from when it was told`()
        throws
    {
        try take(makeFact(.commented, note: 2, item: item))
        try accept()
        try take(makeFact(.commented, note: 3, item: item))
        var todo = makeFact(.mentioned, note: 2, item: item)
        (todo.source, todo.sourceID) = (.todo, 72)
        var commit = FactCommit(account: account)
        let mention = FactKey.mention(item.project, note: 2)
        commit.candidates = [Candidate(fact: todo, mention: mention, isAddressed: true)]
        for minutes in 1...2 {
            let later = deliveryStart.advanced(by: .minutes(minutes))
            let outcome = try pipeline.take(commit, at: later, in: store)
            #expect(outcome.notifications.isEmpty)
            #expect(try open().map(\.ask.kind) == [.addressed])
            #expect(try open()[0].ask.notification == NotificationID(rawValue: 1))
            #expect(try open()[0].next == deliveryStart.advanced(by: .minutes(15)))
        }
        #expect(try store.database.first("SELECT count(*) FROM reminders") { $0.int(0) } == 2)
        #expect(try store.database.first("SELECT todo_id FROM asks") { $0.int(0) } == 72)
    }

    @Test func `what was told as a comment by somebody who is not heard any more asks nothing`() throws {
        try take(makeFact(.commented, note: 2, item: item))
        try accept()
        let denied = DeniedActor(gitlabUserID: makeFact().actor.id)
        try store.denyActor(denied, of: account, at: deliveryStart)
        var todo = makeFact(.mentioned, note: 2, item: item)
        (todo.source, todo.sourceID) = (.todo, 72)
        var commit = FactCommit(account: account)
        let mention = FactKey.mention(item.project, note: 2)
        commit.candidates = [Candidate(fact: todo, mention: mention, isAddressed: true)]
        _ = try pipeline.take(commit, at: deliveryStart.advanced(by: .minutes(1)), in: store)
        #expect(try open().isEmpty)
    }

    @Test func `what was done before it was asked does not settle it, however late it is read`() throws {
        var early = makeFact(.commented, note: 100, item: item)
        early.occurredAt = deliveryStart.advanced(by: .zero - .minutes(3))
        var commit = FactCommit(account: account)
        commit.candidates = [Candidate(fact: early, suppression: .ownAction), Candidate(fact: request())]
        _ = try pipeline.take(commit, at: deliveryStart, in: store)
        #expect(try open().count == 1)
    }

    @Test(arguments: [(-60, 0), (60, 1)] as [(Int64, Int)])
    func `an answer that was committed before counts for what was asked before it`(seconds: Int64, open: Int) throws {
        var (first, rest) = (FactCommit(account: account), FactCommit(account: account))
        first.candidates = [Candidate(fact: makeFact(note: 100, item: item), suppression: .ownAction)]
        var asked = request()
        asked.occurredAt = deliveryStart.advanced(by: .seconds(seconds))
        rest.candidates = [Candidate(fact: asked)]
        rest.answer = first.lastAnswer.map { (item: item, at: $0) }
        for commit in [first, rest] { _ = try pipeline.take(commit, at: deliveryStart, in: store) }
        #expect(try self.open().count == open)
    }

    /// The person approves, as a source tells it that knows when, or only since when.
    private func approve(_ source: EventSource, _ key: FactKey, at instant: WallTime, since: WallTime? = nil) throws {
        var fact = makeFact(.approved, note: 100, item: item)
        (fact.key, fact.occurredAt) = (key, instant)
        var candidate = Candidate(fact: fact, suppression: .ownAction)
        candidate.report = EventReport(
            key: EventKey(item: item, kind: .approved, actor: 7),
            source: source,
            since: since
        )
        var commit = FactCommit(account: account)
        commit.candidates = [candidate]
        _ = try pipeline.take(commit, at: instant, in: store)
    }

    @Test func `a list that shows without a time what a note told before settles nothing that was asked since`() throws
    {
        let project = item.project
        let before = deliveryStart.advanced(by: .zero - .minutes(1))
        try approve(.item, .note(project, 100), at: before)
        var asked = request()
        asked.occurredAt = deliveryStart
        try take(asked)
        let look = deliveryStart.advanced(by: .minutes(4))
        let listed = FactKey.approval(project, iid: 847, person: 7, ordinal: 1)
        try approve(.approvals, listed, at: look, since: before.advanced(by: .zero - .minutes(9)))
        #expect(try open().count == 1)
        // What no other source told of settles it: nobody else will.
        let again = FactKey.approval(project, iid: 847, person: 7, ordinal: 2)
        try approve(.approvals, again, at: look.advanced(by: .hours(1)), since: look)
        #expect(try open().isEmpty)
    }

    @Test func `a list that shows an approval without a time settles nothing that was asked since the look before`()
        throws
    {
        var asked = request()
        asked.occurredAt = deliveryStart
        try take(asked)
        let before = deliveryStart.advanced(by: .zero - .minutes(5))
        let listed = FactKey.approval(item.project, iid: 847, person: 7, ordinal: 1)
        try approve(.approvals, listed, at: deliveryStart.advanced(by: .minutes(10)), since: before)
        #expect(try open().count == 1, "it may have been given before")
        try approve(.item, .note(item.project, 101), at: deliveryStart.advanced(by: .minutes(1)))
        #expect(try open().isEmpty, "a note that comes late knows that it was given afterwards")
    }

    @Test func `a reminder that waits for its push is not sent once it was settled, or a later one has overtaken it`()
        throws
    {
        try take(request())
        try accept()
        let ask = try open()[0].ask
        func remind(_ step: Int, at now: WallTime) throws {
            let text = try store.reminderText(of: ask, step: step)
            let told = try outbox.enqueue(
                NotificationDraft(account: account, subject: .reminder(text)),
                at: now,
                in: store
            )
            try store.finishReminders(of: ask, [step], as: .sent, notification: told.id)
        }
        let (first, last) = (deliveryStart.advanced(by: .minutes(15)), deliveryStart.advanced(by: .hours(1)))
        try remind(1, at: first)
        try remind(2, at: last)
        let claim = try store.claimDue(at: last)
        #expect(claim.moot.count == 1 && claim.claimed.count == 1, "the last one alone goes")
        let policy = DeliveryPolicy(NotifierConfiguration())
        _ = try store.reclaimLeases(endedBy: nil, keeping: [], by: policy, at: last)
        try store.settleAsks(.id(ask.publicID), of: account, by: .done, at: last)
        let again = try store.claimDue(at: last)
        #expect(again.moot.map(\.id) == claim.claimed.map(\.id) && again.claimed.isEmpty)
    }

    @Test func `later holds back a reminder that waits for its push while another is to come, and no longer`() throws {
        try take(request())
        try accept()
        let ask = try open()[0].ask
        let due = deliveryStart.advanced(by: .minutes(15))
        let draft = NotificationDraft(
            account: account,
            subject: .reminder(try store.reminderText(of: ask, step: 1))
        )
        let told = try outbox.enqueue(draft, at: due, in: store)
        try store.finishReminders(of: ask, [1], as: .sent, notification: told.id)
        let (now, later) = (due.advanced(by: .minutes(5)), due.advanced(by: .minutes(65)))
        #expect(try store.snooze(ask.publicID, of: account, until: later) == true)
        func isSent(at instant: WallTime, last: String = "waiting") throws -> Bool {
            try store.database.execute(
                """
                UPDATE deliveries SET state = 'queued', lease_until = NULL, next_attempt_at = 0
                WHERE state <> 'accepted'
                """
            )
            try store.database.execute("UPDATE reminders SET state = ? WHERE step = 2", last)
            return try store.claimDue(at: instant).moot.isEmpty
        }
        #expect(try !isSent(at: now))
        #expect(try !isSent(at: later.advanced(by: .seconds(-1))))
        #expect(try isSent(at: later))
        #expect(try isSent(at: now, last: "skipped"), "nothing else would come")
        // An hour is an hour, whatever the clock shows.
        try store.database.execute("UPDATE reminders SET state = 'waiting' WHERE step = 2")
        let set = now.advanced(by: .hours(3))
        try store.shiftReminders(by: .hours(3), noticedAfter: .seconds(30), at: set)
        #expect(try !isSent(at: set))
    }

    @Test func `a reminder takes the place of what told of it alone, and of nothing else`() throws {
        try take(request())
        let told = try store.database.first("SELECT collapse_id FROM notifications") { $0.text(0) }
        #expect(try store.reminderText(of: try open()[0].ask, step: 1).collapseID == told)
        var commit = FactCommit(account: account)
        commit.candidates = [makeFact(.commented, note: 8, item: item), request(todo: 88)].map { Candidate(fact: $0) }
        _ = try pipeline.take(commit, at: deliveryStart, in: store)
        let ask = try open()[0].ask
        #expect(try store.reminderText(of: ask, step: 1).collapseID == ask.publicID)
    }

    @Test func `who acts, an item that ends, silence and the person's word end it`() throws {
        let ends: [(Ask.Settlement, () throws -> Void)] = [
            (.acted, { try take(makeFact(.commented, note: 100, item: item), suppression: .ownAction) }),
            (.itemEnded, { try take(makeFact(.merged, note: 101, item: item)) }),
            (
                .silenced,
                {
                    let choice = ItemChoice(choice: .dismissed, changedAt: deliveryStart)
                    try store.setChoice(choice, on: item, nil, of: account, at: deliveryStart)
                }
            ),
            (.deniedActor, { try store.denyActor(DeniedActor(gitlabUserID: 7), of: account, at: deliveryStart) }),
            (
                .done,
                { try store.settleAsks(.id(try open()[0].ask.publicID), of: account, by: .done, at: deliveryStart) }
            ),
        ]
        for (number, (reason, act)) in ends.enumerated() {
            try store.database.execute("DELETE FROM item_choices")
            try store.database.execute("DELETE FROM denied_actors")
            try take(request(todo: 200 + Int64(number)))
            #expect(try open().count == 1, "\(reason)")
            try accept()
            try act()
            #expect(try open().isEmpty, "\(reason)")
            let last = try store.database.first("SELECT settled_by FROM asks ORDER BY id DESC LIMIT 1") { $0.text(0) }
            #expect(last == reason.rawValue)
        }
        #expect(try store.database.first("SELECT count(*) FROM reminders WHERE state = 'waiting'") { $0.int(0) } == 0)
    }

    @Test func `what was asked while the clock was ahead ends like any other`() throws {
        let ahead = deliveryStart.advanced(by: .hours(1))
        try take(request(), at: ahead)
        try take(request(todo: 72, on: ItemReference(project: item.project, kind: .mergeRequest, iid: 9)), at: ahead)
        func review(_ pending: Set<Int64>, _ delay: Duration) throws -> Store.AskReview {
            let now = deliveryStart.advanced(by: delay)
            return try store.reviewAsks(pending: pending, of: account, readAt: now, at: now)
        }
        #expect(try store.unreadTodos(of: account, before: deliveryStart, at: deliveryStart).map(\.todo) == [71, 72])
        #expect(try review([72], .minutes(1)).hasMissing)
        #expect(try review([72], .minutes(2)).settled == 1)
        // Also where it was the clock that was ahead by which it was missing first.
        try store.database.execute("UPDATE asks SET missing_since = ? WHERE todo_id = 72", ahead)
        for delay in [3, 4] {
            let now = deliveryStart.advanced(by: .minutes(delay))
            #expect(try store.settleMissingAsks(of: account, at: now).settled == delay - 3)
        }
        #expect(try open().isEmpty)
    }

    @Test func `an unwatch ends what was asked while the clock was ahead, and nothing that came after it`() throws {
        let unwatched = ItemChoice(choice: .unwatched, changedAt: deliveryStart)
        try take(request(), at: deliveryStart.advanced(by: .minutes(5)))
        try store.setChoice(unwatched, on: item, nil, of: account, at: deliveryStart.advanced(by: .minutes(9)))
        #expect(try open().count == 1, "it came before that was heard")
        try store.setChoice(unwatched, on: item, nil, of: account, at: deliveryStart)
        #expect(try open().isEmpty)
    }

    @Test func `what was held is held anew by another process, after quiet hours and after "later"`() throws {
        try take(request())
        try accept()
        let ask = try open()[0].ask
        let due = deliveryStart.advanced(by: .hours(1))
        let later = due.advanced(by: .hours(1))
        let forgets: [() throws -> Void] = [
            { try store.forgetHeldReminders() },
            { try store.postponeReminders(of: ask, dueBy: due.advanced(by: .minutes(1)), until: later) },
            { _ = try store.snooze(ask.publicID, of: account, until: later) },
        ]
        for forget in forgets {
            try store.database.execute("UPDATE reminders SET due_at = ?, quiet_until = NULL", due)
            try store.holdReminders(of: ask, dueBy: due, until: due.advanced(by: ReminderPolicy.look))
            #expect(try store.waitingReminders(of: ask).compactMap(\.heldSince) == [due, due])
            try forget()
            #expect(try store.waitingReminders(of: ask).compactMap(\.heldSince).isEmpty)
        }
    }

    @Test func `a wall clock that is set moves what waits, but what quiet hours have put off`() throws {
        try take(request())
        try accept()
        let ask = try open()[0].ask
        func due() throws -> [WallTime] { try store.waitingReminders(of: ask).map(\.dueAt) }
        let plan = try due()
        for step in [Duration.hours(-1), .hours(1)] {
            try store.database.execute("UPDATE reminders SET due_at = ? + delay, quiet_until = NULL", deliveryStart)
            let now = deliveryStart.advanced(by: .minutes(10) + step)
            try store.shiftReminders(by: step, noticedAfter: .seconds(30), at: now)
            #expect(try due() == plan.map { $0.advanced(by: step) }, "\(step)")
        }
        // Told by the clock that is right again, half a minute before that is noticed.
        try store.database.execute("UPDATE reminders SET due_at = ? + delay", deliveryStart)
        try store.shiftReminders(
            by: .hours(-1),
            noticedAfter: .minutes(1),
            at: deliveryStart.advanced(by: .seconds(30))
        )
        #expect(try due() == plan)
        let (now, end) = (deliveryStart.advanced(by: .hours(2)), deliveryStart.advanced(by: .hours(9)))
        try store.postponeReminders(of: ask, dueBy: now, until: end)
        try store.shiftReminders(by: .hours(-1), noticedAfter: .minutes(1), at: now)
        #expect(try due() == [now, now], "whether it is quiet is asked again")
    }

    @Test func `a to-do item that is gone for a minute is done, and one that flickers is not`() throws {
        try take(request())
        let start = deliveryStart.advanced(by: .minutes(5))
        func review(_ pending: Set<Int64>, _ delay: Duration) throws -> Int {
            let now = start.advanced(by: delay)
            return try store.reviewAsks(pending: pending, of: account, readAt: now, at: now).settled
        }
        #expect(try review([], .zero) == 0)
        #expect(try review([71], .seconds(30)) == 0)
        #expect(try review([], .seconds(70)) == 0)
        #expect(try review([], .seconds(90)) == 0)
        #expect(try open().count == 1)
        #expect(try review([], .seconds(130)) == 1)
        #expect(try open().isEmpty)
    }
}
