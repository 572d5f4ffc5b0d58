import Platform
import Scenarios

/// When the notifier heard of what people did, and what that changed.
extension DutyTruth {
    /// Deeds of which each was on its way at the same time as another: in which order they arrived nobody can tell.
    struct Arrival {
        var deeds: [DutyDeed]
        /// When the first left its device.
        var from: Duration
        /// When the last was answered; nil while one has not been.
        var until: Duration?

        /// Who did it all; nil for several people.
        var person: Username? {
            let people = Set(deeds.map(\.person))
            return people.count == 1 ? people.first : nil
        }

        /// Whether it changed everything at once: one deed, or what one envelope brought.
        var isOne: Bool { deeds.count == 1 || deeds.allSatisfy { $0.isOfOneEnvelope(as: deeds[0]) } }
    }

    /// A moment before an instant, as far as instants are told apart.
    static let moment = Duration.microseconds(1)

    /// All that reached the notifier or may have, by the instants at which it left its device.
    static func arrivals(of deeds: [DutyDeed]) -> [Arrival] {
        var arrivals: [Arrival] = []
        let sent = deeds.compactMap { deed in deed.sentAt.map { (deed: deed, from: $0) } }.sorted { $0.from < $1.from }
        for (deed, from) in sent {
            if let last = arrivals.last, last.until.map({ from <= $0 }) ?? true {
                arrivals[arrivals.count - 1].deeds.append(deed)
                arrivals[arrivals.count - 1].until = last.until.flatMap { until in
                    deed.answeredAt.map { max(until, $0) }
                }
            } else {
                arrivals.append(Arrival(deeds: [deed], from: from, until: deed.answeredAt))
            }
        }
        return arrivals
    }

    /// Whether anything may have reached the notifier between two instants.
    static func isAnythingUnderWay(_ deeds: [DutyDeed], from start: Duration, until end: Duration) -> Bool {
        deeds.contains { deed in
            guard let sentAt = deed.sentAt, sentAt <= end else { return false }
            return deed.answeredAt.map { start <= $0 } ?? true
        }
    }

    /// Who took part, and when: certainly, perhaps or not at all.
    static func memberships(in deeds: [DutyDeed]) -> [Username: SwitchHistory] {
        let people = Set(deeds.filter { $0.what == .joined }.map(\.person))
        var changes: [Username: [SwitchHistory.Change]] = [:]
        for deed in deeds where !deed.isRefused && [.joined, .left, .stopped].contains(deed.what) {
            guard let sentAt = deed.sentAt else { continue }
            for person in deed.what == .stopped ? people : [deed.person] {
                changes[person, default: []].append(
                    SwitchHistory.Change(
                        isOn: deed.what == .joined,
                        requestedAt: sentAt,
                        answeredAt: deed.answeredAt ?? .seconds(Int64.max / 2)
                    )
                )
            }
        }
        return changes.mapValues { SwitchHistory($0.sorted { $0.requestedAt < $1.requestedAt }) }
    }

    /// Turns that came to somebody by what arrived, and were not theirs before; none where nothing can be said.
    func turnsThatCame(to person: Username, by arrival: Arrival) -> [Int] {
        guard let until = arrival.until,
            let before = turns(at: arrival.from - Self.moment, grace: .zero, count: RunLimits.dutyTurns),
            let after = turns(at: until, grace: .zero, count: RunLimits.dutyTurns)
        else { return [] }
        return zip(before, after).filter { earlier, later in
            later.assignee == person && later.isOpen && earlier.assignee != person
        }.map { $0.1.index }
    }

    /// Until when whoever a turn comes to hears that it did, in seconds since 1970: until it is due, when the duty asks for it, else a day longer.
    func newsUntil(_ index: Int) -> Int64 { dueAt(index) + (duty.escalates ? 0 : 86_400) }

    /// Whether its person is asked for an occurrence that is due then.
    func asks(for index: Int, dueAt second: Int64) -> Bool { duty.escalates && dueAt(index) == second }

    /// When whoever's turn an occurrence is is reminded of it, in seconds since 1970; nil when nobody is. Whole days go by the calendar.
    func remindAt(_ index: Int) -> Int64? {
        guard duty.leadHours > 0 else { return nil }
        let day = CivilDate(self.day(index).wallTime().advanced(by: .zero - .days(duty.leadHours / 24)))
        let ahead = WallClock(zone: duty.zone).instant(of: day, after: .minutes(duty.minute)).secondsSinceEpoch
        return min(ahead - Int64(duty.leadHours % 24) * 3_600, dueAt(index))
    }
}
