import Platform
import Scenarios

/// In which zone each person's days begin and end, and how long before one they are reminded of what is due then, over time, from what they
/// chose in the app alone.
struct PersonZones {
    /// While a zone and a lead time were the person's.
    struct Era: Equatable {
        var zone = QuietHours.Zone.utc
        /// Nil for the operator's.
        var leadTime: Duration?
        /// When the choice was sent, and when the notifier had confirmed it.
        var from = Duration.zero
        var certainFrom = Duration.zero
        /// When the next choice was sent, and confirmed.
        var until = Duration.seconds(Int64.max / 4)
        var certainUntil = Duration.seconds(Int64.max / 4)
    }

    /// Eras of zones alone, and of lead times alone.
    private var zones: [Username: [Era]] = [:]
    private var leadTimes: [Username: [Era]] = [:]

    init(_ record: RunRecord) {
        for entry in record.orderedPreferences {
            switch entry.choice {
            // Whoever takes the quiet hours away lives where they lived.
            case .quietHours(let hours?):
                zones[entry.person] = Self.adding(Era(zone: hours.zone), at: entry, to: zones[entry.person])
            case .dueLead(let hours):
                let era = Era(leadTime: Duration.hours(hours))
                leadTimes[entry.person] = Self.adding(era, at: entry, to: leadTimes[entry.person])
            default: continue
            }
        }
    }

    /// What was so for certain goes on when it is chosen again.
    private static func adding(_ era: Era, at entry: PreferenceRecord, to former: [Era]?) -> [Era] {
        var eras = former ?? [Era()]
        let last = eras[eras.count - 1]
        let isSame = last.zone == era.zone && last.leadTime == era.leadTime
        guard !isSame || last.certainFrom > entry.requestedAt else { return eras }
        eras[eras.count - 1].until = entry.requestedAt
        // What was left open by a choice without an answer is over with the next answer, too.
        for index in eras.indices { eras[index].certainUntil = min(eras[index].certainUntil, entry.answeredAt) }
        var next = era
        (next.from, next.certainFrom) = (entry.requestedAt, entry.answeredAt)
        return eras + [next]
    }

    /// In the order in which they came, at least one: who has chosen nothing lives by UTC. Two of them may hold at once, as nobody knows when
    /// between its request and its answer a choice began to hold.
    subscript(person: Username) -> [Era] {
        let zones = zones[person] ?? [Era()]
        guard let leadTimes = leadTimes[person] else { return zones }
        let both = zones.flatMap { zone in
            leadTimes.map { lead in
                Era(
                    zone: zone.zone,
                    leadTime: lead.leadTime,
                    from: max(zone.from, lead.from),
                    certainFrom: max(zone.certainFrom, lead.certainFrom),
                    until: min(zone.until, lead.until),
                    certainUntil: min(zone.certainUntil, lead.certainUntil)
                )
            }
        }
        return both.filter { $0.from < $0.certainUntil }.sorted {
            ($0.from, $0.certainFrom) < ($1.from, $1.certainFrom)
        }
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
