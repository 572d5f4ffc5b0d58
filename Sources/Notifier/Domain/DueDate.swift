import Platform

/// A day of the calendar on which something is due, wherever the person is: GitLab's due dates have no time and no zone (supplement §4).
struct DueDay: Hashable, Sendable, Comparable {
    let year: Int
    /// 1…12.
    let month: Int
    /// 1…31.
    let day: Int

    /// Nil unless `text` is a day of the years 1970 to 9999, written `2026-03-30`.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == 0x2D, bytes[7] == 0x2D else { return nil }
        let numbers = [0..<4, 5..<7, 8..<10].map { range in
            bytes[range].reduce(into: Int?.some(0)) { number, byte in
                number = (0x30...0x39).contains(byte) ? number.map { $0 * 10 + Int(byte - 0x30) } : nil
            }
        }
        guard let year = numbers[0], let month = numbers[1], let day = numbers[2], year >= 1970,
            CivilDate(year: year, month: month, day: day).isValid
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The day on which the date lies.
    init(_ date: CivilDate) {
        (year, month, day) = (date.year, date.month, date.day)
    }

    /// As GitLab writes it.
    var text: String {
        func digits(_ value: Int, _ count: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(count - text.count, 0)) + text
        }
        return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
    }

    /// What clocks show so long after the midnight with which the day begins, or before it; every day of the calendar has 24 hours.
    func clock(after time: Duration) -> CivilDate {
        CivilDate(CivilDate(year: year, month: month, day: day).wallTime().advanced(by: time))
    }

    /// How many days it is from `other` to this one.
    func days(since other: DueDay) -> Int {
        let from = CivilDate(year: other.year, month: other.month, day: other.day).wallTime()
        let to = CivilDate(year: year, month: month, day: day).wallTime()
        return Int((to.secondsSinceEpoch - from.secondsSinceEpoch) / 86_400)
    }

    static func < (left: DueDay, right: DueDay) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}

/// Which of the two reminders of a due date: each is told once for each day on which an item is due. Codes never change meaning.
enum DueStep: Int, Sendable, CaseIterable, Comparable {
    /// Ahead of the day.
    case ahead = 1
    /// The day is over and the item still open.
    case overdue = 2

    static func < (left: DueStep, right: DueStep) -> Bool { left.rawValue < right.rawValue }
}

/// What the notification of a due date says.
struct DueText: Hashable, Sendable {
    var item: ItemReference
    var itemTitle: String
    var projectPath: String?
    var webURL: String?
    var day: DueDay
    var step: DueStep
    /// The day that it is for the person when it is made.
    var today: DueDay

    var key: FactKey { .due(item, day, step) }
}
