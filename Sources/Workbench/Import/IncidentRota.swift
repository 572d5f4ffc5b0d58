import JSON
import Platform
import Scenarios
import Verdict

/// What people do in turn: the duties of a scenario's world, and what was said of turns as entries of its timeline.
struct IncidentRota {
    /// A scenario has no more duties.
    private static let limit = 50
    /// A duty may begin so many days before the story.
    private static let earliestStart: Int64 = 31
    /// Whoever joined so soon after the story's start took part from the beginning.
    private static let joining = Duration.minutes(10)
    /// The app is open for a while before something is said in it: it has to know whose turn it is.
    private static let opening = Duration.minutes(1)

    private let bundle: IncidentBundle
    private let timeline: IncidentTimeline
    private let cast: IncidentCast

    init(_ bundle: IncidentBundle, _ timeline: IncidentTimeline, _ cast: IncidentCast) {
        (self.bundle, self.timeline, self.cast) = (bundle, timeline, cast)
    }

    private static func name(_ duty: Int64) -> String { "duty\(duty)" }

    // MARK: The world

    var duties: [JSONValue] { played.map(duty) }

    /// Those in which somebody takes part from the beginning.
    private var played: [IncidentBundle.Duty] {
        Array(bundle.duties.filter { !founders(of: $0).isEmpty }.prefix(Self.limit))
    }

    private func duty(_ duty: IncidentBundle.Duty) -> JSONValue {
        let members = founders(of: duty)
        let clock = IncidentClock(bundle.clocks.first { $0.duty == duty.number }?.minutesAhead ?? [], timeline)
        let minute = Int(duty.dueMinute) - clock.shiftMinutes
        let days = minute < 0 ? -1 : minute >= 1_440 ? 1 : 0
        var object = [
            JSONMember("name", .string(Self.name(duty.number))),
            JSONMember("members", .strings(members.compactMap { $0.account.map(cast.name) })),
        ]
        if let mask = duty.weekdays {
            let weekdays = (0..<7).filter { mask >> Int64($0) & 1 == 1 }.map { ($0 + days + 7) % 7 }
            let names = weekdays.sorted().map { CalendarNotation.weekdayNames[$0] }
            object.append(JSONMember("weekdays", .string(names.joined(separator: ","))))
            object.append(JSONMember("everyWeeks", .integer(duty.everyWeeks ?? 1)))
        } else {
            object.append(JSONMember("everyDays", .integer(duty.everyDays ?? 1)))
        }
        object += [
            JSONMember("from", .string(CalendarNotation.dayText(firstDay(of: duty, clock, days)))),
            JSONMember("time", .string(CalendarNotation.timeText((minute + 1_440) % 1_440))),
            JSONMember("zone", .string(clock.zone.rawValue)), JSONMember("mode", .string(duty.mode.rawValue)),
        ]
        if duty.leadSeconds >= 3_600 { object.append(JSONMember("leadHours", .integer(duty.leadSeconds / 3_600))) }
        if duty.escalates { object.append(JSONMember("escalates", true)) }
        return .object(object)
    }

    /// Whether all of its turns and what was said of them are part of the story.
    private func isWhole(_ duty: IncidentBundle.Duty) -> Bool {
        let start = timeline.start.secondsSinceEpoch / 86_400
        return start - Self.earliestStart < duty.startDay
            && !bundle.dutyEvents.contains { $0.duty == duty.number && $0.happenedAt < timeline.start }
    }

    private func firstDay(of duty: IncidentBundle.Duty, _ clock: IncidentClock, _ days: Int) -> CivilDate {
        if isWhole(duty) {
            let midnight = WallTime(secondsSinceEpoch: (duty.startDay + Int64(days)) * 86_400)
            return CivilDate(midnight)
        }
        let turns = bundle.dutyTurns.filter { $0.duty == duty.number && timeline.start <= $0.dueAt }
        let first = turns.map(\.dueAt).min() ?? timeline.start
        return CivilDate(first, offsetSeconds: clock.zone.offsetSeconds(at: first))
    }

    /// Who takes part from the beginning, in the order of their turns: by their places, or as the turns of the story have them.
    private func founders(of duty: IncidentBundle.Duty) -> [IncidentBundle.DutyMember] {
        let there = bundle.dutyMembers.filter { member in
            member.duty == duty.number && member.leftAt == nil && member.account.map(cast.knows) == true
                && member.joinedAt <= timeline.start.advanced(by: Self.joining)
        }.sorted { $0.position < $1.position }
        guard duty.mode == .alternate, !isWhole(duty) else { return there }
        let turns = bundle.dutyTurns.filter { $0.duty == duty.number && timeline.start <= $0.dueAt }
        var order: [IncidentBundle.DutyMember] = []
        for turn in turns.sorted(by: { $0.dueAt < $1.dueAt }) {
            guard let member = there.first(where: { $0.member == turn.member }), !order.contains(member) else {
                continue
            }
            order.append(member)
        }
        return order + there.filter { !order.contains($0) }
    }

    // MARK: The timeline

    var entries: [JSONValue] {
        let known = Set(played.map(\.number))
        let joined = bundle.dutyMembers.filter { member in
            known.contains(member.duty) && member.leftAt == nil
                && timeline.start.advanced(by: Self.joining) < member.joinedAt
        }.flatMap { said("join-duty", by: $0.account, $0.duty, at: $0.joinedAt) }
        let events = bundle.dutyEvents.filter { known.contains($0.duty) }.flatMap(event)
        let mutes = bundle.dutyMutes.filter { known.contains($0.duty) }.flatMap(mute)
        return joined + events + mutes
    }

    private func event(_ event: IncidentBundle.DutyEvent) -> [JSONValue] {
        let name =
            switch event.kind {
            case .done: "complete-duty"
            case .skip: "skip-duty"
            case .reassign: "give-duty"
            }
        var more: [JSONMember] = []
        if event.kind == .reassign {
            guard let account = account(event.to), cast.knows(account) else { return [] }
            more.append(JSONMember("user", .string(cast.name(account))))
        }
        let next = next(of: event.duty, at: event.happenedAt)
        let guess = next == event.turn ? nil : "it was of another turn; here it is of the first that is not over"
        return said(name, by: account(event.by), event.duty, at: event.happenedAt, guess: guess, more)
    }

    /// The first turn that was not over.
    private func next(of duty: Int64, at instant: WallTime) -> Int64? {
        let over = bundle.dutyEvents.filter { $0.duty == duty && $0.kind != .reassign && $0.happenedAt < instant }
        let ended = Set(over.map(\.turn))
        let hasAll = bundle.duties.contains { $0.number == duty && isWhole($0) }
        let turns = bundle.dutyTurns.filter { $0.duty == duty && (hasAll || timeline.start <= $0.dueAt) }
        return turns.map(\.turn).filter { !ended.contains($0) }.min()
    }

    private func mute(_ mute: IncidentBundle.DutyMute) -> [JSONValue] {
        guard let until = mute.mutedUntil else {
            return said("unmute-duty", by: mute.account, mute.duty, at: mute.changedAt)
        }
        let from = max(mute.changedAt, timeline.start.advanced(by: Self.joining))
        guard from < until else { return [] }
        let length = JSONMember("for", .string(DurationNotation.text(from.duration(to: until))))
        return said("mute-duty", by: mute.account, mute.duty, at: from, [length])
    }

    private func account(_ member: Int64?) -> Int64? {
        bundle.dutyMembers.first { $0.member == member }?.account
    }

    private func said(
        _ name: String,
        by account: Int64?,
        _ duty: Int64,
        at instant: WallTime,
        guess: String? = nil,
        _ more: [JSONMember] = []
    ) -> [JSONValue] {
        guard let account, cast.knows(account) else { return [] }
        let person = cast.name(account)
        let opened = timeline.action(
            "open-app",
            by: person,
            at: instant.advanced(by: .zero - Self.opening),
            guess: "the app was open when they said it",
            [JSONMember("for", "2m")]
        )
        let named = [JSONMember("duty", .string(Self.name(duty)))] + more
        return [opened, timeline.action(name, by: person, at: instant, guess: guess, named)].compactMap(\.self)
    }
}
