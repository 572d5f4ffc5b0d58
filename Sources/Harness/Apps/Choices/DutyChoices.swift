import Duties
import FoundationEssentials
import NotifierKit
import Platform
import Scenarios
import Simulation
import Verdict

/// What somebody did about a duty on one device and the server has not answered.
struct WaitingDuty {
    /// Where it stands in the record.
    var place: Int
    /// As the kit has it.
    var wanted: NotifierKit::SyncChange.Wanted
    var chosenAt: Duration
    /// The kit's; nil before it has kept it.
    var number: Int?
    /// How often it has left the device.
    var sendings = 0
}

extension WatchChoices {
    /// The person does something now, by a clock that is so far ahead.
    func chosen(_ deed: DutyDeed, _ wanted: NotifierKit::SyncChange.Wanted) {
        duties.append(WaitingDuty(place: recorder.record.dutyDeeds.count, wanted: wanted, chosenAt: recorder.now))
        recorder.record.dutyDeeds.append(deed)
    }

    /// The kit has kept it.
    func noteDuty(_ change: PendingChange, _ after: SyncState) {
        let index = duties.firstIndex { $0.number == nil && $0.wanted == change.wanted }
        if let index {
            duties[index].number = change.number
            return noteDate(of: change, duties[index], after)
        }
        guard let index = doubtfulDuties.lastIndex(where: { $0.wanted == change.wanted }) else { return }
        var deed = doubtfulDuties.remove(at: index)
        deed.number = change.number
        duties.append(deed)
        let place = deed.place
        (recorder.record.dutyDeeds[place].isRefused, recorder.record.dutyDeeds[place].answeredAt) = (false, nil)
        noteDate(of: change, deed, after)
    }

    private func noteDate(of change: PendingChange, _ waiting: WaitingDuty, _ after: SyncState) {
        let deed = recorder.record.dutyDeeds[waiting.place]
        guard deed.datedAt != DutyDeed.whenHeard else { return }
        let wall = recorder.simulation.clock.wallNow
        let shown = recorder.now + wall.duration(to: WallTime(microseconds: deed.datedAt))
        let expected = date(of: change, shown: shown, chosenAt: waiting.chosenAt, after)
        let dated = wall.advanced(by: expected - recorder.now).microseconds
        if case .changed = deed.what {
            recorder.record.dutyDeeds[waiting.place].datedAt = dated
        } else if dated > deed.datedAt + 5_000 {
            recorder.record.dutyDeeds[waiting.place].datedAt = dated
        }
    }

    /// It could not be kept, as far as the person was told.
    func dutyNotKept(_ wanted: NotifierKit::SyncChange.Wanted) {
        guard let index = duties.lastIndex(where: { $0.number == nil && $0.wanted == wanted }) else { return }
        doubt(duties.remove(at: index))
    }

    /// The process has ended before it said that they are taken.
    func cutOffDuties() {
        while let index = duties.firstIndex(where: { $0.number == nil }) { doubt(duties.remove(at: index)) }
    }

    /// As far as the person knows nothing was done.
    private func doubt(_ deed: WaitingDuty) {
        doubtfulDuties.append(deed)
        (recorder.record.dutyDeeds[deed.place].isRefused, recorder.record.dutyDeeds[deed.place].answeredAt) =
            (true, recorder.now)
    }

    /// Changes have left the device, in one envelope.
    func noteSent(_ ids: [String]) {
        recorder.envelopes += 1
        for (index, deed) in duties.enumerated() {
            guard let number = deed.number, ids.contains(SyncReceipts.id(number)) else { continue }
            duties[index].sendings += 1
            let sentAt = recorder.record.dutyDeeds[deed.place].sentAt
            recorder.record.dutyDeeds[deed.place].sentAt = sentAt ?? recorder.now
            recorder.record.dutyDeeds[deed.place].envelopes.append(recorder.envelopes)
        }
    }

    /// It waits no more; false when it is none about a duty.
    func settleDuty(_ change: PendingChange, _ answer: SyncReceipts.Answer?) -> Bool {
        guard let index = duties.firstIndex(where: { $0.number == change.number }) else { return false }
        let waiting = duties.remove(at: index)
        switch answer {
        case nil: forgotten("about a duty")
        // The answer to an earlier attempt, which was taken, may have been lost.
        case .refused where recorder.record.dutyDeeds[waiting.place].what.isAboutDuty && waiting.sendings > 1: break
        case .refused:
            recorder.record.dutyDeeds[waiting.place].isRefused = true
            recorder.record.dutyDeeds[waiting.place].answeredAt = recorder.now
        case .holds(let held), .lost(let held):
            noteDelay(since: waiting.chosenAt)
            recorder.record.dutyDeeds[waiting.place].answeredAt = recorder.now
            let deed = recorder.record.dutyDeeds[waiting.place]
            if case .turn(let turn) = held { noteProbes(deed, turn) }
            if recorder.now - waiting.chosenAt > .minutes(1) { recorder.reach(.dutySentLate) }
            // What somebody changed later stands.
            if case .lost? = answer, case .changed = deed.what { return true }
            noteProbes(deed.what)
        }
        return true
    }

    func noteProbes(_ what: DutyDeed.What) {
        switch what {
        case .left: recorder.reach(.dutyLeft)
        case .stopped: recorder.reach(.dutyStopped)
        case .changed: recorder.reach(.dutyChanged)
        case .added, .removed: recorder.reach(.dutyMemberAdded)
        case .joined, .done, .skipped, .given: break
        }
    }

    func noteProbes(_ deed: DutyDeed, _ turn: SharedDuty.Turn) {
        let stands = turn.decidedBy?.description == deed.id
        switch deed.what {
        case .done, .skipped: recorder.reach(stands ? .dutyEnded : .dutyOvertaken)
        case .given: if stands { recorder.reach(.dutyGiven) }
        case .joined, .left, .stopped, .changed, .added, .removed: break
        }
    }
}

extension DutyDeed.What {
    /// Whether the duty itself or who takes part by name is otherwise by it.
    var isAboutDuty: Bool {
        switch self {
        case .changed, .added, .removed: true
        case .joined, .left, .stopped, .done, .skipped, .given: false
        }
    }
}

/// What clocks of a zone show, for the engine.
struct DutyZone: ZoneClock {
    let zone: QuietHours.Zone

    func offsetSeconds(at second: Int64) -> Int { zone.offsetSeconds(at: WallTime(secondsSinceEpoch: second)) }
}

extension WorldDuty {
    /// The id that its maker's device gives it.
    var id: EntityID { EntityID(high: 0x6475_7479_0000_4000, low: 0x8000_0000_0000_0000).named(name.utf8) }
}

extension DeviceApp {
    /// How far ahead turns are computed.
    static let dutyHorizon = Duration.days(60)

    /// The turns of a duty as the device computes them now.
    func turns(of duty: WorldDuty) -> [SharedDuty.Turn] {
        let end = surroundings.node.clock.wallNow.advanced(by: Self.dutyHorizon).date
        let rota = memory.sync.shown.rota
        let zone = rota.duties[duty.id].flatMap { QuietHours.Zone(rawValue: $0.timeZone) } ?? duty.zone
        return rota.turns(of: duty.id, zone: DutyZone(zone: zone), before: end)
    }

    /// The person does something about a duty, as far as the device knows it.
    func perform(_ action: DutyAction, _ duty: WorldDuty) {
        let rota = memory.sync.shown.rota
        guard let own = rota.ownMember(of: duty.id) else { return }
        let known = KnownDuty(own: own.memberId, members: rota.duty(duty.id)?.members ?? [], turns: turns(of: duty))
        switch choice(action, duty, known) {
        case .deed(let deed, let wish): choose(deed, .duty(wish))
        case .mute(let preference, let wish): choose(preference, .duty(wish))
        case nil: break
        }
    }

    /// What the device knows of a duty.
    struct KnownDuty {
        /// The member that its person is.
        var own: EntityID
        var members: [SharedDuty.Member]
        /// The first first.
        var turns: [SharedDuty.Turn]
    }

    /// Something that a person does about a duty, and how the server is told.
    enum DutyChoice {
        case deed(DutyDeed, DutyWish)
        case mute(PreferenceRecord.Choice, DutyWish)
    }

    /// What an action comes to on this device, now; nil when there is nothing to do.
    func choice(_ action: DutyAction, _ duty: WorldDuty, _ known: KnownDuty) -> DutyChoice? {
        switch action {
        case .mute(let length): return mute(duty, for: length)
        case .unmute: return .mute(.dutyUnmuted(duty.name), .mute(duty.id, until: nil))
        case .edit, .add, .remove: return change(action, duty, known)
        case .complete, .skip, .give, .join, .leave, .stop: break
        }
        let id = makeID()
        let turn = known.turns.first { !$0.isOver }
        let (what, wish): (DutyDeed.What, DutyWish)
        switch (action, turn) {
        case (.complete, let turn?): (what, wish) = (.done(turn.index), end(turn, .done, id))
        case (.skip, let turn?): (what, wish) = (.skipped(turn.index), end(turn, .skip, id))
        case (.give(let user), let turn?):
            let to = known.members.first { $0.name == user.text && $0.leftAt == nil }
            guard let to else { return nil }
            (what, wish) = (.given(turn.index, to: user), .give(id, of: turn.id, to: to.memberId))
        case (.leave, _): (what, wish) = (.left, .leave(known.own, of: duty.id))
        case (.stop, _): (what, wish) = (.stopped, .stop(duty.id))
        default: return nil
        }
        // Nobody asks when it was that it ended.
        let dated = what == .stopped ? DutyDeed.whenHeard : shownMicroseconds
        let deed = DutyDeed(
            person: surroundings.person,
            duty: duty.name,
            what: what,
            id: [.left, .stopped].contains(what) ? "" : id.description,
            datedAt: dated
        )
        return .deed(deed, wish)
    }

    private var shownMicroseconds: Int64 {
        surroundings.node.clock.wallNow.advanced(by: memory.clockOffset).microseconds
    }

    /// What changes the duty itself, or who takes part by name; nil where the device does not know whom that is about.
    private func change(_ action: DutyAction, _ duty: WorldDuty, _ known: KnownDuty) -> DutyChoice? {
        let (what, wish): (DutyDeed.What, DutyWish)
        var dated = shownMicroseconds
        switch action {
        case .edit(let edit): (what, wish) = (.changed(edit), .change(duty.id, DutyChanges(edit)))
        case .add(let user):
            (what, wish) = (.added(user), .add(makeID(), name: user.text, of: duty.id))
            // They take part from when the server hears of it.
            dated = DutyDeed.whenHeard
        case .remove(let user):
            let member = known.members.first { $0.name == user.text && !$0.hasAccount && $0.leftAt == nil }
            guard let member else { return nil }
            (what, wish) = (.removed(user), .leave(member.memberId, of: duty.id))
        default: return nil
        }
        let person = surroundings.person
        return .deed(DutyDeed(person: person, duty: duty.name, what: what, id: "", datedAt: dated), wish)
    }

    /// Until a whole second by the clock of the device.
    private func mute(_ duty: WorldDuty, for length: Duration) -> DutyChoice {
        let now = surroundings.node.clock.wallNow
        let shown = now.advanced(by: memory.clockOffset)
        let end = WallTime(secondsSinceEpoch: shown.advanced(by: length).secondsSinceEpoch)
        let until = choices.recorder.now + now.duration(to: end)
        return .mute(.dutyMuted(duty.name, until: until), .mute(duty.id, until: end.date))
    }

    private func end(_ turn: SharedDuty.Turn, _ kind: Completion.Kind, _ id: EntityID) -> DutyWish {
        .end(id, of: turn.id, kind, by: nil, note: nil)
    }

    private func makeID() -> EntityID {
        let entropy = surroundings.node.entropy
        return EntityID(
            high: entropy.nextUInt64() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000,
            low: entropy.nextUInt64() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        )
    }
}

extension DutyChanges {
    /// As the API writes them.
    fileprivate init(_ edit: WorldDuty.Edit) {
        self.init()
        (timeOfDay, timeZone) = (edit.minute.map(CalendarNotation.timeText), edit.zone?.rawValue)
        (mode, leadHours, escalates) = (edit.mode?.rawValue, edit.leadHours, edit.escalates)
    }
}
