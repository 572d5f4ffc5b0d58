import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

struct MissCauseTests {
    private func cause(_ builder: RecordBuilder) -> String? {
        let line = Assessment.ledger(builder.record).first { $0.abnormal.contains("missed") }
        #expect((line?.cause == nil) == (line?.causeSentence == nil))
        return line?.cause
    }

    /// One comment at 100 s that nobody learns of.
    private func makeMiss(simulated: Int = 36_000) -> RecordBuilder {
        var builder = RecordBuilder(simulated: simulated)
        builder.activity(at: 100, noteID: 41)
        return builder
    }

    @Test func `readable, polled and never named is the dangerous one`() {
        #expect(cause(makeMiss()) == "not-detected")
    }

    @Test func `the run may end before a poll is due`() {
        #expect(cause(makeMiss(simulated: 279)) == "not-polled-before-end")
        #expect(cause(makeMiss(simulated: 280)) == "not-detected")
    }

    @Test func `the notifier may have read it and told nobody`() {
        var builder = makeMiss()
        builder.log("fact.backdated", at: 130, [("account.id", 1), ("facts", "note/7/40")])
        #expect(cause(builder) == "not-detected")
        // Who is alone there has every account, also a second one.
        builder.log("fact.backdated", at: 150, [("account.id", 2), ("facts", "note/7/42,note/7/41")])
        #expect(cause(builder) == "silenced")
        var others = makeMiss()
        others.record.registrations.append(others.record.registrations[0])
        others.record.registrations[1].person = RecordBuilder.jonas
        others.log("fact.backdated", at: 140, [("account.id", 2), ("facts", "note/7/41")])
        #expect(cause(others) == "not-detected")
    }

    @Test func `it may never become readable`() {
        var builder = RecordBuilder()
        builder.activity(at: 100, readableAfter: 40_000, noteID: 41)
        #expect(cause(builder) == "never-readable")
        builder = makeMiss()
        builder.fault(.gitlabOutage, id: "outage", from: 50, until: 40_000)
        #expect(cause(builder) == "never-readable")
    }

    @Test func `an approval without a note is owed only by the next look at the list of approvals`() {
        for (deadAt, expected) in [(1_179, "token-dead"), (1_180, "not-detected")] {
            var builder = RecordBuilder(simulated: 36_000)
            builder.activity(.approved, at: 100, note: false)
            builder.record.registrations[0].tokenDead = [Span(from: .seconds(deadAt), until: .seconds(40_000))]
            #expect(cause(builder) == expected, "dead at \(deadAt) s")
        }
    }

    @Test func `a row that comes in late is owed only by the next reading from end to end`() {
        // Five minutes are looked back on anyway, by a clock of whole seconds; what is later has an hour more to be found.
        for (lateness, blockedAt, expected) in [
            (299, 578, "token-dead"), (299, 579, "not-detected"), (300, 4_179, "token-dead"),
            (300, 4_180, "not-detected"),
        ] {
            var builder = RecordBuilder(simulated: 36_000)
            builder.activity(at: 100, readableAfter: Double(lateness), noteID: 41)
            builder.record.registrations[0].blocked = [Span(from: .seconds(blockedAt), until: .seconds(40_000))]
            #expect(cause(builder) == expected, "late by \(lateness) s, blocked at \(blockedAt) s")
        }
    }

    @Test func `the list of to-do items shows a late one at once`() {
        let todo = ActivityRecord.Todo(person: RecordBuilder.maria, id: 5, action: "mentioned")
        for (blockedAt, expected) in [(580, "token-dead"), (581, "not-detected")] {
            var builder = RecordBuilder(simulated: 36_000)
            builder.activity(at: 100, readableAfter: 301, noteID: 41, todos: [todo])
            builder.record.registrations[0].blocked = [Span(from: .seconds(blockedAt), until: .seconds(40_000))]
            #expect(cause(builder) == expected, "blocked at \(blockedAt) s")
        }
    }

    @Test func `what closes for good before a poll was due is the cause`() {
        var builder = makeMiss()
        builder.record.registrations[0].blocked = [Span(from: .seconds(200), until: .seconds(40_000))]
        #expect(cause(builder) == "token-dead")
        builder.record.registrations[0].blocked = [Span(from: .seconds(280), until: .seconds(40_000))]
        #expect(cause(builder) == "not-detected")
        // Nothing could be read or stored in between.
        for kind in [FaultKind.diskDamaged, .gitlabOutage] {
            builder = makeMiss()
            builder.fault(kind, id: "fault", from: 110, until: 500)
            builder.record.registrations[0].tokenDead = [Span(from: .seconds(600), until: .seconds(40_000))]
            #expect(cause(builder) == "token-dead")
        }
        builder = makeMiss()
        builder.fault(.gitlabOutage, id: "outage", from: 110, until: 40_000)
        #expect(cause(builder) == "never-readable")
    }

    @Test(arguments: [
        ("45s", "100%", "token-dead"), ("45s", "90%", "token-dead"), ("45s", "80%", "not-detected"),
        ("20s", "100%", "not-detected"),
    ])
    func `a GitLab for which nobody waits is down`(latency: String, ratio: String, expected: String) throws {
        var builder = makeMiss()
        let seconds = try #require(Int(latency.dropLast()))
        let table = QuantileTable([0, 1_000].map { QuantileTable.Point(perMille: $0, value: .seconds(seconds)) })
        let effect = FaultEffect.gitlabSlow(table, ratio: Fixture.ratio(ratio))
        builder.fault(.gitlabSlow, id: "slow", from: 50, until: 500, effect: effect)
        builder.record.registrations[0].tokenDead = [Span(from: .seconds(600), until: .seconds(40_000))]
        #expect(cause(builder) == expected)
    }

    @Test(arguments: [
        (50, "100%", "token-dead"), (120, "100%", "token-dead"), (120, "80%", "not-detected"),
        (400, "100%", "not-detected"),
    ])
    func `a link on which a short list takes too long is down`(rate: Int, ratio: String, expected: String) {
        var builder = makeMiss()
        let effect = FaultEffect.link(.slowBody(bytesPerSecond: rate), on: .gitlab, ratio: Fixture.ratio(ratio))
        builder.fault(.slowBody, id: "slow", from: 50, until: 500, effect: effect)
        builder.record.registrations[0].tokenDead = [Span(from: .seconds(600), until: .seconds(40_000))]
        #expect(cause(builder) == expected)
    }

    @Test func `a token that stays dead is its own cause`() {
        var builder = makeMiss()
        for end in [40_000, Int64.max / 2] {
            builder.record.registrations[0].tokenDead = [Span(from: .seconds(50), until: .seconds(end))]
            #expect(cause(builder) == "token-dead")
        }
    }

    @Test func `a cut notification on the same item did not name it`() {
        var builder = makeMiss()
        builder.activity(at: 101, noteID: 42)
        builder.push(["note/7/42"], at: 130, isTruncated: true)
        builder.event(.displayed, ["note/7/42"], at: 131, isTruncated: true)
        #expect(cause(builder) == "not-named-in-batch")
    }

    @Test func `a cut notification on another item is no excuse`() {
        var builder = makeMiss()
        builder.activity(at: 101, on: RecordBuilder.issue, noteID: 42)
        builder.push(["note/7/42"], at: 130, isTruncated: true)
        builder.event(.displayed, ["note/7/42"], at: 131, isTruncated: true)
        #expect(cause(builder) == "not-detected")
    }

    @Test func `enqueued and never tried`() {
        var builder = makeMiss()
        builder.enqueue(["note/7/41"], at: 130)
        #expect(cause(builder) == "never-attempted")
        builder.record.idleSince = nil
        #expect(cause(builder) == "still-in-flight")
    }

    @Test func `enqueued for nobody who could receive it`() {
        var builder = makeMiss()
        builder.push([], at: 10, id: "n0", status: 410, reason: "Unregistered")
        builder.push([], at: 10, id: "n0", device: RecordBuilder.mac, status: 410, reason: "Unregistered")
        builder.enqueue(["note/7/41"], at: 130)
        #expect(cause(builder) == "no-active-device")
    }

    @Test(arguments: [(129.0, "never-attempted"), (9, "no-active-device"), (300, "no-active-device")])
    func `what APNs said of a token counts no more once the device has another`(instant: Double, expected: String) {
        var builder = makeMiss()
        builder.push([], at: 10, id: "n0", status: 410, reason: "Unregistered")
        builder.push([], at: 10, id: "n0", device: RecordBuilder.mac, status: 410, reason: "Unregistered")
        builder.record.pushTokenChanges = [
            PushTokenChangeRecord(
                person: RecordBuilder.maria,
                device: RecordBuilder.phone,
                at: .seconds(instant)
            )
        ]
        builder.enqueue(["note/7/41"], at: 130)
        #expect(cause(builder) == expected)
    }

    /// The news is refused for a dead token at 130 s, and the notifier takes another one at that instant.
    private func makeRenewed(at seconds: Double) -> RecordBuilder {
        var builder = RecordBuilder(simulated: 200_000)
        builder.record.deviceSpans.removeAll { $0.device == RecordBuilder.mac }
        builder.activity(at: 100, noteID: 41)
        builder.enqueue(["note/7/41"], at: 129)
        builder.push(["note/7/41"], at: 130, status: 410, reason: "Unregistered")
        builder.record.pushTokenChanges = [
            PushTokenChangeRecord(person: RecordBuilder.maria, device: RecordBuilder.phone, at: .seconds(seconds))
        ]
        return builder
    }

    @Test(arguments: [
        (120.0, "dead-token"), (600, "rejected"), (85_000, "rejected"), (86_300, "dead-token"),
        (199_000, "dead-token"),
    ])
    func `a dead token is no excuse once the device has another in time`(instant: Double, expected: String) {
        #expect(cause(makeRenewed(at: instant)) == expected)
    }

    @Test func `a former token of the device is no excuse`() {
        var builder = makeRenewed(at: 50)
        #expect(cause(builder) == "dead-token")
        builder.record.pushes[0].newerTokenAt = .seconds(50)
        #expect(cause(builder) == "rejected")
        var soon = builder
        soon.record.pushes[0].newerTokenAt = .seconds(110)
        #expect(cause(soon) == "dead-token", "it may have been under way")
        builder.push([], at: 60, id: "n0", status: 410, reason: "Unregistered")
        #expect(cause(builder) == "dead-token", "the newer token is dead as well")
    }

    @Test func `what may have been read, or lost with the machine, need not go to another token`() {
        let builder = makeRenewed(at: 600)
        var struck = builder
        struck.fault(.diskFull, id: "full", from: 1_000, until: 1_100)
        #expect(cause(struck) == "dead-token")
        var shaky = builder
        shaky.fault(.refuse, id: "half", from: 500, until: 700)
        #expect(cause(shaky) == "dead-token")
        var read = builder
        read.choose(.read(RecordBuilder.request), at: 300)
        #expect(cause(read) == "dead-token")
        var gone = builder
        gone.record.deviceSpans[0].endRequestedAt = .seconds(700)
        #expect(cause(gone) == "dead-token")
        var again = builder
        again.push([], at: 650, id: "n2", status: 410, reason: "Unregistered")
        #expect(cause(again) == "dead-token", "the other token is dead as well")
        var elsewhere = builder
        elsewhere.record.pushTokenChanges[0].device = RecordBuilder.mac
        #expect(cause(elsewhere) == "dead-token")
    }

    /// The news is taken for a token of no more use at 130 s, and the notifier takes another one at that instant.
    private func makeTaken(at seconds: Double = 600) -> RecordBuilder {
        var builder = makeRenewed(at: seconds)
        (builder.record.pushes[0].status, builder.record.pushes[0].reason) = (200, "")
        builder.event(.discarded, ["note/7/41"], at: 130, cause: "tokenReplaced")
        return builder
    }

    @Test(arguments: [
        (120.0, "dead-token"), (150, "dead-token"), (600, "accepted-not-displayed"),
        (3_400, "accepted-not-displayed"), (3_500, "dead-token"), (199_000, "dead-token"),
    ])
    func `what APNs took for a former token is owed to the next one for an hour`(instant: Double, expected: String) {
        #expect(cause(makeTaken(at: instant)) == expected)
    }

    @Test func `what APNs took for a former token is owed to no other row, nor to who may have read it`() {
        func isOwed(_ change: (inout RecordBuilder) -> Void) -> Bool {
            var builder = makeTaken()
            change(&builder)
            return cause(builder) == "accepted-not-displayed"
        }
        #expect(isOwed { _ in })
        #expect(!isOwed { $0.record.pushTokenChanges[0].isOfNewSession = true })
        #expect(!isOwed { $0.record.deviceSpans[0].endRequestedAt = .seconds(700) })
        #expect(!isOwed { $0.choose(.read(RecordBuilder.request), at: 300) })
        #expect(!isOwed { $0.fault(.clockStep, id: "set", from: 1_000, until: 1_000) })
        #expect(!isOwed { $0.push(["note/7/41"], at: 700) }, "it went again")
        #expect(!isOwed { $0.log("reminder.queued", at: 500, [("notification.id", "r1")]) })
        let hours = QuietHours(zone: .utc, weekdays: [5], from: 486, until: 600, letsUrgentThrough: true)
        #expect(!isOwed { $0.choose(.quietHours(hours), at: 10) })
        #expect(
            !isOwed { builder in
                for number in 0..<20 { builder.push([], at: 300 + Double(number), id: "o\(number)") }
            },
            "it is not among the twenty newest"
        )
    }

    @Test(arguments: [
        (400, "BadTopic", nil, "rejected"), (410, "Unregistered", nil, "dead-token"),
        (503, "ServiceUnavailable", "apns-outage", "lost-by-fault"),
    ])
    func `what APNs did not take`(status: Int, reason: String, fault: String?, expected: String) {
        var builder = makeMiss()
        builder.push(["note/7/41"], at: 130, status: status, reason: reason, fault: fault)
        #expect(cause(builder) == expected)
    }

    @Test(arguments: [
        (APNsReason.badMessageID, "refused-by-fault"), (.unregistered, "refused-by-fault"),
        (.topicDisallowed, "lost-by-fault"), (.internalServerError, "lost-by-fault"),
    ])
    func `what a fault made APNs refuse for good`(reason: APNsReason, expected: String) {
        var builder = makeMiss()
        builder.fault(.apnsReason, id: "fault", from: 50, until: 500, effect: .apnsReason(reason, ratio: .one))
        builder.push(["note/7/41"], at: 130, status: reason.status, reason: reason.rawValue, fault: "fault")
        #expect(cause(builder) == expected)
    }

    @Test func `what a fault refused for now, and no device is left to get again, is not the fault's`() {
        var builder = makeMiss()
        builder.fault(.apnsSticky500, id: "fault", from: 50, until: 500, effect: .apnsSticky500(ratio: .one))
        builder.push(["note/7/41"], at: 130, status: 500, reason: "InternalServerError", fault: "fault")
        #expect(cause(builder) == "lost-by-fault")
        for span in [0, 1] { builder.record.deviceSpans[span].endRequestedAt = .seconds(1_800) }
        #expect(cause(builder) == "no-active-device")
        for span in [0, 1] { builder.record.deviceSpans[span].endRequestedAt = .seconds(1_900) }
        #expect(cause(builder) == "lost-by-fault")
    }

    @Test(arguments: [
        (403, "InvalidProviderToken"), (429, "TooManyProviderTokenUpdates"), (500, "InternalServerError"),
        (400, "BadTopic"),
    ])
    func `what waits to be tried again waits no longer for a device that has gone`(status: Int, reason: String) {
        var builder = makeMiss()
        builder.push(["note/7/41"], at: 130, status: status, reason: reason)
        #expect(cause(builder) == "rejected")
        for span in [0, 1] { builder.record.deviceSpans[span].endRequestedAt = .seconds(1_000) }
        #expect(cause(builder) == (status == 400 ? "rejected" : "no-active-device"))
    }

    @Test(arguments: [
        (2_500, Link.apns, "no-active-device"), (2_400, .apns, "never-attempted"), (9_000, .gitlab, "never-attempted"),
    ])
    func `an APNs that no connection reaches in time is down`(milliseconds: Int, link: Link, expected: String) {
        var builder = makeMiss()
        let table = QuantileTable([0, 1_000].map { .init(perMille: $0, value: .milliseconds(milliseconds)) })
        let effect = FaultEffect.link(.latency(table), on: link, ratio: .one)
        builder.fault(.latency, id: "slow", from: 50, until: 900, effect: effect)
        builder.enqueue(["note/7/41"], at: 130)
        for span in [0, 1] { builder.record.deviceSpans[span].endRequestedAt = .seconds(800) }
        #expect(cause(builder) == expected)
    }

    @Test func `a fault that takes the answer away leaves what APNs said`() {
        var builder = makeMiss()
        builder.fault(.apnsLostAnswer, id: "fault", from: 50, until: 500, effect: .apnsLostAnswer(ratio: .one))
        builder.push(["note/7/41"], at: 130, status: 410, reason: "Unregistered", fault: "fault")
        #expect(cause(builder) == "dead-token")
    }

    @Test(arguments: [
        ("overwrittenBySilentPush", "overwritten-by-silent-push"), ("overwritten", "overwritten-in-mailbox"),
        ("overwrittenUnacknowledged", "overwritten-in-mailbox"),
        ("expiredWhileStored", "expired-in-mailbox"), ("notStored", "expired-in-mailbox"),
        ("notificationsDisabled", "notifications-off"), ("appRemoved", "app-removed"), ("tokenReplaced", "dead-token"),
        ("lostByFault", "lost-in-apns"), ("something new", "accepted-not-displayed"),
    ])
    func `what APNs threw away`(word: String, expected: String) {
        var builder = makeMiss()
        builder.push(["note/7/41"], at: 130)
        builder.event(.stored, ["note/7/41"], at: 130)
        #expect(cause(builder) == "device-away")
        builder.event(.discarded, ["note/7/41"], at: 200, cause: word)
        #expect(cause(builder) == expected)
    }

    @Test func `taken, and delivered late, when the run is over`() {
        var builder = makeMiss()
        builder.push(["note/7/41"], at: 130)
        let effect = FaultEffect.apnsDeliveryDelay(.hours(20), ratio: .one)
        #expect(cause(builder) == "accepted-not-displayed")
        builder.fault(.apnsDeliveryDelay, id: "late", from: 50, until: 500, effect: effect)
        #expect(cause(builder) == "still-in-flight")
    }

    @Test func `taken, and nothing was heard of it`() {
        var builder = makeMiss()
        builder.push(["note/7/41"], at: 130)
        #expect(cause(builder) == "accepted-not-displayed")
        builder.record.pushes[0].answerLost = true
        #expect(cause(builder) == "answer-lost-not-displayed")
    }

    @Test func `every miss has exactly one cause and every known one none`() {
        let lines = Assessment.ledger(RecordBuilder.makeDay(count: 20, missed: 7))
        #expect(lines.count { $0.cause != nil } == 7)
        #expect(lines.allSatisfy { ($0.cause != nil) == $0.abnormal.contains("missed") })
        let counts = Assessment.assess(RecordBuilder.makeDay(count: 20, missed: 7)).causes
        #expect(counts == [CauseCount(code: "not-detected", count: 7)])
    }

    @Test(arguments: ["wait.ms", "retry_after.seconds"] as [StaticString])
    func `a wait without end in the log ends`(key: StaticString) {
        var builder = RecordBuilder()
        builder.activity(at: 100, noteID: 41)
        builder.log("poll.rate_limited", at: 99, [(key: key, value: .number(.max))])
        #expect(Assessment.assess(builder.record).whole.expected == 1)
    }
}
