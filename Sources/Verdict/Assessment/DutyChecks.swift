import Platform
import Scenarios

/// What must never be of what people do in turn, from what they did and what their devices showed.
struct DutyChecks {
    /// How long after the notifier's answer everybody who is on the network and looks may take to show the same.
    static let grace = Duration.seconds(60)
    /// What was due so long ago may be forgotten: a year, less three days for clocks, zones and another time of the day (docs/duties.md).
    private static let kept = Duration.days(362)

    private let record: RunRecord
    private let clocks: ClockReach

    init(_ record: RunRecord) {
        self.record = record
        // Nobody asks GitLab about duties.
        clocks = ClockReach(record, without: [.gitlab])
    }

    func violations() -> [ViolationRecord] {
        let scenario = record.resolved.scenario
        return scenario.world.duties.flatMap { duty -> [ViolationRecord] in
            let deeds = record.dutyDeeds.filter { $0.duty == duty.name }
            let truth = DutyTruth(duty, deeds, start: scenario.start, clocks: clocks)
            let looks = record.dutyLooks.filter { $0.duty == duty.name }
            let memberships = DutyTruth.memberships(in: deeds)
            // Who came while the notifier's clock was set came by that clock.
            let judged = looks.filter { clocks.spares(until: $0.until) }
            return judged.flatMap { look in wrong(look, deeds, truth) } + regressions(looks)
                + judged.flatMap { isFair(duty, deeds) ? unfair($0, memberships, deeds, truth) : [] }
        }
    }

    /// Whether everybody is to have as many turns as the others, all the time and on every device, however late it hears of what changed.
    private func isFair(_ duty: WorldDuty, _ deeds: [DutyDeed]) -> Bool {
        duty.mode == .alternate && deeds.allSatisfy { $0.what.edit?.mode == nil }
    }

    /// The first thing in which a look differs from the truth while it lasted.
    private func wrong(_ look: DutyLook, _ deeds: [DutyDeed], _ truth: DutyTruth) -> [ViolationRecord] {
        let begin = max(look.from, look.settledAt + Self.grace)
        guard begin <= look.until else { return [] }
        let news = deeds.compactMap { $0.answeredAt.map { $0 + Self.grace } }.filter { begin < $0 && $0 < look.until }
        for instant in [begin] + news.sorted() + [look.until] {
            guard let turns = truth.turns(at: instant, grace: Self.grace, count: RunLimits.dutyTurns),
                !isAbridgedBeforeChange(look, deeds, truth, instant)
            else { continue }
            let found =
                lost(look, deeds, truth, instant) ?? different(look, deeds, turns, truth, instant)
                ?? moved(look, deeds, truth, instant)
            if let found { return [found] }
        }
        return []
    }

    /// The occurrence from which on a device has to show turns at an instant: the first that it shows, where the one before was due so long ago
    /// that it may be forgotten, and else the very first.
    private func first(of shown: [DutyLook.Turn], _ truth: DutyTruth, _ instant: Duration) -> Int {
        guard let first = shown.first?.index, first > 0 else { return 0 }
        let end = record.resolved.scenario.start.advanced(by: instant - Self.kept).secondsSinceEpoch
        return (truth.version(at: instant) ?? truth).dueAt(first - 1) < end ? first : 0
    }

    /// Whether the duty was changed when a part of what a device shows no more may have been forgotten: whose turns those were stays as it was,
    /// at whatever time they would be due now.
    private func isAbridgedBeforeChange(
        _ look: DutyLook,
        _ deeds: [DutyDeed],
        _ truth: DutyTruth,
        _ instant: Duration
    ) -> Bool {
        guard [look.turns, look.told].contains(where: { first(of: $0, truth, instant) > 0 }) else { return false }
        let start = record.resolved.scenario.start
        return deeds.contains { deed in
            guard deed.what.edit != nil, !deed.isRefused, let answeredAt = deed.answeredAt else { return false }
            return truth.dueAt(0) < start.advanced(by: answeredAt - Self.kept).secondsSinceEpoch
        }
    }

    /// What the notifier took and a device does not know.
    private func lost(
        _ look: DutyLook,
        _ deeds: [DutyDeed],
        _ truth: DutyTruth,
        _ instant: Duration
    ) -> ViolationRecord? {
        guard takesPart(look.person, deeds, instant) else { return nil }
        let first = first(of: look.told, truth, instant)
        let missing = deeds.first { deed in
            !deed.isRefused && deed.what.index.map { $0 >= first } ?? false
                && deed.answeredAt.map { $0 + Self.grace <= instant } ?? false && !look.events.contains(deed.id)
        }
        guard let missing else { return nil }
        return ViolationRecord(
            invariant: .dutyChangeLost,
            at: instant,
            detail: "\(look.device) of \(look.person) does not know of \(look.duty) that \(missing.person) has "
                + "\(missing.what), which was answered."
        )
    }

    /// The same as nobody's where it is somebody's who has left the notifier, which has forgotten their name.
    private func nameless(_ turn: DutyLook.Turn, _ instant: Duration) -> DutyLook.Turn {
        let hasLeft = record.registrations.contains { $0.person == turn.assignee && $0.leftAt ?? instant < instant }
        return hasLeft ? DutyLook.Turn(index: turn.index, assignee: nil, status: turn.status) : turn
    }

    private func different(
        _ look: DutyLook,
        _ deeds: [DutyDeed],
        _ turns: [DutyLook.Turn],
        _ truth: DutyTruth,
        _ instant: Duration
    ) -> ViolationRecord? {
        let isMember = takesPart(look.person, deeds, instant)
        for (shown, source) in [(look.turns, "computes"), (look.told, "was told")] {
            guard isMember else {
                if shown.isEmpty { continue }
                return differs(look, instant, "\(source) turns, though \(look.person) does not take part")
            }
            let first = first(of: shown, truth, instant)
            for (place, turn) in turns.dropFirst(first).prefix(max(shown.count, 1)).enumerated() {
                let other = shown.count > place ? shown[place] : nil
                guard other != turn, other != nameless(turn, instant) else { continue }
                return differs(look, instant, "\(source) \(Self.text(other)) where it is \(Self.text(turn))")
            }
        }
        return nil
    }

    /// What is due at another time than it is.
    private func moved(
        _ look: DutyLook,
        _ deeds: [DutyDeed],
        _ truth: DutyTruth,
        _ instant: Duration
    ) -> ViolationRecord? {
        guard takesPart(look.person, deeds, instant), let version = truth.version(at: instant) else { return nil }
        for (shown, times, source) in [
            (look.turns, look.dueAt, "computes"), (look.told, look.toldDueAt, "was told"),
        ] {
            let first = first(of: shown, truth, instant)
            let wrong = times.enumerated().first { $0.element != version.dueAt(first + $0.offset) }
            guard let wrong else { continue }
            let off = wrong.element - version.dueAt(first + wrong.offset)
            return differs(look, instant, "\(source) that #\(first + wrong.offset) is due \(off) s after it is")
        }
        return nil
    }

    private func differs(_ look: DutyLook, _ instant: Duration, _ what: String) -> ViolationRecord {
        ViolationRecord(
            invariant: .dutyTurnsDiffer,
            at: instant,
            detail: "\(look.device) of \(look.person), of \(look.duty), \(what)."
        )
    }

    private static func text(_ turn: DutyLook.Turn?) -> String {
        turn.map { "#\($0.index) \($0.status.rawValue) \($0.assignee?.description ?? "nobody")" } ?? "nothing"
    }

    private func takesPart(_ person: Username, _ deeds: [DutyDeed], _ instant: Duration) -> Bool {
        let heard = deeds.filter { deed in deed.answeredAt.map { $0 <= instant } ?? false }
        let inOrder = heard.sorted { $0.answeredAt ?? .zero < $1.answeredAt ?? .zero }
        return inOrder.lastMembership(of: person)?.what == .joined
    }

    /// What was over and is so no more, on one device.
    private func regressions(_ looks: [DutyLook]) -> [ViolationRecord] {
        var over: [String: Set<Int>] = [:]
        return looks.flatMap { look -> [ViolationRecord] in
            let key = "\(look.person) \(look.device)"
            let isOver = { (turn: DutyLook.Turn) in turn.status == .completed || turn.status == .skipped }
            let lost = (look.turns + look.told).filter { !isOver($0) && over[key]?.contains($0.index) ?? false }
            over[key, default: []].formUnion(look.turns.filter(isOver).map(\.index))
            return lost.prefix(1).map { turn in
                ViolationRecord(
                    invariant: .dutyUndone,
                    at: look.from,
                    detail: "On \(look.device) of \(look.person) \(look.duty) was over and is \(Self.text(turn)) now."
                )
            }
        }
    }

    /// Whether a device must have heard of every change of the duty that was under way by its last look: before that it shows turns by the times of
    /// before.
    private func knowsChanges(_ look: DutyLook, _ deeds: [DutyDeed]) -> Bool {
        deeds.allSatisfy { deed in
            guard deed.what.edit != nil, !deed.isRefused, let sentAt = deed.sentAt, sentAt <= look.until else {
                return true
            }
            return deed.answeredAt.map { max($0, look.settledAt) + Self.grace <= look.until } ?? false
        }
    }

    /// Turns that follow from the rotation alone, one after the other, of which somebody has two more than another who takes part.
    private func unfair(
        _ look: DutyLook,
        _ memberships: [Username: SwitchHistory],
        _ deeds: [DutyDeed],
        _ truth: DutyTruth
    ) -> [ViolationRecord] {
        let standings = memberships.mapValues {
            $0.standing(from: look.from - Self.grace, until: look.until, last: look.until)
        }
        guard !standings.values.contains(.unclear), knowsChanges(look, deeds),
            let truth = truth.version(at: look.until)
        else { return [] }
        let none = standings.filter { $0.value == .on }.mapValues { _ in 0 }
        // Who comes or leaves has fewer.
        let changes = deeds.filter { $0.what.index == nil }.compactMap(\.answeredAt)
        let last =
            changes.filter { $0 <= look.until }.max().map {
                record.resolved.scenario.start.advanced(by: $0).secondsSinceEpoch
            } ?? .min
        var counts = none
        for turn in look.turns {
            guard turn.status == .pending, let person = turn.assignee, truth.dueAt(turn.index) > last else {
                counts = none
                continue
            }
            counts[person, default: 0] += 1
            guard counts.count > 1, let most = counts.values.max(), let least = counts.values.min(), most > least + 1
            else { continue }
            return [
                ViolationRecord(
                    invariant: .dutyUnfair,
                    at: look.from,
                    detail:
                        "On \(look.device) of \(look.person) \(person) has two turns of \(look.duty) more than another "
                        + "by \(Self.text(turn))."
                )
            ]
        }
        return []
    }
}
