import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

struct LatenessTests {
    private func result(pushed: Double, _ change: (inout RecordBuilder) -> Void = { _ in }) -> SeedResult {
        var builder = RecordBuilder()
        builder.activity(at: 100, noteID: 41)
        builder.deliver(["note/7/41"], pushed: pushed, shown: pushed + 1)
        change(&builder)
        return Assessment.assess(builder.record)
    }

    @Test func `what comes an hour later than without a crash is late, and what came as late without one is not`() {
        let (sound, late) = (result(pushed: 150), result(pushed: 4_000))
        #expect(late.overdue.map(\.activity) == [1] && late.overdue.map(\.person) == ["maria"])
        #expect(late.lateness(beside: sound) == [Flaw(.late)])
        #expect(late.lateness(beside: late).isEmpty && sound.overdue.isEmpty)
        // Ten minutes more are none of it.
        #expect(result(pushed: 1_100).lateness(beside: sound).isEmpty)
    }

    @Test func `a world that nobody has a sound run of is not judged by it`() {
        #expect(!result(pushed: 4_000).flaws.contains { $0.kind == .late })
    }

    @Test func `the time of a crash, a fault, a clock that is set and a device that is not there excuse it`() {
        let sound = result(pushed: 150)
        let down = result(pushed: 4_000) { $0.record.downtimes = [Span(from: .seconds(120), until: .seconds(3_900))] }
        #expect(down.lateness(beside: sound).isEmpty)
        let slow = result(pushed: 4_000) { $0.fault(.gitlabSlow, id: "slow", from: 200, until: 300) }
        #expect(slow.lateness(beside: sound).isEmpty)
        let set = result(pushed: 4_000) { $0.fault(.clockStep, id: "set", from: 5_000, until: 5_000) }
        #expect(set.lateness(beside: sound).isEmpty)
        let alone = result(pushed: 4_000) {
            $0.record.deviceSpans = [
                DeviceSpanRecord(person: RecordBuilder.maria, device: RecordBuilder.phone, activeFrom: .seconds(3_000))
            ]
        }
        #expect(alone.lateness(beside: sound).isEmpty)
    }

    @Test func `a reminder that is late with a crash alone is late`() {
        var (sound, crashed) = (result(pushed: 150), result(pushed: 150))
        crashed.slices[0].reminders.late = 1
        #expect(crashed.lateness(beside: sound) == [Flaw(.late, "reminder")])
        sound.slices[0].reminders.late = 1
        #expect(crashed.lateness(beside: sound).isEmpty)
    }
}
