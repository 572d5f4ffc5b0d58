import Duties
import FakeGitLab
import FoundationEssentials
import NotifierKit
import Platform
import Scenarios
import Simulation
import Verdict

/// What the person chooses on a device that keeps nothing for later: each thing is asked by its own route, and they wait for the answer.
extension PersonApp {
    /// They choose something about an item of the watch list.
    func ask(_ choice: WatchChoice, _ name: Scenarios::ItemReference, mutedUntil: Duration?, by app: DeviceApp) {
        run { [self] in
            guard app.isOnline, let list = await app.client.patiently({ try await $0.watches() }) else { return }
            let item = app.client.reference(name)
            let entry = list.first { $0.item == item }?.watchedItemId
            guard let place = AppClient.ChoicePlace(of: choice, item, entry: entry) else { return }
            let asked = app.choices.asks(choice, item, as: name, mutedUntil: mutedUntil)
            let outcome = await app.client.ask(choice, at: place, chosenAt: app.shownNow) { self.hasApp(app) }
            app.choices.settle(asked, outcome, ahead: app.memory.clockOffset)
            let isChange = choice == .watch ? entry == nil : choice == .unwatch
            if isChange, case .answered(.holds) = outcome { judgeSubscription(name, isWanted: choice == .watch) }
        }
    }

    /// Where subscriptions follow the watch list, GitLab has heard of a change before the person has an answer, unless it could not be asked.
    private func judgeSubscription(_ name: Scenarios::ItemReference, isWanted: Bool) {
        let world = recorder.record.resolved.scenario.world
        let mayWrite = signInBy == .token && world.person(username)?.notified?.token.scopes.contains(.api) == true
        let isLimited = world.gitlab.authenticatedLimit != nil
        guard isMirroring == true, mayWrite, !isLimited, recorder.record.faults.isEmpty,
            let seen = try? gitlab.openItems(seenBy: username.text), let item = seen[name.inGitLab]
        else { return }
        guard item.isSubscribed != isWanted else { return }
        let what =
            isWanted ? "watches \(name) and is not subscribed to it" : "watches \(name) no more and is subscribed"
        recorder.violate(.screenMistold, "\(username) wants GitLab to follow their watch list, \(what)")
    }

    /// They do something about a duty, as the server tells it.
    func ask(_ action: DutyAction, _ duty: WorldDuty, by app: DeviceApp) {
        run { [self] in
            guard app.isOnline else { return }
            let told = await app.client.patiently(while: { self.hasApp(app) }) { try await $0.duty(duty.id) }
            guard let told, let own = told.ownMember else { return }
            let known = DeviceApp.KnownDuty(own: own.memberId, members: told.members, turns: told.occurrences)
            switch app.choice(action, duty, known) {
            case .deed(let deed, let wish): await ask(deed, wish, by: app)
            case .mute(let preference, .mute(let id, let end)): await ask(preference, id, mutedUntil: end, by: app)
            case .mute, nil: break
            }
        }
    }

    private func ask(_ deed: DutyDeed, _ wish: DutyWish, by app: DeviceApp) async {
        var deed = deed
        // Nobody is asked when they left: it is when the server hears of it.
        switch deed.what {
        case .left, .removed: deed.datedAt = DutyDeed.whenHeard
        default: break
        }
        deed.sentAt = recorder.now
        let place = recorder.record.dutyDeeds.count
        recorder.record.dutyDeeds.append(deed)
        var attempts = 0
        let outcome = await app.client.ask(wish, at: app.shownNow) {
            attempts += 1
            return self.hasApp(app)
        }
        switch outcome {
        case .answered(let turn):
            recorder.record.dutyDeeds[place].answeredAt = recorder.now
            if let turn { app.choices.noteProbes(deed, turn) }
            app.choices.noteProbes(deed.what)
        // The answer to an earlier attempt, which was taken, may have been lost.
        case .refused where deed.what.isAboutDuty && attempts > 1: break
        case .refused:
            (recorder.record.dutyDeeds[place].isRefused, recorder.record.dutyDeeds[place].answeredAt) = (
                true, recorder.now
            )
        case .unanswered: break
        }
    }

    private func ask(
        _ preference: PreferenceRecord.Choice,
        _ duty: EntityID,
        mutedUntil end: Date?,
        by app: DeviceApp
    ) async {
        let requestedAt = recorder.now
        let chosenAt = app.shownNow
        let outcome = await app.client.ask(while: { self.hasApp(app) }) { kit in
            guard let end else { return try await kit.unmuteDuty(duty, chosenAt: chosenAt) == nil }
            return try await kit.muteDuty(duty, until: end, chosenAt: chosenAt) == end
        }
        // What another device has chosen later stands.
        if case .refused = outcome { return }
        if case .answered(false) = outcome { return }
        let isAnswered = if case .answered = outcome { true } else { false }
        recorder.record.preferences.append(
            PreferenceRecord(
                person: username,
                choice: preference,
                requestedAt: requestedAt,
                answeredAt: isAnswered ? recorder.now : .never,
                datedAt: requestedAt + app.memory.clockOffset
            )
        )
    }

    /// Whether that app is still on one of the devices.
    private func hasApp(_ app: DeviceApp) -> Bool { devices.contains { $0.app === app && $0.hasApp && !$0.isRemoved } }
}

extension DeviceApp {
    /// What the device's clock shows.
    var shownNow: Date { surroundings.node.clock.wallNow.advanced(by: memory.clockOffset).date }
}

extension WatchChoices {
    /// The person asks for something now.
    fileprivate func asks(
        _ choice: WatchChoice,
        _ item: NotifierKit::ItemReference,
        as name: Scenarios::ItemReference,
        mutedUntil: Duration?
    ) -> Waiting {
        recorder.lastChoices.opened(name, of: person)
        return Waiting(choice: choice, item: item, name: name, chosenAt: recorder.now, mutedUntil: mutedUntil)
    }

    /// What became of it, by a clock that is so far ahead.
    fileprivate func settle(
        _ asked: Waiting,
        _ outcome: AppClient.Outcome<AppClient.Standing>,
        ahead offset: Duration
    ) {
        recorder.lastChoices.closed(asked.name, of: person)
        let dated = LastChoices.Dating(
            chosenAt: asked.chosenAt,
            datedAt: asked.chosenAt + offset,
            answeredAt: recorder.now
        )
        switch outcome {
        case .answered(let standing):
            recorder.reach(.choiceAsked)
            // Of an entry that is gone the server hears no more when it was chosen.
            if standing == .gone { recorder.lastChoices.leaveAlone(asked.name, of: person) }
            if standing == .overtaken { overtaken(asked, dated, isOwn: false) } else { note(asked, dated) }
        case .refused: break
        case .unanswered: leaveOpen(asked)
        }
    }
}
