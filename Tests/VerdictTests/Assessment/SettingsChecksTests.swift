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
            .timeZone: "UTC", .quietHours: "none", .urgentBypass: "true", .autoWatch: "false", .reminders: "true",
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

    @Test func `quiet hours are those that were chosen, by days and times`() {
        var builder = RecordBuilder()
        let hours = QuietHours(zone: .berlin, weekdays: [1, 7], from: 1_320, until: 420, letsUrgentThrough: true)
        builder.choose(.quietHours(hours), at: 100)
        let days = SettingsRecord.text(windows: [(days: ["sun", "mon"], from: "22:00", until: "07:00")])
        #expect(wrong(builder, told(at: 300, [.quietHours: days, .timeZone: "Europe/Berlin"])).isEmpty)
        let others: [SettingsRecord.Window] = [
            (days: ["sun", "mon"], from: "22:00", until: "08:00"), (days: ["mon"], from: "22:00", until: "07:00"),
            (days: ["sun", "mon"], from: "21:00", until: "07:00"), (days: nil, from: "22:00", until: "07:00"),
        ]
        for other in others {
            let text = SettingsRecord.text(windows: [other])
            #expect(wrong(builder, told(at: 300, [.quietHours: text])).count == 1, "\(text)")
        }
        #expect(wrong(builder, told(at: 300, [.quietHours: SettingsRecord.text(windows: [])])).count == 1)
        builder.choose(.quietHours(nil), at: 400)
        #expect(wrong(builder, told(at: 500, [.quietHours: days])).map { $0.contains("it is none") } == [true])
        #expect(wrong(builder, told(at: 500, [.quietHours: "none", .timeZone: "Europe/Berlin"])).isEmpty)
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
