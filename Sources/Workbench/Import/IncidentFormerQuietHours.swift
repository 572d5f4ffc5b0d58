import Platform
import Scenarios

/// Quiet hours that a person had before those that stand. The server keeps no word of them; what they held back until it was told together
/// says when they ended, and about when they began.
struct IncidentFormerQuietHours: Equatable {
    /// What is told so soon was not held back.
    private static let prompt = Duration.minutes(10)
    /// Beginning and end are guessed to lie on such a minute.
    private static let grid = Duration.minutes(5)
    private static let day = Duration.days(1)

    /// From when to when, such as `22:00-07:00`, in UTC.
    var hours: String

    /// Nil where nothing tells of any.
    ///
    /// - Parameters:
    ///   - account: whose.
    ///   - bundle: with what was told, and when.
    ///   - changed: when the person chose others.
    init?(of account: Int64, _ bundle: IncidentBundle, until changed: WallTime) {
        let digests = bundle.notifications.filter { $0.account == account && $0.kind == "digest" }
        let told = Dictionary(digests.map { ($0.id, $0.createdAt) }, uniquingKeysWith: { first, _ in first })
        var held: [WallTime: WallTime] = [:]
        for fact in bundle.facts where fact.account == account && fact.noticedAt < changed {
            guard let end = fact.notification.flatMap({ told[$0] }),
                Self.prompt <= fact.noticedAt.duration(to: end), fact.noticedAt.duration(to: end) < Self.day
            else { continue }
            held[end] = min(held[end] ?? fact.noticedAt, fact.noticedAt)
        }
        // A digest that came of the choice says nothing of when the hours would have ended.
        let whole = held.filter { $0.key < changed }
        let spans = (whole.isEmpty ? held : whole).map { end, first in
            (first: first, end: whole.isEmpty ? Self.nextHour(changed) : Self.cut(end, to: Self.grid))
        }
        guard let longest = spans.map({ $0.first.duration(to: $0.end) }).max(), longest < Self.day,
            let end = spans.map(\.end).min()
        else { return nil }
        let begin = Self.cut(end.advanced(by: .zero - longest), to: Self.grid)
        let (from, until) = (Self.minute(begin), Self.minute(end))
        guard from != until else { return nil }
        hours = "\(CalendarNotation.timeText(from))-\(CalendarNotation.timeText(until == 0 ? 1_440 : until))"
    }

    private static func cut(_ instant: WallTime, to length: Duration) -> WallTime {
        let unit = length.wholeMicroseconds
        return WallTime(microseconds: instant.microseconds / unit * unit)
    }

    private static func nextHour(_ instant: WallTime) -> WallTime {
        cut(instant, to: .hours(1)).advanced(by: .hours(1))
    }

    private static func minute(_ instant: WallTime) -> Int {
        Int(instant.secondsSinceEpoch % 86_400 / 60)
    }
}
