import Platform

@testable import FakeGitLab
@testable import Notifier
@testable import Scenarios

extension FuzzTarget {
    /// A time or date, as each reader of times takes it. Readers that share no code must agree wherever both take a text.
    static let timestamps = FuzzTarget("timestamps") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let ours = ISO8601.wallTime(text)
        if let ours {
            promise(ISO8601.wallTime(ISO8601.text(ours)).map { near($0, ours) } ?? true, "\(text) reads back")
            // GitLab drops leap seconds and more than microseconds in its own way.
            if let theirs = TimestampParser.parse(text), !text.contains(":60") {
                promise(theirs == ours, "\(text) is one instant, not \(ours.microseconds) and \(theirs.microseconds)")
            }
            if let written = CalendarNotation.wallTime(text), !text.contains(":60") {
                promise(written == ours, "\(text) is one instant for scenarios, too")
            }
        }
        _ = TimestampParser.parseDate(text)
        if let date = HTTPDate.wallTime(text) {
            // What reads it compares and subtracts, and counts it by the other clock.
            let age = VirtualWorld.start.duration(to: date)
            _ = MonotonicInstant(nanoseconds: 0).advanced(by: .zero - age)
            _ = date.advanced(by: .zero - .days(365))
            _ = ISO8601.text(date)
        }
    }

    private static func near(_ left: WallTime, _ right: WallTime) -> Bool {
        abs(left.microseconds - right.microseconds) < 1_000
    }
}
