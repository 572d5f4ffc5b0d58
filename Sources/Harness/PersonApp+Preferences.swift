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
        case .denyActor(let user): choose(.denied(user)) { [self] in await api.denyActor(user) }
        case .allowActor(let user): choose(.allowed(user)) { [self] in await api.allowActor(user) }
        case .quietHours(let hours): choose(.quietHours(hours)) { [self] in await api.setQuietHours(hours) }
        case .autoWatch(let isOn): choose(.autoWatch(isOn)) { [self] in await api.setAutoWatch(isOn) }
        case .reminders(let isOn): choose(.reminders(isOn)) { [self] in await api.setReminders(isOn) }
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
        }
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

    /// Writes the choice down once the notifier has confirmed it. Of some choices the device says when they were made.
    func choose(
        _ choice: PreferenceRecord.Choice,
        isDatedByDevice: Bool = false,
        _ request: @escaping @Sendable () async -> Bool
    ) {
        run { [self] in
            let requestedAt = recorder.now
            let offset = isDatedByDevice ? devices[home].app.memory.clockOffset : .zero
            guard await request() else { return }
            recorder.record.preferences.append(
                PreferenceRecord(
                    person: username,
                    choice: choice,
                    requestedAt: requestedAt,
                    answeredAt: recorder.now,
                    datedAt: requestedAt + offset
                )
            )
        }
    }
}
