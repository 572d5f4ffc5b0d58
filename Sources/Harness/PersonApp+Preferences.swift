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
            // The API is told whole seconds.
            let now = node.clock.wallNow
            let end = WallTime(secondsSinceEpoch: now.advanced(by: length).secondsSinceEpoch)
            let until = recorder.now + now.duration(to: end)
            choose(.muted(item, until: until)) { [self] in
                await withEntry(of: item) { await api.mute($0, until: end) }
            }
        case .unmute(let item):
            choose(.unmuted(item)) { [self] in await withEntry(of: item) { await api.unmute($0) } }
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
            let requestedAt = recorder.now
            guard let id = await api.watch(notification: notification) else { return }
            if !watches.contains(where: { $0.item == item }) { watches.append((item, id)) }
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
            let requestedAt = recorder.now
            guard await api.dismiss(notification: notification) else { return false }
            watches.removeAll { $0.item == item }
            recorder.endWatches(of: item, by: username, requestedAt: requestedAt)
            return true
        }
    }

    private func withEntry(of item: ItemReference, _ body: (String) async -> Bool) async -> Bool {
        guard let entry = watches.first(where: { $0.item == item }) else { return false }
        return await body(entry.id)
    }

    /// Writes the choice down once the notifier has confirmed it.
    func choose(_ choice: PreferenceRecord.Choice, _ request: @escaping @Sendable () async -> Bool) {
        run { [self] in
            let requestedAt = recorder.now
            guard await request() else { return }
            recorder.record.preferences.append(
                PreferenceRecord(
                    person: username,
                    choice: choice,
                    requestedAt: requestedAt,
                    answeredAt: recorder.now
                )
            )
        }
    }
}
