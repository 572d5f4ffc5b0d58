import Platform
import Scenarios

/// Whether the reminder of a day says how far off that day is, as seen from the day on which it left where its reader lives.
extension PushTextChecks {
    /// Clocks of the world's services are read at different moments.
    private static let tolerance = Duration.minutes(1)
    /// What a push says is settled some time before it leaves.
    private static let underWay = AskTruth.underWay + tolerance

    /// What is wrong with the title of a reminder of a day; nil when nothing is, or when it was cut. At midnight, and while somebody moves to
    /// another zone, it may leave on either of two days; and who signs up anew may live elsewhere.
    func dueFault(_ push: PushRecord, _ content: PushContent, _ person: Username) -> String? {
        guard isTimed, let due = content.due, !content.title.hasSuffix("…"),
            record.registrations.count(where: { $0.person == person }) == 1
        else { return nil }
        let leftAt = push.sentAt ?? push.at
        let (start, end) = (leftAt - Self.underWay, leftAt + Self.tolerance)
        let eras = zones[person].filter { $0.from <= end && start <= $0.certainUntil }
        let ways = eras.flatMap { era in
            [start, end].map { phrase(for: due.date, at: $0, era.zone) }
        }
        guard !ways.isEmpty, !ways.contains(where: { content.title.hasSuffix(" " + $0) }) else { return nil }
        return "does not say that it \(ways[0])"
    }

    private func phrase(for date: CivilDate, at instant: Duration, _ zone: QuietHours.Zone) -> String {
        let time = record.resolved.scenario.start.advanced(by: instant)
        let today = CivilDate(time, offsetSeconds: zone.offsetSeconds(at: time))
        let midnights = [today, date].map { CivilDate(year: $0.year, month: $0.month, day: $0.day).wallTime() }
        let days = (midnights[1].secondsSinceEpoch - midnights[0].secondsSinceEpoch) / 86_400
        switch days {
        case 0: return "is due today"
        case 1: return "is due tomorrow"
        case -1: return "was due yesterday"
        case ..<0: return "was due on \(Self.text(of: date))"
        default: return "is due in \(days) days"
        }
    }

    /// A day as GitLab writes it: `2026-03-30`.
    private static func text(of date: CivilDate) -> String {
        [(date.year, 4), (date.month, 2), (date.day, 2)].map { value, count in
            let digits = String(value)
            return String(repeating: "0", count: max(count - digits.count, 0)) + digits
        }.joined(separator: "-")
    }
}
