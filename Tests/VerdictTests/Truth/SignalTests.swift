import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

/// What programs said, in the ground truth and among the reminders. Each is heard a second after it was said.
struct SignalTests {
    private static let maria = RecordBuilder.maria

    private func makeBuilder(
        _ word: ProgramWord = .approvalNeeded,
        _ name: String = "deploy",
        at seconds: Int = 1_000,
        answered: Int? = 1
    ) -> RecordBuilder {
        var builder = RecordBuilder()
        say(word, name, at: seconds, answered: answered, in: &builder)
        return builder
    }

    private func say(
        _ word: ProgramWord,
        _ name: String,
        at seconds: Int,
        answered: Int? = 1,
        in builder: inout RecordBuilder
    ) {
        builder.activity(.signal, at: Double(seconds), by: Self.maria, on: nil, note: false)
        let last = builder.record.activities.count - 1
        var signal = SignalRecord(person: Self.maria, word: word, name: name)
        signal.key = key(word, name)
        signal.answeredAt = answered.map { .seconds(seconds + $0) }
        builder.record.activities[last].signal = signal
    }

    private func key(_ word: ProgramWord, _ name: String) -> String {
        "signal/7/\(word.rawValue.replacing("-", with: "_"))/\(name)"
    }

    private func standings(_ builder: RecordBuilder) -> [Standing] { GroundTruth(builder.record).pairs.map(\.standing) }

    @Test func `what was heard is expected, however GitLab is, by the person that it was said to`() {
        var builder = makeBuilder()
        builder.record.registrations[0].tokenDead = [Span(from: .zero, until: .seconds(9_000))]
        let jonas = RegistrationRecord(person: RecordBuilder.jonas, requestedAt: .zero, activeFrom: .seconds(1))
        builder.record.registrations.append(jonas)
        #expect(standings(builder) == [.notForThem(.notToThem), .expected(.signal)])
    }

    @Test func `what had no answer may have been heard, and what was refused had to be`() {
        #expect(standings(makeBuilder(answered: nil)) == [.optional(.unanswered)])
        var builder = makeBuilder()
        builder.record.activities[0].signal?.isRefused = true
        #expect(standings(builder) == [.expected(.signal)])
    }

    @Test func `a program that was shut out comes back as another one, which has said nothing and is not muted`() {
        var builder = makeBuilder()
        builder.choose(.programMuted(until: .seconds(9_000)), at: 1_100)
        builder.choose(.programRevoked, at: 1_500)
        say(.approvalNeeded, "deploy", at: 2_000, in: &builder)
        #expect(standings(builder) == [.expected(.signal), .notForThem(.saidBefore)], "by the same program")
        builder.record.activities[1].signal?.key = "signal/8/approval_needed/deploy"
        #expect(standings(builder) == [.expected(.signal), .expected(.signal)])
        say(.runFailed, "deploy", at: 1_200, in: &builder)
        #expect(standings(builder).last == .notForThem(.muted))
        builder.record.preferences[1].requestedAt = .seconds(1_150)
        builder.record.preferences[1].answeredAt = .seconds(1_200)
        #expect(standings(builder).last == .optional(.choiceChanging))
        builder.record.preferences.removeFirst()
        #expect(standings(builder).last == .optional(.settledMeanwhile), "what was kept back is gone with it")
    }

    @Test func `what could not be told before it is quiet again waits once more`() {
        var builder = makeBuilder(at: 4_000)
        for (from, until, at) in [(540, 600, 1), (575, 640, 5_000)] {
            let hours = QuietHours(zone: .utc, weekdays: [5], from: from, until: until, letsUrgentThrough: true)
            builder.choose(.quietHours(hours), at: Double(at))
        }
        #expect(standings(builder) == [.expected(.signal)])
        builder.record.downtimes = [Span(from: .seconds(5_010), until: .seconds(6_000))]
        #expect(standings(builder) == [.optional(.choiceChanging)])
    }

    @Test func `what is said again is told once, and something else under the same name is not the same`() {
        var builder = makeBuilder()
        say(.approvalNeeded, "deploy", at: 2_000, in: &builder)
        say(.runFailed, "deploy", at: 3_000, in: &builder)
        say(.approvalNeeded, "other", at: 4_000, in: &builder)
        let expected = Standing.expected(.signal)
        #expect(standings(builder) == [expected, .notForThem(.saidBefore), expected, expected])
        let told = key(.approvalNeeded, "deploy")
        builder.deliver([told], pushed: 1_002, shown: 1_003, id: "a")
        #expect(JudgedRun(builder.record).outcomes[0].duplicates.isEmpty)
        builder.deliver([told], pushed: 2_002, shown: 2_003, id: "b")
        #expect(!JudgedRun(builder.record).outcomes[0].duplicates.isEmpty)
    }

    @Test(arguments: [
        (900, Standing.optional(.settledMeanwhile)), (1_001, .optional(.settledMeanwhile)), (1_002, .expected(.signal)),
    ])
    func `what was settled before it was known to be heard may be told or not`(at: Int, standing: Standing) {
        var builder = makeBuilder()
        builder.choose(.signalSettled("deploy"), at: Double(at))
        builder.choose(.signalSettled("other"), at: 500)
        #expect(standings(builder) == [standing])
    }

    @Test(arguments: [
        (500, Standing.notForThem(.muted)), (1_000, .optional(.choiceChanging)), (1_500, .expected(.signal)),
    ])
    func `a muted program is not heard`(at: Int, standing: Standing) {
        var builder = makeBuilder()
        builder.choose(.programMuted(until: .seconds(1_400)), at: Double(at))
        #expect(standings(builder) == [standing])
    }

    @Test func `quiet hours keep everything back, urgent or not`() {
        // From 3,600 to 7,200 s.
        let hours = QuietHours(zone: .utc, weekdays: [5], from: 540, until: 600, letsUrgentThrough: true)
        var builder = makeBuilder(at: 4_000)
        builder.choose(.quietHours(hours), at: 10)
        #expect(GroundTruth(builder.record).pairs[0].heldUntil == Duration.seconds(7_200).wholeNanoseconds)
        builder.choose(.programMuted(until: .seconds(9_000)), at: 7_000)
        #expect(standings(builder) == [.notForThem(.muted)])
    }

    @Test func `what is over when quiet hours end need not be told`() {
        let hours = QuietHours(zone: .utc, weekdays: [5], from: 540, until: 600, letsUrgentThrough: true)
        func standing(_ change: (inout RecordBuilder) -> Void) -> Standing? {
            var builder = makeBuilder(at: 4_000)
            builder.choose(.quietHours(hours), at: 10)
            change(&builder)
            return standings(builder).first
        }
        #expect(standing { _ in } == .expected(.signal))
        #expect(standing { $0.choose(.signalSettled("deploy"), at: 5_000) } == .optional(.settledMeanwhile))
        #expect(standing { $0.choose(.signalSettled("deploy"), at: 9_000) } == .expected(.signal))
        #expect(standing { say(.runFailed, "deploy", at: 5_000, in: &$0) } == .optional(.settledMeanwhile))
        #expect(standing { say(.runFailed, "other", at: 5_000, in: &$0) } == .expected(.signal))
    }

    @Test func `what is over while APNs refuses it for now need not be told`() {
        let asked = key(.approvalNeeded, "deploy")
        func standing(_ keys: [String], _ change: (inout RecordBuilder) -> Void) -> Standing {
            var builder = makeBuilder()
            builder.enqueue(keys, at: 1_001)
            builder.push(keys, at: 1_002, status: 403, reason: "InvalidProviderToken")
            change(&builder)
            return JudgedRun(builder.record).outcomes[0].pair.standing
        }
        let over = Standing.optional(.settledMeanwhile)
        let expected = Standing.expected(.signal)
        #expect(standing([asked]) { _ in } == expected)
        #expect(standing([asked]) { say(.runFailed, "deploy", at: 1_500, in: &$0) } == over)
        #expect(standing([asked]) { say(.runFailed, "other", at: 1_500, in: &$0) } == expected)
        let ends: [PreferenceRecord.Choice] = [
            .signalSettled("deploy"), .programMuted(until: .seconds(9_000)), .programRevoked,
        ]
        for end in ends { #expect(standing([asked]) { $0.choose(end, at: 1_500) } == over) }
        // Two minutes for the sending and twenty for the pause before the next attempt.
        #expect(standing([asked]) { $0.choose(.programRevoked, at: 2_400) } == expected)
        let both = [asked, key(.approvalNeeded, "other")]
        #expect(standing(both) { say(.runFailed, "deploy", at: 1_500, in: &$0) } == expected, "told with other news")
        let refused = standing([asked]) { builder in
            say(.runFailed, "deploy", at: 1_500, in: &builder)
            builder.record.activities[1].signal?.isRefused = true
        }
        #expect(refused == expected)
        let repeated = standing([asked]) { builder in
            say(.runFailed, "end", at: 900, in: &builder)
            say(.runFailed, "end", at: 1_500, in: &builder)
            builder.record.activities[1].signal?.run = "deploy"
            builder.record.activities[2].signal?.run = "deploy"
        }
        #expect(repeated == expected, "what is said again ends nothing")
    }

    // MARK: Reminders

    private func told(_ builder: RecordBuilder) -> RecordBuilder {
        var builder = builder
        builder.deliver([key(.approvalNeeded, "deploy")], pushed: 1_009, shown: 1_010)
        return builder
    }

    @Test func `an approval is reminded of twice, and how a run ended is not`() {
        var builder = told(makeBuilder())
        say(.runFailed, "night", at: 1_000, in: &builder)
        builder.deliver([key(.runFailed, "night")], pushed: 1_009, shown: 1_010, id: "n2")
        #expect(JudgedRun(builder.record).reminders.due.map(\.deadline) == [.seconds(2_089), .seconds(4_789)])
        builder.remind(1, at: 1_909, keys: [key(.approvalNeeded, "deploy")])
        builder.remind(2, at: 4_609, keys: [key(.approvalNeeded, "deploy")])
        let found = JudgedRun(builder.record).reminders
        #expect(found.due.allSatisfy { !$0.isMissed && !$0.isLate } && found.wrong.isEmpty)
        builder.remind(1, at: 1_909, keys: [key(.runFailed, "night")], id: "of a run")
        #expect(JudgedRun(builder.record).reminders.wrong.count == 1)
    }

    @Test func `the end of the run in which it was asked is its end, and no other run's`() {
        func builder(_ run: String, _ word: ProgramWord = .runFailed, at seconds: Int = 1_500) -> RecordBuilder {
            var builder = told(makeBuilder())
            say(word, "end", at: seconds, in: &builder)
            builder.record.activities[1].signal?.run = run
            return builder
        }
        #expect(JudgedRun(builder("other").record).reminders.due.count == 2)
        #expect(JudgedRun(builder("deploy", .approvalNeeded).record).reminders.due.count == 2)
        for word in [ProgramWord.runCompleted, .runFailed] {
            var ended = builder("deploy", word)
            #expect(JudgedRun(ended.record).reminders.due.isEmpty)
            ended.remind(1, at: 1_909, keys: [key(.approvalNeeded, "deploy")])
            #expect(JudgedRun(ended.record).reminders.wrong.map(\.invariant) == [.remindedAfterEnd])
            ended.record.activities[1].signal?.answeredAt = nil
            #expect(JudgedRun(ended.record).reminders.wrong.isEmpty, "nobody knows whether it was heard")
        }
    }

    @Test(arguments: [PreferenceRecord.Choice.signalSettled("deploy"), .programMuted(until: .seconds(9_000))])
    func `it is reminded of no more once it was settled or muted`(choice: PreferenceRecord.Choice) {
        var builder = told(makeBuilder())
        builder.choose(choice, at: 1_500)
        #expect(JudgedRun(builder.record).reminders.due.isEmpty)
        builder.remind(1, at: 1_909, keys: [key(.approvalNeeded, "deploy")])
        #expect(JudgedRun(builder.record).reminders.wrong.map(\.invariant) == [.remindedAfterEnd])
    }

    @Test func `what is settled under another name settles nothing here`() {
        var builder = told(makeBuilder())
        builder.choose(.signalSettled("other"), at: 1_500)
        #expect(JudgedRun(builder.record).reminders.due.count == 2)
    }
}
