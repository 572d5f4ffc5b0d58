import Platform
import Testing

@testable import Scenarios

struct NotationTests {
    /// Texts that are near misses of some notation; each must be judged alike by pattern and parser.
    private static let nearMisses = [
        "", " ", "45", "45min", "1h 30m", "30m1h", "-5m", "+5m", "0s", "0m0s", "1.5h", "random", "100%", "101%", "1/2",
        "1/", "12/h",
        "0/h", "12/x", "@", "@maria", "@-a", "maria", "anyone", "any", "team", "team/backend", "/team", "team/",
        "team//x",
        "team/backend!1", "team/backend!0", "team/backend!", "team/backend!*", "team/backend#7", "a!1", "phone",
        "Phone", "9phone",
        "09:00-17:30", "9:00-17:30", "mon-fri", "mon-", "mon,tue", "monday", "whole", "during:", "during:outage",
        "after:a@1h#2",
        "<= 2m", "<=2m", "=> 2m", "= 0", "== 0", "> 99%", "99%", "https://a.example", "https://a.example/", "ftp://a",
        "https://a:80", "https://a:", "https://a/b",
        "+02:00",
        "+2:00", "Z", "2026-03-02T08:00:00Z", "2026-03-02 08:00:00Z", "outage#", "outage#1", "text\u{0}", "x\n",
    ]

    @Test(arguments: Notation.allCases)
    func `pattern and parser agree`(notation: Notation) throws {
        let pattern = try Regex(notation.pattern)
        for text in notation.examples {
            #expect(notation.accepts(text), "\(text)")
            #expect(text.firstMatch(of: pattern) != nil, "\(text)")
        }
        for text in Self.nearMisses where notation.accepts(text) != (text.firstMatch(of: pattern) != nil) {
            Issue.record("\(notation): parser and pattern differ about \(text.debugDescription)")
        }
    }

    @Test(arguments: [
        ("45m", Duration.minutes(45)), ("1h30m", .minutes(90)), ("2d", .days(2)), ("250ms", .milliseconds(250)),
        ("1d2h3m4s5ms", .milliseconds(93_784_005)), ("0s", .zero), ("90m", .minutes(90)),
    ])
    func `durations read and write`(text: String, duration: Duration) {
        #expect(DurationNotation.parse(text) == duration)
        #expect(DurationNotation.parse(DurationNotation.text(duration)) == duration)
    }

    @Test func `signed durations keep their sign`() {
        #expect(DurationNotation.parseSigned("-2m") == .minutes(-2))
        #expect(DurationNotation.text(.minutes(-2)) == "-2m")
        #expect(DurationNotation.parseSigned("+30s") == .seconds(30))
    }

    @Test(arguments: [("1%", 1, 100), ("50/100", 1, 2), ("99.9%", 999, 1_000), ("100%", 1, 1), ("0%", 0, 1)])
    func `shares are reduced fractions`(text: String, numerator: UInt64, denominator: UInt64) throws {
        let ratio = try #require(Ratio(notation: text))
        #expect((ratio.numerator, ratio.denominator) == (numerator, denominator))
        #expect(Ratio(notation: ratio.description) == ratio)
    }

    @Test func `a third is written as a fraction`() {
        #expect(Ratio(1, 3)?.description == "1/3")
        #expect(Ratio(999, 1_000)?.description == "99.9%")
        #expect(Ratio(2, 1) == nil)
    }

    @Test func `calendar instants read with any offset`() {
        let utc = CalendarNotation.wallTime("2026-03-02T08:00:00Z")
        #expect(utc == CalendarNotation.wallTime("2026-03-02T09:00:00+01:00"))
        #expect(utc?.utcText(.seconds) == "2026-03-02T08:00:00Z")
        #expect(CalendarNotation.wallTime("2026-02-29T08:00:00Z") == nil)
    }

    @Test(arguments: [("mon-fri", [1, 2, 3, 4, 5]), ("sat-mon", [1, 6, 7]), ("wed", [3]), ("sun,mon", [1, 7])])
    func `weekdays read as ISO numbers`(text: String, days: [Int]) {
        #expect(CalendarNotation.weekdays(text) == days)
    }

    @Test(arguments: ["<= 2m", "> 99.9%", "= 0", ">= 300"])
    func `comparisons read back`(text: String) throws {
        let unit: Metric.Unit = text.contains("%") ? .ratio : text.contains("m") ? .duration : .count
        #expect(try #require(Comparison(notation: text, unit: unit)).notation == text)
    }

    @Test func `the nearest name is the one with the fewest edits`() {
        #expect(NearestName.find("gitlab-outtage", in: FaultKind.allCases.map(\.rawValue)) == "gitlab-outage")
        #expect(NearestName.find("mregeRequests", in: ["issues", "mergeRequests"]) == "mergeRequests")
        #expect(NearestName.find("zebra", in: ["comment", "push"]) == nil)
    }

    @Test func `mentions are found outside code, each once`() {
        let text = CommentText("@maria and (@ben), see `@lea` or maria@example.com. @maria. Thanks @j.doe.")
        #expect(text.mentions.map(\.text) == ["maria", "ben", "j.doe"])
    }
}
