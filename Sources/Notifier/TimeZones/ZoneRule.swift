import Platform

/// How a zone's clocks change year after year, as POSIX writes it and TZif files end: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ZoneRule: Hashable, Sendable {
    /// A day of every year, and a time of it that may lie outside the day.
    struct Change: Hashable, Sendable {
        enum Day: Hashable, Sendable {
            /// Week 1…5 (5 is the last one) and weekday 0…6 from Sunday, of a month.
            case weekday(month: Int, week: Int, day: Int)
            /// 1…365; the leap day does not count.
            case julian(Int)
            /// 0…365; the leap day counts.
            case ordinal(Int)
        }

        var day: Day
        /// Seconds after local midnight, by the clock that was in force before the change.
        var second: Int
    }

    /// Seconds ahead of UTC.
    var standardOffset: Int
    /// Nil when clocks never change.
    var summer: Summer?

    struct Summer: Hashable, Sendable {
        var offset: Int
        var start: Change
        var end: Change
    }

    /// Nil for a text that is no such rule.
    init?(_ text: String) {
        var parser = ZoneRuleParser(text)
        guard parser.name(), let standard = parser.offset() else { return nil }
        standardOffset = -standard
        if parser.isAtEnd { return }
        guard parser.name() else { return nil }
        var offset = standardOffset + 3_600
        if !parser.isAt(",") {
            guard let written = parser.offset() else { return nil }
            offset = -written
        }
        guard parser.take(","), let start = parser.change(), parser.take(","), let end = parser.change() else {
            return nil
        }
        guard parser.isAtEnd else { return nil }
        summer = Summer(offset: offset, start: start, end: end)
    }

    /// How far clocks run ahead of UTC at `second` since 1970.
    func offset(at second: Int64) -> Int {
        guard let summer else { return standardOffset }
        let year = CivilDate(WallTime(secondsSinceEpoch: second), offsetSeconds: standardOffset).year
        let start = summer.start.instant(in: year, offset: standardOffset)
        let end = summer.end.instant(in: year, offset: summer.offset)
        let isSummer = start < end ? start <= second && second < end : !(end <= second && second < start)
        return isSummer ? summer.offset : standardOffset
    }
}

extension ZoneRule.Change {
    /// Seconds since 1970 of the change in a year, `offset` being the clock before it.
    func instant(in year: Int, offset: Int) -> Int64 {
        firstSecond(of: year) + Int64(second - offset)
    }

    private func firstSecond(of year: Int) -> Int64 {
        switch day {
        case .weekday(let month, let week, let day): Self.weekday(day, week: week, of: month, in: year)
        case .julian(let number):
            Self.day(number - 1 + (number > 59 && Self.hasLeapDay(year) ? 1 : 0), of: year)
        case .ordinal(let number): Self.day(number, of: year)
        }
    }

    private static func weekday(_ day: Int, week: Int, of month: Int, in year: Int) -> Int64 {
        let first = CivilDate(year: year, month: month, day: 1)
        let ahead = (day - first.isoWeekday % 7 + 7) % 7
        var date = 1 + ahead + (week - 1) * 7
        while !CivilDate(year: year, month: month, day: date).isValid { date -= 7 }
        return CivilDate(year: year, month: month, day: date).wallTime().secondsSinceEpoch
    }

    private static func day(_ number: Int, of year: Int) -> Int64 {
        CivilDate(year: year, month: 1, day: 1).wallTime().secondsSinceEpoch + Int64(number) * 86_400
    }

    private static func hasLeapDay(_ year: Int) -> Bool { CivilDate(year: year, month: 2, day: 29).isValid }
}

/// Takes a POSIX rule apart. Numbers are bounded where they are read.
struct ZoneRuleParser {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text[...].utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    func isAt(_ character: Unicode.Scalar) -> Bool { rest.first == UInt8(ascii: character) }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard isAt(character) else { return false }
        rest.removeFirst()
        return true
    }

    /// A name of three letters at least, or anything in angle brackets. What it is does not matter.
    mutating func name() -> Bool {
        if take("<") {
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
            rest = rest[rest.index(after: end)...]
            return true
        }
        let letters = rest.prefix { (0x41...0x5A).contains($0 & 0xDF) }
        rest = rest[letters.endIndex...]
        return letters.count >= 3
    }

    /// `[+-]h[:mm[:ss]]` in seconds; a week of hours at most.
    mutating func offset() -> Int? {
        let isNegative = take("-")
        if !isNegative { _ = take("+") }
        guard var seconds = number(0...167).map({ $0 * 3_600 }) else { return nil }
        for unit in [60, 1] where take(":") {
            guard let part = number(0...59) else { return nil }
            seconds += part * unit
        }
        return isNegative ? -seconds : seconds
    }

    /// A day, and perhaps `/time`; two in the morning by default.
    mutating func change() -> ZoneRule.Change? {
        guard let day = day() else { return nil }
        guard take("/") else { return ZoneRule.Change(day: day, second: 7_200) }
        return offset().map { ZoneRule.Change(day: day, second: $0) }
    }

    private mutating func day() -> ZoneRule.Change.Day? {
        if take("J") { return number(1...365).map { .julian($0) } }
        guard take("M") else { return number(0...365).map { .ordinal($0) } }
        guard let month = number(1...12), take("."), let week = number(1...5), take("."), let day = number(0...6) else {
            return nil
        }
        return .weekday(month: month, week: week, day: day)
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard (1...4).contains(digits.count) else { return nil }
        rest = rest[digits.endIndex...]
        let value = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return range.contains(value) ? value : nil
    }
}
