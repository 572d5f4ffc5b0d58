import Platform
import ScenarioFixtures
import Scenarios
import Testing

@testable import Verdict

/// Numbers of unread notifications, against what was made and what was read.
struct UnreadJudgeTests {
    private static let maria = RecordBuilder.maria

    /// Three comments on the merge request, of which the phone was told at 110, 210 and 310 s.
    private func makeBuilder() -> RecordBuilder {
        var builder = RecordBuilder()
        for number in 1...3 {
            let at = Double(100 * number)
            let activity = builder.activity(at: at)
            let keys = ["note/7/\(activity.noteID ?? 0)"]
            builder.enqueue(keys, at: at + 9, id: "n\(number)")
            builder.deliver(keys, pushed: at + 10, shown: at + 11, id: "n\(number)")
            builder.record.pushes[number - 1].content?.target = PushTarget(
                itemType: "merge_request",
                itemNumber: 847,
                projectPath: "team/backend",
                webAddress: nil
            )
        }
        return builder
    }

    private func shows(_ count: Int, at seconds: Double, listing listed: Int? = nil, _ builder: inout RecordBuilder) {
        builder.record.badges.append(
            BadgeRecord(
                at: .seconds(seconds),
                person: Self.maria,
                device: RecordBuilder.phone,
                count: count,
                listed: listed
            )
        )
    }

    private func wrong(_ builder: RecordBuilder) -> [String] {
        JudgedRun(builder.record).unread.wrong.map(\.why)
    }

    @Test(arguments: [2, 3, 4])
    func `an app that knows all shows how many there are`(count: Int) {
        var builder = makeBuilder()
        shows(count, at: 1_000, &builder)
        #expect(wrong(builder) == (count == 3 ? [] : ["phone was told that \(count) are unread; 3 were."]))
    }

    @Test func `what has just been made may be counted or not`() {
        var builder = makeBuilder()
        shows(2, at: 315, &builder)
        shows(3, at: 315, &builder)
        shows(1, at: 315, &builder)
        #expect(wrong(builder) == ["phone was told that 1 are unread; 2 to 3 were."])
    }

    @Test func `what was marked as read counts no more, and only what had been made`() {
        var builder = makeBuilder()
        builder.choose(.read(RecordBuilder.request), at: 260)
        shows(1, at: 1_000, &builder)
        #expect(wrong(builder) == [])
        shows(3, at: 1_001, &builder)
        #expect(wrong(builder) == ["phone was told that 3 are unread; 1 were."])
    }

    @Test(
        arguments: [
            ([(50, 3_600)], []), ([(250, -100)], ["phone was told that 3 are unread; 1 to 2 were."]),
            ([(50, 3_600), (230, -3_600)], ["phone was told that 3 are unread; 1 to 2 were."]),
        ] as [([(Double, Double)], [String])]
    )
    func `what was made by a clock ahead, and marked by the right one, may be unread`(
        steps: [(Double, Double)],
        expected: [String]
    ) {
        var builder = makeBuilder()
        for (at, jump) in steps {
            let effect = FaultEffect.clockStep(.notifier, .seconds(jump))
            builder.fault(.clockStep, id: "step\(Int(at))", from: at, until: at, effect: effect)
        }
        builder.choose(.read(RecordBuilder.request), at: 260)
        shows(3, at: 1_000, &builder)
        #expect(wrong(builder) == expected)
    }

    @Test(arguments: [0, 1, 2])
    func `a push counts itself and what came before`(badge: Int) {
        var builder = makeBuilder()
        builder.record.pushes[1].content?.badge = badge
        #expect(wrong(builder).isEmpty == (badge == 2))
    }

    @Test func `an app lists no more than there are`() {
        var builder = makeBuilder()
        shows(3, at: 1_000, listing: 2, &builder)
        #expect(wrong(builder) == [])
        shows(3, at: 1_100, listing: 4, &builder)
        #expect(wrong(builder) == ["phone lists 4 as unread; 3 were."])
        #expect(Assessment.assess(builder.record).whole.wrongUnreadNumbers == 1)
    }

    @Test func `what the notifier forgot with a backup counts until then`() {
        var builder = makeBuilder()
        builder.fault(.restoreBackup, id: "restore", from: 150, until: 600)
        shows(3, at: 500, &builder)
        shows(1, at: 1_000, &builder)
        #expect(wrong(builder) == [])
        shows(3, at: 1_100, &builder)
        #expect(wrong(builder) == ["phone was told that 3 are unread; 1 were."])
    }

    @Test func `what was opened, as the notifier knows, counts no more`() {
        for isAcknowledged in [true, false] {
            var builder = makeBuilder()
            builder.record.receipts.append(
                ReceiptRecord(
                    at: .seconds(500),
                    person: Self.maria,
                    device: RecordBuilder.phone,
                    kind: .opened,
                    notificationID: "n1",
                    isAcknowledged: isAcknowledged
                )
            )
            shows(3, at: 520, &builder)
            shows(2, at: 1_000, &builder)
            #expect(wrong(builder) == [])
            shows(3, at: 1_000, &builder)
            #expect(wrong(builder) == (isAcknowledged ? ["phone was told that 3 are unread; 2 were."] : []))
            builder.fault(.diskError, id: "disk", from: 480, until: 520)
            #expect(wrong(builder) == [])
        }
    }

    @Test func `what reminds counts in no number`() {
        var builder = makeBuilder()
        builder.push(["note/7/1001"], at: 400, id: "r1")
        builder.record.pushes[3].content?.reminder = ReminderContent(ask: "a1", step: 1)
        shows(3, at: 1_000, &builder)
        #expect(wrong(builder) == [])
        shows(4, at: 1_000, &builder)
        #expect(wrong(builder) == ["phone was told that 4 are unread; 3 were."])
    }

    /// A review request of which a push told alone, done in GitLab at 400 s; it came back after 500 s when it is undone.
    private func makeDone(isUndone: Bool = false, type: String = "activity") -> RecordBuilder {
        var builder = RecordBuilder()
        var todo = ActivityRecord.Todo(person: Self.maria, id: 71, action: "review_requested")
        todo.resolve(at: .seconds(400))
        if isUndone {
            todo.restore(at: .seconds(500))
            todo.resolve(at: .seconds(600))
        }
        builder.activity(.reviewRequested, at: 100, note: false, todos: [todo])
        builder.enqueue(["todo/71"], at: 109)
        builder.deliver(["todo/71"], pushed: 110, shown: 111)
        builder.record.pushes[0].content?.label = PushLabel(
            type: type,
            actionType: "review_requested",
            actor: "Jonas",
            count: 1
        )
        shows(1, at: 2_500, &builder)
        return builder
    }

    @Test func `a to-do item that was dealt with in GitLab is read once that had to be known`() {
        var builder = makeDone()
        #expect(wrong(builder) == [])
        shows(1, at: 2_600, &builder)
        #expect(wrong(builder) == ["phone was told that 1 are unread; 0 were."])
    }

    @Test func `that a to-do item is done need not be known where it came back or a clock was set`() {
        var set = makeDone()
        set.fault(.clockStep, id: "clock", from: 90, until: 90)
        var dead = makeDone()
        dead.record.registrations[0].tokenDead = [Span(from: .seconds(390), until: .seconds(30_000))]
        for var builder in [makeDone(isUndone: true), makeDone(type: "digest"), set, dead] {
            shows(1, at: 20_000, &builder)
            #expect(wrong(builder) == [])
        }
    }

    @Test func `a to-do item that was dealt with in GitLab may count as read`() {
        var builder = RecordBuilder()
        let todo = ActivityRecord.Todo(person: Self.maria, id: 71, action: "mentioned", resolvedAt: .seconds(400))
        builder.activity(at: 100, todos: [todo])
        builder.enqueue(["todo/71"], at: 109)
        builder.deliver(["todo/71"], pushed: 110, shown: 111)
        shows(0, at: 300, &builder)
        shows(0, at: 1_000, &builder)
        shows(1, at: 1_000, &builder)
        #expect(wrong(builder) == ["phone was told that 0 are unread; 1 were."])
    }
}

/// What is made twice because a backup was brought back.
struct ForgottenNotificationsTests {
    /// One comment, told before the notifier went back and again after it.
    private func makeBuilder(forgets: Bool) -> RecordBuilder {
        var builder = RecordBuilder()
        builder.activity(at: 100, noteID: 41)
        builder.enqueue(["note/7/41"], at: 108, id: "n1")
        builder.deliver(["note/7/41"], pushed: 110, shown: 111, id: "n1")
        builder.enqueue(["note/7/41"], at: 708, id: "n2")
        builder.deliver(["note/7/41"], pushed: 710, shown: 711, id: "n2")
        if forgets { builder.fault(.restoreBackup, id: "restore", from: 50, until: 600) }
        return builder
    }

    @Test(arguments: [true, false])
    func `only what was forgotten may be told again`(forgets: Bool) {
        let result = Assessment.assess(makeBuilder(forgets: forgets).record)
        #expect(result.whole.duplicates == (forgets ? 0 : 1))
        #expect(result.violations.map(\.invariant) == (forgets ? [] : [.pushedTwice]))
    }

    @Test func `what was made before the backup is no news after it`() {
        var builder = makeBuilder(forgets: false)
        builder.fault(.restoreBackup, id: "restore", from: 200, until: 600)
        #expect(Assessment.assess(builder.record).whole.duplicates == 1)
    }

    @Test func `what was forgotten before it was pushed need not be pushed`() {
        func broken(_ forgets: Bool) -> [ViolationRecord.Invariant] {
            var builder = RecordBuilder()
            builder.enqueue(["note/7/41"], at: 108, id: "n1")
            if forgets { builder.fault(.restoreBackup, id: "restore", from: 50, until: 600) }
            return Assessment.assess(builder.record).violations.map(\.invariant)
        }
        #expect(broken(false) == [.outboxLost] && broken(true) == [])
    }
}

/// Who stands behind the numbers of accounts in a log.
struct AccountNumbersTests {
    @Test func `what a push proves stands above the order of registration`() {
        var builder = RecordBuilder()
        builder.record.registrations.append(
            RegistrationRecord(person: RecordBuilder.jonas, requestedAt: .zero, activeFrom: .seconds(2))
        )
        var accounts = AccountNumbers(builder.record)
        #expect(accounts.person(of: 1) == RecordBuilder.maria && accounts.person(of: 2) == RecordBuilder.jonas)
        #expect(accounts.person(of: 3) == nil && accounts.person(of: nil) == nil)
        builder.log(
            "notification.queued",
            at: 109,
            [("account.id", .number(1)), ("notification.id", .text("n1")), ("facts", .text("note/7/41"))]
        )
        builder.push(["note/7/41"], at: 110, to: RecordBuilder.jonas)
        accounts = AccountNumbers(builder.record)
        #expect(accounts.person(of: 1) == RecordBuilder.jonas)
        #expect(accounts.person(of: 2) == RecordBuilder.maria, "whoever is left has what is left")
        #expect(accounts.person(of: 3) == nil)
    }

    @Test func `of two who registered at one instant the first is the one that was answered first`() {
        var builder = RecordBuilder()
        builder.record.registrations.append(
            RegistrationRecord(person: RecordBuilder.jonas, requestedAt: .zero, activeFrom: .seconds(1))
        )
        let accounts = AccountNumbers(builder.record)
        #expect(accounts.person(of: 1) == RecordBuilder.maria && accounts.person(of: 2) == RecordBuilder.jonas)
        #expect(!accounts.isProven(1) && !accounts.isProven(nil))
        #expect(AccountNumbers(RecordBuilder().record).isProven(1), "there is nobody else")
    }

    @Test func `a push to a device proves whose the account is that it was registered for`() {
        var builder = RecordBuilder()
        builder.record.registrations.append(
            RegistrationRecord(person: RecordBuilder.jonas, requestedAt: .zero, activeFrom: .seconds(2))
        )
        builder.log("device.registered", at: 3, [("account.id", .number(1)), ("device.id", .number(7))])
        builder.log("delivery.accepted", at: 110, [("device.id", .number(7)), ("apns.id", .text("N1-Phone"))])
        #expect(AccountNumbers(builder.record).person(of: 1) == RecordBuilder.maria)
        builder.push([], at: 109, apnsID: "n1-phone", to: RecordBuilder.jonas)
        let accounts = AccountNumbers(builder.record)
        #expect(accounts.person(of: 1) == RecordBuilder.jonas && accounts.isProven(1))
        #expect(accounts.person(of: 2) == RecordBuilder.maria && !accounts.isProven(2))
    }
}
