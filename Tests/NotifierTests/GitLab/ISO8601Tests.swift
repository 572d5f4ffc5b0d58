import Platform
import Testing

@testable import Notifier

struct ISO8601Tests {
    /// GitLab facts §1: fractions, offsets and whole seconds all occur.
    @Test(arguments: [
        ("2016-06-17T07:52:35.225Z", 1_466_149_955_225_000),
        ("2018-05-22T22:00:18.858+02:00", 1_527_019_218_858_000),
        ("2018-05-22T15:30:18-04:30", 1_527_019_218_000_000),
        ("2018-05-22T20:00:18+0000", 1_527_019_218_000_000),
        ("2018-05-22 20:00:18 UTC", 1_527_019_218_000_000),
        ("2018-05-22T20:00:18.1Z", 1_527_019_218_100_000),
        ("2018-05-22T20:00:18.123456789Z", 1_527_019_218_123_456),
        ("2018-05-22T20:00Z", 1_527_019_200_000_000),
    ])
    func `trap 28: every way of writing an instant is read`(text: String, microseconds: Int64) {
        #expect(ISO8601.wallTime(text) == WallTime(microseconds: microseconds))
    }

    @Test(arguments: [
        "", "yesterday", "2018-13-01T00:00:00Z", "2018-02-30T00:00:00Z", "2018-05-22", "2018-05-22T20:00:18.Z",
        // Years that no timestamp can name.
        "0000-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00",
    ])
    func `what names no instant gives none`(text: String) {
        #expect(ISO8601.wallTime(text) == nil)
    }

    @Test func `a header date is read, anything else is not`() {
        #expect(HTTPDate.wallTime("Sun, 06 Nov 1994 08:49:37 GMT") == WallTime(secondsSinceEpoch: 784_111_777))
        #expect(HTTPDate.wallTime("Sunday, 06-Nov-94 08:49:37 GMT") == nil)
    }

    /// Any of these ended the process: nobody can reckon with such years.
    @Test(arguments: [
        "9223372036854775807", "-9223372036854775808", "292278994", "19944", "+994", "0000", "1969", "2200", "9999",
    ])
    func `a header date of a year that is none is not read`(year: String) {
        #expect(HTTPDate.wallTime("Sun, 06 Nov \(year) 08:49:37 GMT") == nil)
    }
}
