public import Duties

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What several people do in turn, as one device has it. Whose turn it is follows from it, with and without a network.
public struct DutyCopy: Sendable, Equatable {
    /// By their ids, without members and occurrences.
    public var duties: [EntityID: SharedDuty] = [:]
    /// Who takes part or took part in them.
    public var members: [EntityID: SharedDuty.Member] = [:]
    /// Occurrences as the server has told them.
    public var turns: [EntityID: SharedDuty.Turn] = [:]
    /// What was done or left out.
    public var ends: [EntityID: DutyEnd] = [:]
    /// What was given away by hand.
    public var gifts: [EntityID: DutyGift] = [:]
    /// Until when duties tell the person nothing; an end may be over.
    public var mutes: [EntityID: Date] = [:]

    /// Begins empty.
    public init() {}

    // MARK: Showing

    /// Duties with their members and with the occurrences that the server has told, in the order of their titles.
    public var list: [SharedDuty] {
        duties.values.map(whole).sorted { ($0.title, $0.dutyId) < ($1.title, $1.dutyId) }
    }

    /// One of them.
    public func duty(_ id: EntityID) -> SharedDuty? { duties[id].map(whole) }

    private func whole(_ duty: SharedDuty) -> SharedDuty {
        var duty = duty
        duty.members = members.values.filter { $0.dutyId == duty.dutyId }
            .sorted { ($0.position, $0.joinedAt, $0.memberId) < ($1.position, $1.joinedAt, $1.memberId) }
        duty.mutedUntil = mutes[duty.dutyId]
        duty.occurrences = turns.values.filter { $0.dutyId == duty.dutyId }.sorted { $0.index < $1.index }
        return duty
    }

    /// Whose turn it is, computed here of all that this device knows, what waits to be sent among it.
    ///
    /// - Parameters:
    ///   - id: the duty's.
    ///   - zone: what clocks of the duty's zone show.
    ///   - end: the instant up to which they are due, itself excluded.
    /// - Returns: the first first; what the server has told, where a newer one says what this program cannot compute.
    public func turns(of id: EntityID, zone: some ZoneClock, before end: Date) -> [SharedDuty.Turn] {
        guard let whole = duty(id) else { return [] }
        guard let duty = whole.duty else { return whole.occurrences.filter { $0.dueAt < end } }
        return decided(duty, zone, before: end.wholeSeconds)
    }

    /// The same for who knows no rules of zones: of the occurrences that the server has told, which are those of two months ahead.
    ///
    /// - Parameter id: the duty's.
    /// - Returns: the first first.
    public func turns(of id: EntityID) -> [SharedDuty.Turn] {
        guard let whole = duty(id) else { return [] }
        guard let duty = whole.duty else { return whole.occurrences }
        return decided(duty, ToldInstants(whole.occurrences, of: duty), before: .max)
    }

    private func decided(_ duty: Duty, _ clock: some DueClock, before end: Int64) -> [SharedDuty.Turn] {
        AssignmentEngine(duty: duty, events: events, zone: clock).occurrences(before: end).map(SharedDuty.Turn.init)
    }

    /// All that happened; that of other duties changes nothing in one.
    private var events: DutyEvents {
        var events = DutyEvents()
        for end in ends.values { if let completion = end.completion { _ = events.take(completion) } }
        for gift in gifts.values { _ = events.take(gift.reassignment) }
        return events
    }

    /// The member that the signed-in person is; the latest, where they came back.
    public func ownMember(of duty: EntityID) -> SharedDuty.Member? {
        members.values.filter { $0.dutyId == duty && $0.isYou }
            .max { ($0.joinedAt, $0.memberId) < ($1.joinedAt, $1.memberId) }
    }

    // MARK: What the server tells

    /// Each thing as it is now.
    package mutating func take(_ changes: SyncPage.Changes) {
        for duty in changes.duties { duties[duty.dutyId] = duty }
        for member in changes.members { members[member.memberId] = member }
        for turn in changes.occurrences { turns[turn.occurrenceId] = turn }
        for end in changes.completions { ends[end.completionId] = end }
        for gift in changes.reassignments { gifts[gift.reassignmentId] = gift }
        for mute in changes.dutyMutes { mutes[mute.dutyId] = mute.mutedUntil }
    }

    /// Takes what holds now of what a change of this device is about.
    mutating func take(_ held: SyncReceipt.Held, after change: PendingChange) {
        switch held {
        case .duty(let duty): duties[duty.dutyId] = duty
        case .member(let member): members[member.memberId] = member
        case .dutyMute(let mute): mutes[mute.dutyId] = mute.mutedUntil
        case .turn(let turn):
            turns[turn.occurrenceId] = turn
            apply(change)
            // A clock that runs ahead was cut to the arrival.
            guard let id = turn.decidedBy, let at = turn.decidedAt else { return }
            ends[id]?.at = at
            gifts[id]?.at = at
        default: break
        }
    }

    /// It is no more, with all that belongs to it.
    package mutating func forget(duty id: EntityID) {
        let gone = turns.filter { $0.value.dutyId == id }
        for key in gone.keys { turns[key] = nil }
        ends = ends.filter { gone[$0.value.occurrenceId] == nil }
        gifts = gifts.filter { gone[$0.value.occurrenceId] == nil }
        members = members.filter { $0.value.dutyId != id }
        (duties[id], mutes[id]) = (nil, nil)
    }

    /// A completion or a reassignment is kept no more.
    package mutating func forget(event id: EntityID) {
        ends[id] = nil
        gifts[id] = nil
    }

    // MARK: What the person wants

    /// Shows a change that the server has not answered.
    mutating func apply(_ change: PendingChange) {
        guard case .duty(let wish) = change.wanted else { return }
        let at = change.changedAt
        switch wish {
        case .make(let new): if duties[new.dutyId] == nil { make(new, at) }
        case .change(let id, let changes): duties[id]?.take(changes, at)
        case .stop(let id): forget(duty: id)
        case .add(let id, let name, let duty): add(id, name, to: duty, at)
        case .mute(let id, let end): if duties[id] != nil { mutes[id] = end }
        case .leave(let id, let duty):
            if members[id]?.isYou == true { forget(duty: duty) } else { members[id]?.leftAt = at }
        case .end(let id, let occurrence, let kind, let by, let note):
            let own = turns[occurrence].flatMap { ownMember(of: $0.dutyId)?.memberId }
            guard let by = by ?? own, ends[id] == nil else { return }
            ends[id] = DutyEnd(
                completionId: id,
                occurrenceId: occurrence,
                by: by,
                at: at,
                kind: kind.rawValue,
                note: note
            )
        case .give(let id, let occurrence, let to):
            guard let own = members[to].flatMap({ ownMember(of: $0.dutyId)?.memberId }), gifts[id] == nil
            else { return }
            gifts[id] = DutyGift(reassignmentId: id, occurrenceId: occurrence, to: to, by: own, at: at)
        }
    }

    private mutating func make(_ new: NewDuty, _ at: Date) {
        duties[new.dutyId] = SharedDuty(new, at)
        let joined = min(.ofSecond(Int64(new.startOn.number - 1) * 86_400), at)
        for (place, member) in new.members.enumerated() {
            guard let id = member.memberId else { continue }
            members[id] = SharedDuty.Member(
                memberId: id,
                dutyId: new.dutyId,
                name: member.name,
                position: place + 1,
                hasAccount: member.isYou,
                isYou: member.isYou,
                joinedAt: joined
            )
        }
    }

    private mutating func add(_ id: EntityID, _ name: String, to duty: EntityID, _ at: Date) {
        guard members[id] == nil else {
            members[id]?.name = name
            return
        }
        guard duties[duty] != nil else { return }
        let position = members.values.filter { $0.dutyId == duty }.map(\.position).max() ?? 0
        members[id] = SharedDuty.Member(
            memberId: id,
            dutyId: duty,
            name: name,
            position: position + 1,
            hasAccount: false,
            isYou: false,
            joinedAt: at
        )
    }
}

/// When a duty is due, as far as the server has told it.
private struct ToldInstants: DueClock {
    private var instants: [CivilDay: Int64] = [:]

    init(_ turns: [SharedDuty.Turn], of duty: Duty) {
        for turn in turns {
            instants[duty.recurrence.day(turn.index, from: duty.start)] = turn.dueAt.wholeSeconds
        }
    }

    func instant(of day: CivilDay, minute: Int) -> Int64 { instants[day] ?? .max }
}

extension SharedDuty {
    fileprivate init(_ new: NewDuty, _ at: Date) {
        self.init(
            dutyId: new.dutyId,
            title: new.title,
            everyDays: new.everyDays,
            weekdays: new.weekdays,
            everyWeeks: new.weekdays == nil ? nil : new.everyWeeks ?? 1,
            startOn: new.startOn,
            timeOfDay: new.timeOfDay,
            timeZone: new.timeZone,
            leadHours: new.leadHours ?? 0,
            mode: new.mode ?? Duty.Mode.alternate.rawValue,
            escalates: new.escalates ?? false,
            baseIndex: 0,
            baseQueue: [],
            changedAt: at,
            members: [],
            occurrences: []
        )
    }

    fileprivate mutating func take(_ changes: DutyChanges, _ at: Date) {
        title = changes.title ?? title
        timeOfDay = changes.timeOfDay ?? timeOfDay
        timeZone = changes.timeZone ?? timeZone
        leadHours = changes.leadHours ?? leadHours
        mode = changes.mode ?? mode
        escalates = changes.escalates ?? escalates
        changedAt = at
    }
}

extension SharedDuty.Turn {
    /// As the engine has it.
    fileprivate init(_ occurrence: Occurrence) {
        self.init(
            occurrenceId: occurrence.id,
            dutyId: occurrence.duty,
            index: occurrence.index,
            dueAt: .ofSecond(occurrence.dueAt),
            assignee: occurrence.assignee,
            status: occurrence.status.rawValue,
            decidedAt: occurrence.decision.map { .ofSecond($0.at) },
            decidedBy: occurrence.decision?.id
        )
    }
}

extension Date {
    /// As duties count: since 1970.
    fileprivate static func ofSecond(_ second: Int64) -> Date { .init(timeIntervalSince1970: Double(second)) }
}
