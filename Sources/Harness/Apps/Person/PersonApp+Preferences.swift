import NotifierKit
import Platform
import Scenarios
import Simulation
import Verdict

extension PersonApp {
    /// Carries out what the person chooses in the app.
    func perform(_ action: AppAction) {
        switch action {
        case .mute(let item, let length):
            // The API is told whole seconds, by the clock of the device.
            let now = node.clock.wallNow
            let shown = now.advanced(by: devices[inHand].app.memory.clockOffset)
            let end = WallTime(secondsSinceEpoch: shown.advanced(by: length).secondsSinceEpoch)
            let until = recorder.now + now.duration(to: end)
            choose(.mute(until: end.date), item, mutedUntil: until)
        case .unmute(let item): choose(.mute(until: nil), item)
        case .denyActor(let user):
            chooseInApp(
                .denied(user),
                .deny(api.number(of: user), true, displayName: user.text, reason: nil)
            ) { [self] in await api.denyActor(user) }
        case .allowActor(let user):
            chooseInApp(
                .allowed(user),
                .deny(api.number(of: user), false, displayName: nil, reason: nil)
            ) { [self] in await api.allowActor(user) }
        case .quietHours(let hours): change(.quietHours(hours), AppClient.quietHours(hours))
        case .autoWatch(let isOn): change(.autoWatch(isOn), AppClient.autoWatch(isOn))
        case .reminders(let isOn): change(.reminders(isOn), AppClient.reminders(isOn))
        case .dueReminders(let isOn): change(.dueReminders(isOn), AppClient.dueReminders(isOn))
        case .dueLead(let hours): change(.dueLead(hours: hours), AppClient.dueLead(hours))
        case .kinds(let kinds): change(.kinds(kinds), AppClient.kinds(kinds))
        case .tapWatch(let item): tapWatch(item)
        case .tapDismiss(let item): tapDismiss(item)
        case .markRead(let item): markRead(item)
        case .undismiss(let item):
            choose(.undismissed(item)) { [self] in
                guard let id = await api.notification(about: item) else { return false }
                recorder.lastChoices.leaveAlone(item, of: username)
                return await api.undismiss(notification: id)
            }
        case .settle(let item):
            choose(.settled(item)) { [self] in await api.settleAsks(on: item, .done) }
        case .remindLater(let item):
            choose(.postponed(item)) { [self] in await api.settleAsks(on: item, .later) }
        case .browse: browse()
        case .fuzzAPI: fuzzAPI()
        case .refuseSignIn: refuseSignIns()
        case .pullSubscription(let item): syncSubscription(of: item, .pull)
        case .pushSubscription(let item): syncSubscription(of: item, .push)
        case .sendAgain(let item): sendAgain(about: item)
        case .sendTest, .mirroring, .importWatches, .signOut, .leave: performOnService(action)
        }
    }

    private func change(_ choice: PreferenceRecord.Choice, _ change: SettingsChange) {
        chooseInApp(choice, .settings(change)) { [self] in
            let (device, askedAt) = (devices[home].name, recorder.now)
            recorder.savesUnderWay.insert(username)
            let settings = await api.save(change)
            recorder.savesUnderWay.remove(username)
            guard let settings else { return false }
            let isHeld = change.holds(in: settings)
            recorder.told(settings, to: username, on: device, askedAt: askedAt, holdsChoice: isHeld)
            return true
        }
    }

    /// What is chosen in an open app waits there until it is answered, as the watch list does; otherwise the person waits for the answer.
    private func chooseInApp(
        _ choice: PreferenceRecord.Choice,
        _ wanted: NotifierKit::SyncChange.Wanted,
        _ request: @escaping @Sendable () async -> Bool
    ) {
        let device = devices[inHand]
        guard hasServer, device.hasApp, device.syncs, device.app.isInForeground else {
            return choose(choice, isKeptUnanswered: true, request)
        }
        device.app.choose(choice, wanted)
    }

    private func tapWatch(_ item: ItemReference) {
        run { [self] in
            guard let notification = await api.notification(about: item) else { return }
            recorder.lastChoices.leaveAlone(item, of: username)
            let requestedAt = recorder.now
            guard await api.watch(notification: notification) != nil else { return }
            recorder.reach(.watchTapped)
            recorder.record.watches.append(
                WatchRecord(person: username, item: item, requestedAt: requestedAt, activeFrom: recorder.now)
            )
        }
    }

    /// Whatever watched the item does so no more.
    private func tapDismiss(_ item: ItemReference) {
        choose(.dismissed(item)) { [self] in
            guard let notification = await api.notification(about: item) else { return false }
            recorder.lastChoices.leaveAlone(item, of: username)
            let requestedAt = recorder.now
            guard await api.dismiss(notification: notification) else { return false }
            recorder.endWatches(of: item, by: username, requestedAt: requestedAt)
            return true
        }
    }

    /// Writes the choice down once the notifier has confirmed it; some also when it never did, as it may have heard of them. Of some choices the
    /// device says when they were made.
    func choose(
        _ choice: PreferenceRecord.Choice,
        isDatedByDevice: Bool = false,
        isKeptUnanswered: Bool = false,
        _ request: @escaping @Sendable () async -> Bool
    ) {
        run { [self] in
            let requestedAt = recorder.now
            let offset = isDatedByDevice ? devices[home].app.memory.clockOffset : .zero
            let isAnswered = await request()
            guard isAnswered || isKeptUnanswered else { return }
            recorder.record.preferences.append(
                PreferenceRecord(
                    person: username,
                    choice: choice,
                    requestedAt: requestedAt,
                    answeredAt: isAnswered ? recorder.now : .never,
                    datedAt: requestedAt + offset
                )
            )
        }
    }
}
