import Configuration
import Platform
import SQLite
import Testing

@testable import Notifier

/// What was planned by a clock that was ahead comes when a clock that is right says so.
struct FormerClockTests {
    private let store: Store
    private let account: AccountID
    private let device: DeviceID

    init() throws {
        store = try makeDeliveryStore()
        account = try store.makeAccount()
        device = try store.makeDevice(of: account)
    }

    private func at(_ minutes: Int) -> WallTime { deliveryStart.advanced(by: .minutes(minutes)) }

    /// Puts a notification into the outbox that is next tried at that time.
    private func enqueue(until instant: WallTime) throws {
        let draft = NotificationDraft(account: account, subject: .activity([makeFact()]))
        _ = try Outbox(entropy: SeededEntropy(), expiration: .hours(24)).enqueue(draft, at: deliveryStart, in: store)
        try store.database.execute("UPDATE deliveries SET next_attempt_at = ?", instant)
    }

    private func due() throws -> WallTime? { try store.nextDue(.production) }

    @Test func `a pause longer than any ends at the start`() throws {
        let longest = DeliveryPolicy(NotifierConfiguration()).longestRetry
        #expect(longest == .minutes(10))
        try enqueue(until: at(9))
        try store.endFormerPauses(longest: longest, at: deliveryStart)
        #expect(try due() == at(9), "an outage that goes on")
        try store.database.execute("UPDATE deliveries SET next_attempt_at = ?", at(180))
        try store.endFormerPauses(longest: longest, at: deliveryStart)
        #expect(try due() == deliveryStart)
    }

    @Test func `what waits for a held device, or for a busy one, goes on waiting`() throws {
        try enqueue(until: at(60))
        try store.throttle(device, until: at(60), count: 4, at: deliveryStart)
        try store.endFormerPauses(longest: .minutes(10), at: deliveryStart)
        #expect(try due() == at(60))
        // By a clock that was ahead.
        try store.throttle(device, until: at(180), count: 4, at: at(120))
        try store.endFormerPauses(longest: .minutes(10), at: deliveryStart)
        #expect(try due() == deliveryStart)
        try store.hold(device, reason: "BadDeviceToken", at: deliveryStart)
        let parked = try due()
        try store.endFormerPauses(longest: .minutes(10), at: deliveryStart)
        #expect(try due() == parked)
    }

    @Test func `a push that APNs takes lets a device go that was too busy by a clock ahead`() throws {
        try enqueue(until: at(180))
        try store.database.execute("UPDATE deliveries SET last_outcome = 'TooManyRequests'")
        try store.throttle(device, until: at(180), count: 4, at: at(120))
        try store.shiftQueue(by: .minutes(-100), at: at(20), expiringBy: at(20))
        #expect(try due() == at(80))
        try store.endThrottle(of: device, sentAt: at(20), at: at(21))
        #expect(try due() == at(21))
    }

    @Test func `reminders come no later than their delay, and "later" no later than it says`() throws {
        let pipeline = NotificationPipeline(
            outbox: Outbox(entropy: SeededEntropy(), expiration: .hours(24)),
            zones: FixedZones(),
            asks: AskSource(entropy: SeededEntropy(seed: 2), policy: ReminderPolicy(NotifierConfiguration()))
        )
        var fact = makeFact(.reviewRequested, note: 71)
        (fact.key, fact.source, fact.sourceID) = (.todo(71), .todo, 71)
        var commit = FactCommit(account: account)
        commit.candidates = [Candidate(fact: fact)]
        _ = try pipeline.take(commit, at: at(180), in: store)
        let claimed = try store.claimDue(at: at(180)).claimed
        for delivery in claimed { try store.noteTold(through: delivery.id, at: at(180)) }
        func next() throws -> [WallTime] {
            try store.database.rows("SELECT due_at FROM reminders ORDER BY step") { $0.wallTime(0) }
        }
        #expect(try next() == [at(195), at(240)])
        try store.endFormerReminders(at: at(182))
        #expect(try next() == [at(195), at(240)], "the clock goes on")
        let ask = try #require(try store.openAsks(of: account, limit: 1).first).ask
        try store.endFormerReminders(at: at(2))
        #expect(try next() == [at(17), at(62)])
        #expect(try store.snooze(ask.publicID, of: account, until: at(240)) == true)
        try store.endFormerReminders(at: at(3))
        #expect(try next() == [at(63), at(63)])
        // Quiet hours are looked at anew.
        try store.postponeReminders(of: ask, dueBy: at(63), until: at(300))
        try store.endFormerReminders(at: at(70))
        #expect(try next() == [at(70), at(70)])
    }

    @Test func `what was chosen by a clock ahead gives way to what is chosen once it is right`() throws {
        let item = ItemReference(project: ProjectID(rawValue: 1), kind: .mergeRequest, iid: 7)
        #expect(try store.denyActor(DeniedActor(gitlabUserID: 9), of: account, at: at(180)))
        let choice = ItemChoice(choice: .dismissed, changedAt: at(181))
        try store.setChoice(choice, on: item, nil, of: account, at: at(181))
        #expect(try store.chooseMute(until: at(400), on: item, of: account, ChangeStamp(at: at(182))))
        // Who is still denied is not said to be allowed.
        #expect(try !store.allowActor(9, of: account, at: at(1)))
        #expect(try store.isDenied(9, of: account) && !store.isLast(at(1), on: item, of: account))
        try store.endFormerChoices(of: account, at: at(1))
        #expect(try !store.allowActor(9, of: account, at: at(-1)), "chosen before, without a network")
        #expect(try store.allowActor(9, of: account, at: at(1)))
        #expect(try !store.isDenied(9, of: account))
        #expect(try store.isLast(at(1), on: item, of: account) && !store.isLast(at(-1), on: item, of: account))
        #expect(try store.mute(on: item, of: account)?.end == at(400), "their order stays")
    }

    @Test func `a mark by a clock ahead gives way to one that is made once it is right`() throws {
        try enqueue(until: deliveryStart)
        let notification = try #require(try store.lastNotification(of: account))
        try store.setRead(true, notification, chosenAt: at(180))
        #expect(try !store.setRead(false, notification, chosenAt: at(2)))
        try store.endFormerMark(of: notification, at: at(2))
        #expect(try !store.setRead(false, notification, chosenAt: at(0)))
        #expect(try store.setRead(false, notification, chosenAt: at(2)))
    }

    @Test func `who reads all reaches what a clock ahead says is unread`() throws {
        try enqueue(until: deliveryStart)
        let notification = try #require(try store.lastNotification(of: account))
        try store.setRead(true, notification, chosenAt: at(179))
        try store.setRead(false, notification, chosenAt: at(180))
        #expect(try store.markRead(.all, of: account, upTo: notification, chosenAt: at(178), at: at(181)) == 0)
        #expect(try store.markRead(.all, of: account, upTo: notification, chosenAt: at(2), at: at(2)) == 1)
        #expect(try store.readStamp(notification)?.at == at(2))
    }

    @Test func `a tag counts from when it was made, also where the account seems yet to come`() throws {
        let items = ([3, 4] as [Int64]).map {
            ItemReference(project: ProjectID(rawValue: 1), kind: .mergeRequest, iid: $0)
        }
        try store.database.execute("UPDATE accounts SET created_at = ?", at(180))
        try store.insertAutoWatchRequest(Tag(item: items[0], at: at(-1)), of: account, at: deliveryStart)
        try store.database.execute("UPDATE accounts SET created_at = ?", at(-30))
        try store.insertAutoWatchRequest(Tag(item: items[1], at: at(-60)), of: account, at: deliveryStart)
        let times = try store.autoWatchRequests(of: account, limit: 9).map(\.taggedAt)
        #expect(Set(times) == [at(-1), at(-30)])
    }

    @Test func `a silent push, and the trial of a held device, wait no longer than if they were planned now`() throws {
        let policy = SilentPushPolicy(NotifierConfiguration())
        try store.notePulled(0, by: device)
        _ = try store.planSilentPushes(for: 1, of: account, besides: nil, by: policy, at: at(180))
        try store.endFormerPlans(by: policy, at: deliveryStart)
        let due = deliveryStart.advanced(by: SilentPushPolicy.settling)
        #expect(try store.nextSilentPush(.production) == due)
        try store.endFormerPlans(by: policy, at: at(-20))
        #expect(try store.nextSilentPush(.production) == due, "as if another had gone a moment ago")
        try store.hold(device, reason: "BadDeviceToken", at: at(180))
        try store.endFormerPlans(by: policy, at: deliveryStart)
        #expect(try store.nextTrial(.production) == at(10))
        try store.database.execute("UPDATE devices SET trials = 1, trial_at = ?", at(50))
        try store.endFormerPlans(by: policy, at: deliveryStart)
        #expect(try store.nextTrial(.production) == at(50), "what was tried already waits for an hour")
        try store.endFormerPlans(by: policy, at: at(-20))
        #expect(try store.nextTrial(.production) == at(40))
    }
}
