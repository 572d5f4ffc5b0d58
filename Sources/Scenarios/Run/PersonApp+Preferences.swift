import Platform
import Simulation

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
        case .denyActor(let user): choose(.denied(user)) { [api] in await api.denyActor(user) }
        case .allowActor(let user): choose(.allowed(user)) { [api] in await api.allowActor(user) }
        case .quietHours(let hours): choose(.quietHours(hours)) { [api] in await api.setQuietHours(hours) }
        }
    }

    private func withEntry(of item: ItemReference, _ body: (String) async -> Bool) async -> Bool {
        guard let entry = watches.first(where: { $0.item == item }) else { return false }
        return await body(entry.id)
    }

    /// Writes the choice down once the notifier has confirmed it.
    private func choose(_ choice: PreferenceRecord.Choice, _ request: @escaping @Sendable () async -> Bool) {
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
