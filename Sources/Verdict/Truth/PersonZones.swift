import Platform
import Scenarios

/// In which zone each person's days begin and end, over time, from what they chose in the app alone.
struct PersonZones {
    /// While a zone was the person's.
    struct Era: Equatable {
        var zone: QuietHours.Zone
        /// When the choice was sent, and when the notifier had confirmed it.
        var from: Duration
        var certainFrom: Duration
        /// When the next choice was sent, and confirmed.
        var until = Duration.seconds(Int64.max / 4)
        var certainUntil = Duration.seconds(Int64.max / 4)
    }

    private var eras: [Username: [Era]] = [:]

    init(_ record: RunRecord) {
        for entry in record.preferences {
            // Whoever takes the quiet hours away lives where they lived.
            guard case .quietHours(let hours?) = entry.choice else { continue }
            var own = self[entry.person]
            guard own[own.count - 1].zone != hours.zone else { continue }
            own[own.count - 1].until = entry.requestedAt
            own[own.count - 1].certainUntil = entry.answeredAt
            own.append(Era(zone: hours.zone, from: entry.requestedAt, certainFrom: entry.answeredAt))
            eras[entry.person] = own
        }
    }

    /// In the order in which they came, at least one: who has chosen nothing lives by UTC.
    subscript(person: Username) -> [Era] {
        eras[person] ?? [Era(zone: .utc, from: .zero, certainFrom: .zero)]
    }
}

extension WallClock {
    /// The first instant at which clocks show so much time after the midnight with which `date` begins, or before it. A time that is left out is as
    /// much later as clocks jump.
    func instant(of date: CivilDate, after time: Duration) -> WallTime {
        let shown = CivilDate(year: date.year, month: date.month, day: date.day).wallTime().advanced(by: time)
        let around = [Duration.zero - .days(1), .days(1)].map { offsetMinutes(at: shown.advanced(by: $0)) }
        let instants = around.map { offset in (offset, shown.advanced(by: .zero - .minutes(offset))) }
        let fitting = instants.filter { offsetMinutes(at: $0.1) == $0.0 }.map(\.1)
        return fitting.min() ?? instants[0].1
    }
}
