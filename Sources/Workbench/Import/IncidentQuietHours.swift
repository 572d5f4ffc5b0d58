import Platform
import Scenarios

/// A person's quiet hours in the words of a scenario.
struct IncidentQuietHours: Equatable {
    /// From when to when, such as `22:00-07:00`.
    var hours: String
    /// The days on which they begin; nil for every day.
    var days: String?
    var zone: QuietHours.Zone
    /// What of it is a guess.
    var guess: String?

    /// Nil for who has none.
    ///
    /// - Parameters:
    ///   - windows: as the person set them.
    ///   - clock: by which they are meant.
    init?(_ windows: [IncidentBundle.Preferences.Window], _ clock: IncidentClock) {
        // A scenario's quiet hours have one beginning and one end.
        let groups = Dictionary(grouping: windows) { [$0.from, $0.until] }.sorted { one, other in
            (other.value.count, one.key[0], one.key[1]) < (one.value.count, other.key[0], other.key[1])
        }
        guard let commonest = groups.first?.value else { return nil }
        zone = clock.zone
        let moved = commonest.map { Self.moved($0, earlierBy: clock.shiftMinutes) }
        hours = "\(CalendarNotation.timeText(moved[0].from))-\(CalendarNotation.timeText(moved[0].until))"
        let weekdays = Set(moved.map(\.weekday)).sorted()
        days = weekdays.count == 7 ? nil : weekdays.map { CalendarNotation.weekdayNames[$0 - 1] }.joined(separator: ",")
        let guesses = [groups.count > 1 ? "of several windows these are the commonest" : nil, clock.guess].compactMap(
            \.self
        )
        guess = guesses.isEmpty ? nil : guesses.joined(separator: ", and ")
    }

    /// The same window by a clock that shows so many minutes less.
    private static func moved(
        _ window: IncidentBundle.Preferences.Window,
        earlierBy minutes: Int
    ) -> IncidentBundle.Preferences.Window {
        let week = 7 * 1_440
        let start = ((window.weekday - 1) * 1_440 + window.from - minutes + 2 * week) % week
        let end = (window.until - minutes + 2 * 1_440) % 1_440
        return IncidentBundle.Preferences.Window(
            weekday: start / 1_440 + 1,
            from: start % 1_440,
            until: end == 0 ? 1_440 : end
        )
    }
}
