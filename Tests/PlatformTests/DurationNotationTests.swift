import Platform
import Testing

struct DurationNotationTests {
    @Test(arguments: [
        ("90s", Duration.seconds(90)), ("1h30m", .minutes(90)), ("250ms", .milliseconds(250)), ("7d", .days(7)),
    ])
    func `durations are read with units`(_ text: String, _ duration: Duration) {
        #expect(DurationNotation.parse(text) == duration)
    }

    @Test(arguments: ["", "5", "5x", "1m1h", "1s1s", "-1s", " 1s", "99999999999d", "1.5s"])
    func `what is no duration is refused`(_ text: String) {
        #expect(DurationNotation.parse(text) == nil)
    }
}
