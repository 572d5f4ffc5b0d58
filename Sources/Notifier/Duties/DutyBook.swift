import Duties
import Platform

/// Carries out what people want of their duties, and keeps the occurrences as the rotation has them. Runs inside one transaction of its
/// caller; whatever it throws, nothing is done.
struct DutyBook: Sendable {
    /// The rules of the time zones of duties.
    let zones: any TimeZoneSource
    /// False where a caller makes many changes and calls ``recompute(_:at:in:)`` behind them: each may change every later occurrence for
    /// everybody who takes part. What is made is computed at once, since changes behind it name its occurrences.
    var recomputesAtOnce = true

    /// What came of a wish.
    struct Outcome: Sendable {
        var duty: DutyRecord
        /// Occurrences that are not as they were, the first first.
        var changes: [OccurrenceChange] = []
        /// Whether something that was said before stands.
        var isOvertaken = false
    }

    // MARK: Duties

    /// Makes a duty. One that the account has under that id stays as it is.
    ///
    /// - Throws: `DutyError.idTaken` or `dutyLimit`, or what the store throws.
    func make(
        _ wish: DutyWish,
        by account: AccountID,
        _ stamp: RowStamp,
        at now: WallTime,
        in store: Store
    ) throws -> Outcome {
        if let known = try store.duty(wish.id, of: account) { return Outcome(duty: known) }
        for id in [wish.id] + wish.members.map(\.id) where try store.hasDutyEntity(id) { throw DutyError.idTaken }
        guard try store.dutyCount(of: account) < DutyPolicy.dutyLimit else { throw DutyError.dutyLimit }
        guard wish.members.count <= DutyPolicy.memberLimit else { throw DutyError.memberLimit }
        var duty = Duty(
            id: wish.id,
            title: wish.title,
            recurrence: wish.recurrence,
            start: wish.start,
            minute: wish.minute,
            zone: wish.zone,
            leadSeconds: wish.leadSeconds,
            mode: wish.mode,
            escalates: wish.escalates,
            members: []
        )
        // Those who are there from the beginning have their turns from the first occurrence on, also one that is over, and also if it
        // becomes due earlier in its day: no clock is a day ahead of UTC.
        let joined = min(Int64(duty.start.number - 1) * 86_400, now.secondsSinceEpoch)
        let number = try store.insertDuty(duty, stamp, at: now)
        for (place, member) in wish.members.enumerated() {
            let known = DutyMember(id: member.id, name: member.name, position: place + 1, joinedAt: joined)
            duty.members.append(known)
            let record = DutyMemberRecord(member: known, account: member.isOwn ? account : nil, stamp: stamp)
            try store.insertMember(record, of: number)
        }
        // The duty was written before anybody took part.
        let record = try reload(number, in: store)
        try store.tellAll(of: record, to: account)
        return Outcome(duty: record, changes: try recompute(record, at: now, in: store))
    }

    /// Changes what of a duty may change, unless it was changed later.
    ///
    /// - Throws: `DutyError.dutyNotFound`, or what the store throws.
    func edit(
        _ id: EntityID,
        _ edit: DutyEdit,
        by account: AccountID,
        _ stamp: RowStamp,
        at now: WallTime,
        in store: Store
    ) throws -> Outcome {
        guard var record = try store.duty(id, of: account) else { throw DutyError.dutyNotFound }
        guard takes(stamp, over: record.stamp, at: now) else { return Outcome(duty: record, isOvertaken: true) }
        edit.apply(to: &record.duty)
        record.stamp = stamp
        try store.updateDuty(record)
        try follow(record, at: now, in: store)
        return Outcome(duty: record, changes: try settle(record, at: now, in: store))
    }

    /// Whether a change stands. What our clock has dated ahead of where it was set back to counts as half a minute old: an earlier change that
    /// comes again counts as a minute old then.
    private func takes(_ stamp: RowStamp, over standing: RowStamp, at now: WallTime) -> Bool {
        var standing = standing
        let latest = now.advanced(by: Store.clockLead).secondsSinceEpoch
        if stamp.at <= now.secondsSinceEpoch, latest < standing.at {
            standing.at = now.advanced(by: .seconds(-30)).secondsSinceEpoch
        }
        return DutyMergePolicy.takes(stamp, over: standing)
    }

    /// Ends a duty for everybody who takes part.
    ///
    /// - Throws: `DutyError.dutyNotFound`, or what the store throws.
    func delete(_ id: EntityID, by account: AccountID, at now: WallTime, in store: Store) throws {
        guard let record = try store.duty(id, of: account) else { throw DutyError.dutyNotFound }
        for other in record.accounts {
            try store.tellEnd(of: record, to: other)
            try store.settleAsks(.duty(record.duty.id), of: other, by: .turnPassed, at: now)
        }
        try store.deleteDuty(record.id)
    }

    // MARK: Members

    /// Adds somebody who is known by name alone. One who is known under that id gets the name, unless they were changed later.
    ///
    /// - Throws: `DutyError`, or what the store throws.
    func addMember(
        _ member: EntityID,
        _ name: String,
        to id: EntityID,
        by account: AccountID,
        _ stamp: RowStamp,
        at now: WallTime,
        in store: Store
    ) throws -> Outcome {
        guard let record = try store.duty(id, of: account) else { throw DutyError.dutyNotFound }
        if var known = record.member(member) {
            guard takes(stamp, over: known.stamp, at: now) else {
                return Outcome(duty: record, isOvertaken: true)
            }
            known.member.name = name
            known.stamp = stamp
            try store.updateMember(known)
            return Outcome(duty: try reload(record.id, in: store))
        }
        guard try !store.hasDutyEntity(member) else { throw DutyError.idTaken }
        return try add(member, name, account: nil, to: record, stamp, at: now, in: store)
    }

    /// Lets an account take part that was invited.
    ///
    /// - Throws: `DutyError`, or what the store throws.
    func join(
        _ record: DutyRecord,
        as member: EntityID,
        _ name: String,
        account: AccountID,
        _ stamp: RowStamp,
        at now: WallTime,
        in store: Store
    ) throws -> Outcome {
        guard record.member(of: account) == nil else { throw DutyError.alreadyMember }
        guard try store.dutyCount(of: account) < DutyPolicy.dutyLimit else { throw DutyError.dutyLimit }
        guard try !store.hasDutyEntity(member) else { throw DutyError.idTaken }
        let outcome = try add(member, name, account: account, to: record, stamp, at: now, in: store)
        try store.tellAll(of: outcome.duty, to: account)
        return outcome
    }

    private func add(
        _ id: EntityID,
        _ name: String,
        account: AccountID?,
        to record: DutyRecord,
        _ stamp: RowStamp,
        at now: WallTime,
        in store: Store
    ) throws -> Outcome {
        let present = record.members.count { $0.member.leftAt == nil }
        guard present < DutyPolicy.memberLimit,
            record.members.count < DutyPolicy.memberLimit + DutyPolicy.formerMemberLimit
        else { throw DutyError.memberLimit }
        let member = DutyMember(
            id: id,
            name: name,
            position: (record.members.map(\.member.position).max() ?? 0) + 1,
            joinedAt: now.secondsSinceEpoch
        )
        try store.insertMember(DutyMemberRecord(member: member, account: account, stamp: stamp), of: record.id)
        let changed = try reload(record.id, in: store)
        return Outcome(duty: changed, changes: try settle(changed, at: now, in: store))
    }

    /// Lets somebody take part no longer. Whoever left stays so. With the last account the duty goes.
    ///
    /// - Throws: `DutyError`, or what the store throws.
    func removeMember(
        _ member: EntityID,
        of id: EntityID,
        by account: AccountID,
        _ stamp: RowStamp,
        at now: WallTime,
        in store: Store
    ) throws -> Outcome {
        guard let record = try store.duty(id, of: account) else { throw DutyError.dutyNotFound }
        guard let known = record.member(member) else { throw DutyError.memberNotFound }
        guard known.member.leftAt == nil else { return Outcome(duty: record) }
        return try end(known, of: record, stamp, at: now, in: store)
    }

    private func end(
        _ known: DutyMemberRecord,
        of record: DutyRecord,
        _ stamp: RowStamp,
        at now: WallTime,
        in store: Store
    ) throws -> Outcome {
        var gone = known
        gone.account = nil
        gone.member.leftAt = max(known.member.joinedAt, stamp.at)
        gone.stamp = max(stamp, known.stamp)
        if let account = known.account {
            try store.tellEnd(of: record, to: account)
            try store.settleAsks(.duty(record.duty.id), of: account, by: .turnPassed, at: now)
            // Whoever is let go must not come back by a code that they have made.
            try store.deleteCode(.invitations, of: record.id)
        }
        guard record.accounts.contains(where: { $0 != known.account }) else {
            try store.deleteDuty(record.id)
            return Outcome(duty: record)
        }
        try store.updateMember(gone)
        let changed = try reload(record.id, in: store)
        return Outcome(duty: changed, changes: try settle(changed, at: now, in: store))
    }

    /// Ends all that an account takes part in, before it is forgotten; its name goes with it.
    ///
    /// - Throws: What the store throws.
    func leaveAll(_ account: AccountID, at now: WallTime, in store: Store) throws -> [Outcome] {
        try store.duties(of: account).compactMap { record in
            guard var own = record.member(of: account) else { return nil }
            own.member.name = "?"
            return try end(own, of: record, RowStamp(at: now.secondsSinceEpoch, by: ""), at: now, in: store)
        }
    }

    // MARK: Occurrences

    /// Writes what happened to an occurrence. What was said already stays as it is.
    ///
    /// - Throws: `DutyError`, or what the store throws.
    func record(
        _ wish: DutyEventWish,
        by account: AccountID,
        at now: WallTime,
        in store: Store
    ) throws -> (outcome: Outcome, occurrence: Occurrence) {
        guard let (record, index) = try store.duty(occurrence: wish.occurrence, of: account) else {
            throw DutyError.occurrenceNotFound
        }
        guard let by = wish.by ?? record.member(of: account)?.member.id, record.member(by) != nil else {
            throw DutyError.memberNotFound
        }
        let event = DutyEvent(index: index, what: try wish.what(by: by, record))
        var outcome = Outcome(duty: record)
        if let known = try store.dutyEvent(wish.id, of: account) {
            guard known.isSame(as: event) else { throw DutyError.idTaken }
        } else {
            guard try !store.hasDutyEntity(wish.id) else { throw DutyError.idTaken }
            guard try store.dutyEventCount(index, of: record) < DutyPolicy.eventLimit else {
                throw DutyError.eventLimit
            }
            // Those who are not there when it is due are left out of the rotation: it would change nothing.
            if case .give(let to) = wish.what, let due = try store.occurrence(index, of: record)?.dueAt,
                record.member(to)?.member.isPresent(at: due) == false
            {
                throw DutyError.memberAbsent
            }
            try store.insertDutyEvent(event, of: record.id)
            outcome.changes = try settle(record, at: now, in: store)
        }
        guard let occurrence = try store.occurrence(index, of: record) else { throw DutyError.occurrenceNotFound }
        let events = try store.dutyEvents(of: record, only: index)
        let decision = events.end(of: wish.occurrence)?.id ?? events.reassignment(of: wish.occurrence)?.id
        outcome.isOvertaken = decision != wish.id
        return (outcome, occurrence)
    }

    private func settle(_ record: DutyRecord, at now: WallTime, in store: Store) throws -> [OccurrenceChange] {
        recomputesAtOnce ? try recompute(record, at: now, in: store) : []
    }

    /// So much later an edit of time and zone lets an occurrence be due at the most, in seconds: a day, and what zones are apart.
    private static let longestShift: Int64 = 51 * 3_600

    /// Brings the stored occurrences to what the rotation comes to, up to the horizon.
    ///
    /// - Returns: What changed. Nothing while the duty's zone is unknown to this machine.
    /// - Throws: What the store throws.
    func recompute(_ record: DutyRecord, at now: WallTime, in store: Store) throws -> [OccurrenceChange] {
        guard let engine = engine(record.duty, try store.dutyEvents(of: record)) else { return [] }
        let limit = AssignmentEngine<TimeZone>.mostOccurrences
        var known: [Int: Occurrence] = [:]
        for occurrence in try store.occurrences(of: record, from: WallTime(microseconds: .min), limit: limit) {
            known[occurrence.index] = occurrence
        }
        let end = now.advanced(by: DutyPolicy.horizon).secondsSinceEpoch
        // What is known already follows also where it is due a day, or a zone, later than that now.
        let last = known.values.map(\.dueAt).max().map { max($0, end) + Self.longestShift } ?? end
        let changes = try engine.occurrences(before: last).compactMap { occurrence -> OccurrenceChange? in
            let before = known[occurrence.index]
            guard before != occurrence, before != nil || occurrence.dueAt < end else { return nil }
            try store.setOccurrence(occurrence, of: record.id)
            return OccurrenceChange(before: before, after: occurrence)
        }
        if !changes.isEmpty { try follow(record, at: now, in: store) }
        return changes
    }

    /// People are told of turns by the clock, and asked for them, as they are now.
    private func follow(_ record: DutyRecord, at now: WallTime, in store: Store) throws {
        try store.reviewDutyAsks(of: record, at: now)
        try store.lookAtChangedDuty(record.id, at: now)
    }

    /// What is to be done every day: forgets what was due a year ago, and looks a day further ahead.
    ///
    /// - Throws: What the store throws.
    func upkeep(_ number: Int64, at now: WallTime, in store: Store) throws -> [OccurrenceChange] {
        guard let record = try store.duty(number: number) else { return [] }
        let end = now.advanced(by: .zero - DutyPolicy.kept).secondsSinceEpoch
        if let engine = engine(record.duty, try store.dutyEvents(of: record)) {
            let base = engine.base(before: end)
            if base.nextIndex > record.duty.base.nextIndex {
                try store.forgetOccurrences(of: record, below: base.nextIndex)
                try store.setBase(base, of: number)
            }
        }
        return try recompute(try reload(number, in: store), at: now, in: store)
    }

    private func engine(_ duty: Duty, _ events: DutyEvents) -> AssignmentEngine<TimeZone>? {
        TimeZone(duty.zone, from: zones).map { AssignmentEngine(duty: duty, events: events, zone: $0) }
    }

    private func reload(_ number: Int64, in store: Store) throws -> DutyRecord {
        guard let record = try store.duty(number: number) else { throw DutyError.dutyNotFound }
        return record
    }
}

extension TimeZone: ZoneClock {
    func offsetSeconds(at second: Int64) -> Int { offset(at: WallTime(secondsSinceEpoch: second)) }
}

extension DutyEventWish {
    /// - Throws: `DutyError.memberNotFound` when it is to be given to nobody who takes part.
    fileprivate func what(by member: EntityID, _ record: DutyRecord) throws(DutyError) -> DutyEvent.What {
        switch what {
        case .end(let kind, let note):
            return .completion(
                Completion(id: id, occurrence: occurrence, by: member, at: at, kind: kind, note: note)
            )
        case .give(let to):
            guard record.member(to)?.member.leftAt == nil, record.member(to) != nil else { throw .memberNotFound }
            return .reassignment(Reassignment(id: id, occurrence: occurrence, to: to, by: member, at: at))
        }
    }
}

extension DutyEvent {
    /// Whether another says the same. A clock that runs ahead is cut to the arrival, which is later when it arrives again.
    fileprivate func isSame(as other: DutyEvent) -> Bool {
        var (one, two) = (what, other.what)
        switch (one, two) {
        case (.completion(let known), .completion(var said)) where said.at >= known.at:
            said.at = known.at
            (one, two) = (.completion(known), .completion(said))
        case (.reassignment(let known), .reassignment(var said)) where said.at >= known.at:
            said.at = known.at
            (one, two) = (.reassignment(known), .reassignment(said))
        default: break
        }
        return index == other.index && one == two
    }
}
