import Platform
import Scenarios

/// Which turn a push of a duty says that it is about, and when that is due: to the app, and to its reader on the clocks of the duty.
extension DutyNoteJudge {
    /// What is wrong with that; nil when nothing is, when it says nothing of a turn, or when nobody can tell.
    func turnFault(_ sending: Sending, _ newest: DutyNote, _ place: DutyPlace) -> String? {
        guard let turn = sending.content.turn else { return nil }
        guard record.dutyPlaces[turn.occurrence] == place else { return "is said to be of another turn" }
        // What was made long before, and held back, tells of the duty as it was then.
        let versions = (known[place.duty]?.versions ?? []).filter { $0.possibleFrom <= sending.at + Self.tolerance }
        let duties = versions.compactMap(\.truth)
        guard !duties.isEmpty, duties.count == versions.count else { return nil }
        var times = duties.map { (second: $0.dueAt(place.index), zone: $0.duty.zone) }
        switch newest {
        case .ahead(_, let dueAt), .due(_, let dueAt): times.removeAll { $0.second != dueAt }
        case .turn, .ended, .unknown: break
        }
        guard !times.isEmpty else { return nil }
        let isTold = times.contains { turn.dueAt.hasPrefix(Self.wireText($0.second)) && turn.dueAt.hasSuffix("Z") }
        guard isTold else { return "is said to be due at \(turn.dueAt)" }
        // Of several each is told in a line of its own, after who did it.
        guard sending.content.notes.count == 1 else { return nil }
        let lines = sending.content.text.split(separator: "\n").map(String.init)
        return times.contains { lines.contains(Self.shownText($0.second, $0.zone)) }
            ? nil : "does not say that it is due at \(Self.shownText(times[0].second, times[0].zone))"
    }

    /// `2026-03-02T14:30:00`, by UTC.
    private static func wireText(_ second: Int64) -> String {
        let date = CivilDate(WallTime(secondsSinceEpoch: second))
        return "\(day(date))T\(digits(date.hour, 2)):\(digits(date.minute, 2)):\(digits(date.second, 2))"
    }

    /// `Due 2026-03-02 14:30 (Europe/Berlin)`.
    private static func shownText(_ second: Int64, _ zone: QuietHours.Zone) -> String {
        let time = WallTime(secondsSinceEpoch: second)
        let date = CivilDate(time, offsetSeconds: zone.offsetSeconds(at: time))
        return "Due \(day(date)) \(digits(date.hour, 2)):\(digits(date.minute, 2)) (\(zone.rawValue))"
    }

    private static func day(_ date: CivilDate) -> String {
        "\(digits(date.year, 4))-\(digits(date.month, 2))-\(digits(date.day, 2))"
    }

    private static func digits(_ value: Int, _ count: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(count - text.count, 0)) + text
    }
}
