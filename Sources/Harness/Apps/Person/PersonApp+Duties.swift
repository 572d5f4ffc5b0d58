import Duties
import NotifierKit
import Platform
import Scenarios
import Simulation
import Verdict

/// What the person does in turn with others.
extension PersonApp {
    private static let joinAttempts = 20

    /// Makes a duty, and lets the others join one after the other.
    func setUp(_ duty: WorldDuty, with others: ArraySlice<PersonApp>) {
        run { [self] in
            let made = duty.start.wallTime().advanced(by: .zero - .days(1))
            let deed = noteJoining(duty, at: min(made, recorder.simulation.clock.wallNow))
            guard await api.make(duty, as: username) else { return }
            noteJoined(deed)
            for other in others {
                while !other.api.isSignedIn { do { try await node.clock.sleep(for: .seconds(1)) } catch { return } }
                // They may have come by themselves, while somebody before them was waited for.
                if other.mayJoin(duty) { await other.joinNow(duty, invitedBy: self) }
            }
        }
    }

    func perform(_ action: DutyAction, _ name: String, on device: DeviceName?) {
        let scenario = recorder.record.resolved.scenario
        guard hasServer, let duty = scenario.world.duties.first(where: { $0.name == name }) else { return }
        guard action != .join else { return run { [self] in await join(duty) } }
        let index = device.flatMap { name in devices.firstIndex { $0.name == name } } ?? inHand
        let there = devices[index]
        guard there.hasApp, there.app.hasPower else { return }
        guard there.syncs else { return ask(action, duty, by: there.app) }
        there.app.perform(action, duty)
    }

    /// After everything that they had begun before, which may be another attempt to join.
    private func join(_ duty: WorldDuty) async {
        guard mayJoin(duty) else { return }
        let deeds = recorder.record.dutyDeeds.filter { $0.duty == duty.name && !$0.isRefused }
        let there = deeds.last { deed in
            deed.what == .joined && deed.answeredAt != nil && deeds.lastMembership(of: deed.person)?.what == .joined
        }
        guard let host = there?.person, let other = recorder.people?(host) else { return }
        await joinNow(duty, invitedBy: other)
    }

    /// Whoever takes part, or waits to leave, is told so and comes as nobody new.
    private func mayJoin(_ duty: WorldDuty) -> Bool {
        let deeds = recorder.record.dutyDeeds.filter { $0.duty == duty.name && !$0.isRefused }
        return deeds.lastMembership(of: username).map { $0.what != .joined && $0.answeredAt != nil } ?? true
    }

    private func joinNow(_ duty: WorldDuty, invitedBy host: PersonApp) async {
        var deed: Int?
        for _ in 0..<Self.joinAttempts {
            guard let code = await host.api.invite(to: duty.id) else { break }
            let place = deed ?? noteJoining(duty, at: nil)
            deed = place
            switch await api.join(code, as: username) {
            case .joined: return noteJoined(place)
            // Somebody else has used it up, or had another one made.
            case .codeUnknown: continue
            // Whether the server has heard of it nobody knows.
            case .refused: return
            }
        }
        guard let deed else { return }
        (recorder.record.dutyDeeds[deed].isRefused, recorder.record.dutyDeeds[deed].answeredAt) = (true, recorder.now)
    }

    /// Writes down that they are to take part: from that instant on, or from whenever the server hears of it. Returns where that stands.
    private func noteJoining(_ duty: WorldDuty, at instant: WallTime?) -> Int {
        var deed = DutyDeed(
            person: username,
            duty: duty.name,
            what: .joined,
            id: "",
            datedAt: instant?.microseconds ?? DutyDeed.whenHeard
        )
        deed.sentAt = recorder.now
        recorder.record.dutyDeeds.append(deed)
        return recorder.record.dutyDeeds.count - 1
    }

    private func noteJoined(_ deed: Int) {
        recorder.record.dutyDeeds[deed].answeredAt = recorder.now
        recorder.reach(.dutyJoined)
    }
}

extension DutyDeed {
    /// For what counts from when the server hears of it: later than every story.
    static let whenHeard: Int64 = 4_000_000_000_000_000
}

extension AppClient {
    enum Joining { case joined, codeUnknown, refused }

    /// Makes a duty with the person alone in it.
    func make(_ duty: WorldDuty, as person: Username) async -> Bool {
        guard let start = Duties::CivilDay(CalendarNotation.dayText(duty.start)) else { return false }
        var new = NewDuty(
            id: duty.id,
            title: duty.name,
            everyDays: nil,
            startOn: start,
            timeOfDay: CalendarNotation.timeText(duty.minute),
            timeZone: duty.zone.rawValue,
            members: [NewDuty.Member(name: person.text, isYou: true)]
        )
        new.mode = duty.mode.rawValue
        (new.leadHours, new.escalates) = (duty.leadHours, duty.escalates)
        switch duty.rhythm {
        case .everyDays(let days): new.everyDays = days
        case .weekdays(let days, let weeks):
            new.weekdays = days.map { CalendarNotation.weekdayNames[$0 - 1] }
            new.everyWeeks = weeks
        }
        let made = new
        return await patiently { try await $0.make(made) } != nil
    }

    /// A code for somebody else; nil when the server gives none.
    func invite(to duty: EntityID) async -> String? {
        await patiently { try await $0.invite(to: duty).invitationCode }
    }

    /// Takes part by a code. An earlier attempt, whose answer was lost, may have done it.
    func join(_ code: String, as person: Username) async -> Joining {
        await patiently { kit in
            do {
                _ = try await kit.joinDuty(code: code, as: person.text)
                return Joining.joined
            } catch let error as NotifierError where error.code == "already_member" {
                return .joined
            } catch let error as NotifierError where error.code == "invitation_unknown" {
                return .codeUnknown
            }
        } ?? .refused
    }
}
