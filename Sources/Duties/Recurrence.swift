/// On which days a duty is due.
public enum Recurrence: Hashable, Sendable {
    /// Every so many days from the start on, 1 to 366.
    case everyDays(Int)
    /// On days of the week (Monday is 1, Sunday is 7; rising, none twice) of every so many weeks, 1 to 52. Weeks begin on Monday, and the
    /// first is that of the start.
    case weekly(on: [Int], everyWeeks: Int)

    /// Nil where it is a recurrence that there can be, otherwise what is wrong with it.
    public var flaw: String? {
        switch self {
        case .everyDays(let days):
            return (1...366).contains(days) ? nil : "every 1 to 366 days"
        case .weekly(let days, let weeks):
            guard (1...52).contains(weeks) else { return "every 1 to 52 weeks" }
            guard !days.isEmpty, days.allSatisfy((1...7).contains), zip(days, days.dropFirst()).allSatisfy(<) else {
                return "one to seven weekdays, Monday being 1, rising, none twice"
            }
            return nil
        }
    }

    /// The day of an occurrence.
    ///
    /// - Parameters:
    ///   - index: 0 for the first.
    ///   - start: no day is earlier.
    /// - Returns: The day.
    public func day(_ index: Int, from start: CivilDay) -> CivilDay {
        switch self {
        case .everyDays(let days):
            return CivilDay(number: start.number + index * days)
        case .weekly(let days, let weeks):
            let monday = start.number - (start.weekday - 1)
            // Those of the first week that lie before the start are left out.
            let place = index + days.count { $0 < start.weekday }
            return CivilDay(
                number: monday + place / days.count * weeks * 7 + days[place % days.count] - 1
            )
        }
    }
}
