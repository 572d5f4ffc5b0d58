import Platform
import Scenarios

/// Whose turn each occurrence of a duty is, from what people did alone: told without the engine that notifier and devices share, by asking
/// who has waited longest.
struct DutyTruth {
    /// A deed with the second that the notifier counts it from: between the two, where that depends on when it arrived.
    private struct Dated {
        var deed: DutyDeed
        var earliest: Int64
        var latest: Int64

        /// Whether it was certainly before `other`; of one second the smaller id is.
        func precedes(_ other: Dated) -> Bool {
            if latest < other.earliest { return true }
            return isCertain && other.isCertain && earliest == other.earliest && deed.id < other.deed.id
        }

        var isCertain: Bool { earliest == latest }

        var sentAt: Duration { deed.sentAt ?? .zero }

        /// Whether both went and were answered together: the notifier takes them in their order.
        func isOfOneEnvelope(as other: Dated) -> Bool { deed.isOfOneEnvelope(as: other.deed) }

        /// Whether another deed was under way at the same time.
        func meets(_ other: Dated) -> Bool {
            guard deed != other.deed, let sentAt = deed.sentAt, let others = other.deed.sentAt else { return false }
            return sentAt <= other.deed.answeredAt ?? .seconds(Int64.max / 2)
                && others <= deed.answeredAt ?? .seconds(Int64.max / 2)
        }
    }

    /// Somebody who takes part from an instant on; who comes back is another one.
    private struct Stay {
        var person: Username
        var joined: Dated
        var left: Dated?

        /// Nil where it cannot be known.
        func isPresent(at second: Int64) -> Bool? {
            if second < joined.earliest { return false }
            if second < joined.latest { return nil }
            guard let left, second >= left.earliest else { return true }
            return second >= left.latest ? false : nil
        }
    }

    /// What answers and refusals leave out: cannot be said.
    private struct Unknown: Error {}

    /// So far ahead occurrences are there for certain, in seconds.
    private static let horizon: Int64 = 59 * 86_400

    /// As it is at the instant of this version, or in the world.
    private(set) var duty: WorldDuty
    private let made: WorldDuty
    private let start: WallTime
    private let deeds: [Dated]
    private let clocks: ClockReach?

    /// - Parameters:
    ///   - duty: as the world has it.
    ///   - deeds: what people did about it, in the order in which they did.
    ///   - start: what the true clock showed at the beginning.
    ///   - clocks: by a clock of the notifier's that was set nobody can tell when it heard of a change; nil where none was.
    init(_ duty: WorldDuty, _ deeds: [DutyDeed], start: WallTime, clocks: ClockReach? = nil) {
        (self.duty, made, self.start, self.clocks) = (duty, duty, start, clocks)
        self.deeds = deeds.map { deed in
            // Devices write milliseconds; the notifier counts whole seconds, and cuts what lies ahead to the arrival.
            let (low, high) = (Self.second(deed.datedAt - 1_000), Self.second(deed.datedAt + 1_000))
            func second(_ at: Duration?) -> Int64 { at.map { start.advanced(by: $0).secondsSinceEpoch } ?? .max }
            return Dated(
                deed: deed,
                earliest: min(low, second(deed.sentAt)),
                latest: min(high, second(deed.answeredAt))
            )
        }
    }

    private static func second(_ microseconds: Int64) -> Int64 {
        WallTime(microseconds: microseconds).secondsSinceEpoch
    }

    // MARK: What it is

    /// The same of the duty as it is once all is heard that was answered by an instant; nil where that depends on what nobody can tell.
    func version(at instant: Duration) -> DutyTruth? {
        let heard = heard(by: instant)
        guard let duty = changed(by: heard.filter { $0.deed.what.edit != nil }, makers: heard) else { return nil }
        var version = self
        version.duty = duty
        return version
    }

    /// The later of two changes stands, and an earlier one that is heard after it is left out with all that it says: so what becomes of some
    /// of them follows from when they were made and from when they were heard.
    private func changed(by edits: [Dated], makers: [Dated]) -> WorldDuty? {
        guard !edits.isEmpty else { return made }
        guard let maker = makers.first(where: { $0.deed.what == .joined })?.deed,
            let sentAt = maker.sentAt, let answeredAt = maker.answeredAt, isTimed(edits)
        else { return nil }
        var (duty, standing) = (made, -1)
        var times = start.advanced(by: sentAt).secondsSinceEpoch...start.advanced(by: answeredAt).secondsSinceEpoch
        let order = edits.indices.sorted { (edits[$0].sentAt, $0) < (edits[$1].sentAt, $1) }
        for (place, index) in order.enumerated() {
            let edit = edits[index]
            let former = place > 0 ? order[place - 1] : nil
            let isBehind = former.map { edit.isOfOneEnvelope(as: edits[$0]) } ?? false
            let met = order.prefix(place).filter { edit.meets(edits[$0]) && !edit.isOfOneEnvelope(as: edits[$0]) }
            guard met.isEmpty else { return nil }
            if isBehind && standing == former || times.upperBound < edit.earliest {
                if let change = edit.deed.what.edit { duty.take(change) }
                (standing, times) = (index, edit.earliest...max(edit.earliest, edit.latest))
            } else if times.lowerBound <= edit.latest {
                return nil
            }
        }
        return duty
    }

    /// Whether all of them were heard of by a clock that was right.
    private func isTimed(_ heard: [Dated]) -> Bool {
        guard let clocks else { return true }
        return heard.allSatisfy { dated in dated.deed.answeredAt.map(clocks.spares(until:)) ?? false }
    }

    // MARK: When

    /// When an occurrence is due, in seconds since 1970.
    func dueAt(_ index: Int) -> Int64 {
        WallClock(zone: duty.zone).instant(of: day(index), after: .minutes(duty.minute)).secondsSinceEpoch
    }

    func day(_ index: Int) -> CivilDate {
        switch duty.rhythm {
        case .everyDays(let days): return day(after: index * days)
        case .weekdays(let weekdays, let weeks):
            let monday = 1 - duty.start.isoWeekday
            var left = index
            // From day to day: slow, and nothing to get wrong.
            for number in 0..<RunLimits.dutyDays {
                let isWeek = (number - monday) / 7 % weeks == 0
                guard isWeek, weekdays.contains(day(after: number).isoWeekday) else { continue }
                if left == 0 { return day(after: number) }
                left -= 1
            }
            return day(after: RunLimits.dutyDays)
        }
    }

    private func day(after days: Int) -> CivilDate { CivilDate(duty.start.wallTime().advanced(by: .days(days))) }

    // MARK: Whose

    /// The turns of the first occurrences, once all is heard that was answered by an instant.
    ///
    /// - Parameters:
    ///   - instant: since the start.
    ///   - grace: how long everybody may take to hear.
    ///   - count: how many occurrences at most.
    /// - Returns: those up to the first of which nothing can be said; nil where something is on its way then, or has been answered so lately
    ///   that not everybody need have heard of it.
    func turns(at instant: Duration, grace: Duration, count: Int) -> [DutyLook.Turn]? {
        let isSettled = deeds.allSatisfy { dated in
            guard let sentAt = dated.deed.sentAt, sentAt <= instant else { return true }
            return dated.deed.answeredAt.map { $0 + grace <= instant } ?? false
        }
        guard isSettled else { return nil }
        return version(at: instant)?.turns(heard(by: instant), count: count) ?? []
    }

    /// All that counts and was answered by an instant.
    private func heard(by instant: Duration) -> [Dated] {
        deeds.filter { dated in !dated.deed.isRefused && dated.deed.answeredAt.map { $0 <= instant } ?? false }
    }

    /// Whose turn one occurrence is, once all is heard that was answered by an instant; nil where nothing can be said.
    func turn(_ index: Int, at instant: Duration) -> DutyLook.Turn? {
        turns(at: instant, grace: .zero, count: index + 1).flatMap { $0.count > index ? $0[index] : nil }
    }

    /// What ended an occurrence, of all that was answered by an instant; nil where nothing did, or nothing can be said.
    func end(of index: Int, at instant: Duration) -> DutyDeed? {
        let ends = deeds.filter { dated in
            dated.deed.what.isEnd && dated.deed.what.index == index && !dated.deed.isRefused
                && dated.deed.answeredAt.map { $0 <= instant } ?? false
        }
        return (try? Self.extreme(ends) { $0.precedes($1) })?.deed
    }

    /// The first turn that came to somebody by what arrived, was not theirs before and is news; nil where none did, or nothing can be said.
    func turnThatCame(to person: Username, by arrival: Arrival) -> Int? {
        guard let until = arrival.until else { return nil }
        guard let version = version(at: until) else { return nil }
        let now = start.advanced(by: until).secondsSinceEpoch
        let came = turnsThatCame(to: person, by: arrival).first { version.newsUntil($0) > now }
        // Further ahead nothing is planned; a day less far where that was done a day ago.
        return came.flatMap { version.dueAt($0) < now + Self.horizon ? $0 : nil }
    }

    private func turns(_ heard: [Dated], count: Int) -> [DutyLook.Turn] {
        guard let stays = stays(heard) else { return [] }
        // The number of the last turn of each stay, or of its coming.
        var last: [Int?] = stays.map { _ in nil }
        var counter = 0
        var found: [DutyLook.Turn] = []
        for index in 0..<count {
            let due = dueAt(index)
            var present: [Int] = []
            for (place, stay) in stays.enumerated() {
                guard let isPresent = stay.isPresent(at: due) else { return found }
                guard isPresent else { continue }
                present.append(place)
                if last[place] == nil {
                    counter += 1
                    last[place] = counter
                }
            }
            let next = duty.mode == .fixed ? present.first : present.min { last[$0] ?? 0 < last[$1] ?? 0 }
            let own = heard.filter { $0.deed.what.index == index }
            guard let (had, status) = try? decide(next, present, own, stays) else { return found }
            found.append(DutyLook.Turn(index: index, assignee: had.map { stays[$0].person }, status: status))
            counter += 1
            if let had, present.contains(had) { last[had] = counter }
        }
        return found
    }

    /// Nil where people came at the same time: who was before whom decides between them.
    private func stays(_ heard: [Dated]) -> [Stay]? {
        var stays: [Stay] = []
        func end(_ person: Username, _ dated: Dated) {
            let open = stays.lastIndex { $0.person == person && $0.left == nil }
            if let open { stays[open].left = dated }
        }
        // Who comes, leaves or has it end does so when it is heard of, however long a device kept it.
        for dated in heard.sorted(by: { $0.deed.answeredAt ?? .zero < $1.deed.answeredAt ?? .zero }) {
            switch dated.deed.what {
            case .joined: stays.append(Stay(person: dated.deed.person, joined: dated))
            case .added(let person):
                guard !deeds.contains(where: { $0.meets(dated) && $0.deed.what.isArrival }) else { return nil }
                stays.append(Stay(person: person, joined: dated))
            case .left: end(dated.deed.person, dated)
            case .removed(let person): end(person, dated)
            case .stopped:
                for open in stays.indices where stays[open].left == nil { stays[open].left = dated }
            case .done, .skipped, .given, .changed: break
            }
        }
        // Places are given as people come.
        return stays.sorted { ($0.joined.deed.answeredAt ?? .zero) < ($1.joined.deed.answeredAt ?? .zero) }
    }

    /// - Throws: `Unknown` where it depends on which of two was first, and nobody can tell.
    private func decide(
        _ turn: Int?,
        _ present: [Int],
        _ deeds: [Dated],
        _ stays: [Stay]
    ) throws(Unknown) -> (had: Int?, status: DutyLook.Status) {
        var decided: (had: Int?, status: DutyLook.Status) = (turn, .pending)
        // Whoever left and came back is another one: the one who was there when the notifier heard of it.
        func stay(of person: Username, _ dated: Dated) -> Int? {
            stays.lastIndex { stay in
                stay.person == person && stay.joined.deed.answeredAt ?? .zero <= dated.deed.answeredAt ?? .zero
            }
        }
        let end = try Self.extreme(deeds.filter { $0.deed.what.isEnd }) { $0.precedes($1) }
        var gifts = deeds.filter { !$0.deed.what.isEnd }
        if let end {
            for gift in gifts where !gift.precedes(end) && !end.precedes(gift) { throw Unknown() }
            gifts.removeAll { end.precedes($0) }
        }
        let gift = try Self.extreme(gifts) { $1.precedes($0) }
        if let gift, case .given(_, let person) = gift.deed.what, let to = stay(of: person, gift), present.contains(to)
        {
            decided = (to, .reassigned)
        }
        guard let end else { return decided }
        if case .skipped = end.deed.what { return (decided.had, .skipped) }
        return (stay(of: end.deed.person, end), .completed)
    }

    /// The one that comes before all others; nil of none.
    private static func extreme(
        _ deeds: [Dated],
        _ isBefore: (Dated, Dated) -> Bool
    ) throws(Unknown) -> Dated? {
        guard !deeds.isEmpty else { return nil }
        let first = deeds.indices.first { one in
            deeds.indices.allSatisfy { $0 == one || isBefore(deeds[one], deeds[$0]) }
        }
        guard let first else { throw Unknown() }
        return deeds[first]
    }
}

extension DutyDeed.What {
    /// Nil for what is about no occurrence.
    var index: Int? {
        switch self {
        case .done(let index), .skipped(let index), .given(let index, _): index
        case .joined, .left, .stopped, .changed, .added, .removed: nil
        }
    }

    var isEnd: Bool {
        switch self {
        case .done, .skipped: true
        case .joined, .left, .stopped, .given, .changed, .added, .removed: false
        }
    }

    /// Whether somebody comes by it.
    var isArrival: Bool {
        switch self {
        case .joined, .added: true
        case .left, .stopped, .done, .skipped, .given, .changed, .removed: false
        }
    }

    /// What becomes otherwise by it; nil where it is no change of the duty.
    var edit: WorldDuty.Edit? {
        if case .changed(let edit) = self { edit } else { nil }
    }
}
