import Duties
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
}

extension WatchChoices {
    /// The person does something now, by a clock that is so far ahead.
    func chosen(_ deed: DutyDeed, _ wanted: NotifierKit::SyncChange.Wanted) {
        duties.append(WaitingDuty(place: recorder.record.dutyDeeds.count, wanted: wanted, chosenAt: recorder.now))
        recorder.record.dutyDeeds.append(deed)
    }

    /// The kit has kept it.
    func noteDuty(_ change: PendingChange) {
        let index = duties.firstIndex { $0.number == nil && $0.wanted == change.wanted }
        if let index { return duties[index].number = change.number }
        guard let index = doubtfulDuties.lastIndex(where: { $0.wanted == change.wanted }) else { return }
        var deed = doubtfulDuties.remove(at: index)
        deed.number = change.number
        duties.append(deed)
        let place = deed.place
        (recorder.record.dutyDeeds[place].isRefused, recorder.record.dutyDeeds[place].answeredAt) = (false, nil)
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

    /// Changes have left the device.
    func noteSent(_ ids: [String]) {
        for deed in duties {
            guard let number = deed.number, ids.contains(SyncReceipts.id(number)) else { continue }
            let sentAt = recorder.record.dutyDeeds[deed.place].sentAt
            recorder.record.dutyDeeds[deed.place].sentAt = sentAt ?? recorder.now
        }
    }

    /// It waits no more; false when it is none about a duty.
    func settleDuty(_ change: PendingChange, _ answer: SyncReceipts.Answer?) -> Bool {
        guard let index = duties.firstIndex(where: { $0.number == change.number }) else { return false }
        let waiting = duties.remove(at: index)
        switch answer {
        case nil: forgotten("about a duty")
        case .refused:
            recorder.record.dutyDeeds[waiting.place].isRefused = true
            recorder.record.dutyDeeds[waiting.place].answeredAt = recorder.now
        case .holds(let held), .lost(let held):
            noteDelay(since: waiting.chosenAt)
            recorder.record.dutyDeeds[waiting.place].answeredAt = recorder.now
            let deed = recorder.record.dutyDeeds[waiting.place]
            if case .turn(let turn) = held { noteProbes(deed, turn) }
            if recorder.now - waiting.chosenAt > .minutes(1) { recorder.reach(.dutySentLate) }
            if deed.what == .left { recorder.reach(.dutyLeft) }
            if deed.what == .stopped { recorder.reach(.dutyStopped) }
        }
        return true
    }

    func noteProbes(_ deed: DutyDeed, _ turn: SharedDuty.Turn) {
        let stands = turn.decidedBy?.description == deed.id
        switch deed.what {
        case .done, .skipped: recorder.reach(stands ? .dutyEnded : .dutyOvertaken)
        case .given: if stands { recorder.reach(.dutyGiven) }
        case .joined, .left, .stopped: break
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
        return memory.sync.shown.rota.turns(of: duty.id, zone: DutyZone(zone: duty.zone), before: end)
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
        let dated = surroundings.node.clock.wallNow.advanced(by: memory.clockOffset)
        let deed = DutyDeed(
            person: surroundings.person,
            duty: duty.name,
            what: what,
            id: [.left, .stopped].contains(what) ? "" : id.description,
            // Nobody asks when it was that it ended.
            datedAt: what == .stopped ? DutyDeed.whenHeard : dated.microseconds
        )
        return .deed(deed, wish)
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
