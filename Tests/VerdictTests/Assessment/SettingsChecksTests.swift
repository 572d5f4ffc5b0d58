import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

/// What apps are told of settings, against what was chosen. A choice made at an instant is answered a second later.
struct SettingsChecksTests {
    private func told(
        at seconds: Double,
        _ values: [SettingsRecord.Setting: String] = [:],
        holdsChoice: Bool = true
    ) -> SettingsRecord {
        SettingsRecord(
            person: RecordBuilder.maria,
            device: RecordBuilder.phone,
            askedAt: .seconds(seconds),
            answeredAt: .seconds(seconds + 1),
            values: values,
            holdsChoice: holdsChoice
        )
    }

    private func wrong(_ builder: RecordBuilder, _ told: SettingsRecord) -> [String] {
        var builder = builder
        builder.record.settings = [told]
        return SettingsChecks(builder.record).violations().map(\.detail)
    }

    @Test func `who has chosen nothing has what holds for everybody`() {
        let builder = RecordBuilder()
        let standard: [SettingsRecord.Setting: String] = [
            .timeZone: "UTC", .quietHours: "false", .urgentBypass: "true", .autoWatch: "false", .reminders: "true",
            .dueReminders: "true", .dueLead: "15", .kinds: "approvals comments pushes states",
        ]
        #expect(wrong(builder, told(at: 100, standard)).isEmpty)
        for setting in SettingsRecord.Setting.allCases {
            #expect(wrong(builder, told(at: 100, [setting: "something else"])).count == 1, "\(setting.rawValue)")
        }
    }

    @Test func `a choice holds from its answer on, and loses no other one`() {
        var builder = RecordBuilder()
        builder.choose(.reminders(false), at: 100)
        builder.choose(.dueReminders(true), at: 200)
        #expect(wrong(builder, told(at: 99.5, [.reminders: "false"])).isEmpty, "it is being made")
        #expect(wrong(builder, told(at: 100, [.reminders: "true"])).isEmpty, "it is being made")
        #expect(wrong(builder, told(at: 150, [.reminders: "false", .dueReminders: "false"])).isEmpty)
        #expect(wrong(builder, told(at: 200, [.reminders: "true"])).map { $0.contains("it is false") } == [true])
        #expect(wrong(builder, told(at: 300, [.reminders: "false", .dueReminders: "true"])).isEmpty)
        #expect(wrong(builder, told(at: 300, [.dueReminders: "false"])).count == 1)
    }

    @Test func `a choice that does not hold is no matter only while there is another`() {
        var builder = RecordBuilder()
        builder.choose(.autoWatch(true), at: 100)
        #expect(wrong(builder, told(at: 100, holdsChoice: false)).count == 1)
        builder.choose(.autoWatch(false), at: 100.5)
        #expect(wrong(builder, told(at: 100, holdsChoice: false)).isEmpty)
        #expect(wrong(builder, told(at: 300, [.autoWatch: "true"])).isEmpty, "of two at once either may be the last")
    }

    @Test func `nothing is certain after a choice without an answer, a clock that was set, or another sign-in`() {
        var builder = RecordBuilder()
        builder.choose(.autoWatch(true), at: 100)
        let mistold = told(at: 300, [.autoWatch: "false"])
        #expect(wrong(builder, mistold).count == 1)
        var unanswered = builder
        unanswered.record.preferences[0].answeredAt = .seconds(100_000)
        #expect(wrong(unanswered, mistold).isEmpty)
        var back = builder
        back.record.registrations.append(back.record.registrations[0])
        #expect(wrong(back, mistold).isEmpty)
        builder.fault(.clockStep, id: "step", from: 2_000, until: 2_100)
        #expect(wrong(builder, mistold).isEmpty)
    }
}
