import FakeAPNs
import FakeGitLab
import HTTP
import Platform

extension PersonApp {
    /// Registers with the notifier: the GitLab token, every device that is there, and the watch list from the start. The first device
    /// signs in with the token, the others by its code.
    func register() {
        signIn()
        let first = home
        for index in devices.indices where !devices[index].joinsLater {
            if index != first { pair(index) }
            registerDevice(index)
        }
        for item in watchesFromStart { watch(item) }
    }

    /// Gives the notifier the person's present GitLab token.
    func signIn() {
        run { [self] in
            let index = home
            let requestedAt = recorder.now
            let isFirst = !recorder.record.registrations.contains { $0.person == username }
            guard await signIn(on: index) else { return }
            if isFirst {
                recorder.record.registrations.append(
                    RegistrationRecord(person: username, requestedAt: requestedAt, activeFrom: recorder.now)
                )
            } else {
                // The new session is to be one of the device, as the former was.
                await tellPushToken(of: index)
                closeTokenDeath()
                recorder.reach(.tokenReplaced)
            }
        }
    }

    func signIn(on index: Int) async -> Bool {
        let origin = WorldBuilder.gitlabOrigin.description
        return await devices[index].api.register(gitlabURL: origin, token: gitlabToken)
    }

    /// Registers the present push token of a device.
    func registerDevice(_ index: Int) {
        run { [self] in await tellPushToken(of: index) }
    }

    func tellPushToken(of index: Int) async {
        let device = devices[index]
        guard device.api.isSignedIn else { return }
        let id = await device.api.registerDevice(
            token: device.token.hex,
            platform: device.platform.rawValue,
            environment: device.environment.rawValue
        )
        guard let id else { return }
        devices[index].serverID = id
        openSpan(of: device.name)
    }

    /// Adds an item to the watch list.
    func watch(_ item: ItemReference) {
        run { [self] in
            let requestedAt = recorder.now
            guard let id = await api.watch(item) else { return }
            watches.append((item, id))
            recorder.record.watches.append(
                WatchRecord(person: username, item: item, requestedAt: requestedAt, activeFrom: recorder.now)
            )
        }
    }

    /// Takes an item off the watch list.
    func unwatch(_ item: ItemReference) {
        run { [self] in
            guard let index = watches.firstIndex(where: { $0.item == item }) else { return }
            let id = watches.remove(at: index).id
            let requestedAt = recorder.now
            guard await api.unwatch(id) else { return }
            let person = username
            if let open = recorder.record.watches.lastIndex(where: {
                $0.person == person && $0.item == item && $0.endedAt == nil
            }) {
                recorder.record.watches[open].endRequestedAt = requestedAt
                recorder.record.watches[open].endedAt = recorder.now
            }
        }
    }

    /// The app reads what it has not seen from the notifier's feed.
    func catchUp(_ index: Int) {
        run { [self] in
            let device = devices[index]
            guard device.isOnline, device.api.isSignedIn, let news = await device.api.feed(since: device.lastSeen)
            else { return }
            if wasRemoved(device.name) { recorder.violate(.removedDeviceUsed, "a removed device read the feed") }
            devices[index].lastSeen = news.first?.id ?? devices[index].lastSeen
            recorder.reach(.catchUp)
            recorder.record.catchUps.append(
                CatchUpRecord(
                    person: username,
                    device: devices[index].name,
                    at: recorder.now,
                    factKeys: news.flatMap(\.facts)
                )
            )
        }
    }

    /// Asks the notifier how much it still has to deliver.
    func askForPending() {
        run { [self] in
            guard let pending = await api.pendingDeliveries() else { return }
            recorder.pendingDeliveries[username] = pending
        }
    }

    /// The token the notifier holds is dead from now on.
    func openTokenDeath() {
        changeRegistration { $0.tokenDead.append(Span(from: self.recorder.now, until: .seconds(Int64.max / 2))) }
    }

    private func closeTokenDeath() {
        changeRegistration { registration in
            guard let last = registration.tokenDead.indices.last else { return }
            registration.tokenDead[last].until = self.recorder.now
        }
    }

    /// Changes the person's registration record, when there is one.
    func changeRegistration(_ change: (inout RegistrationRecord) -> Void) {
        let person = username
        guard let index = recorder.record.registrations.firstIndex(where: { $0.person == person }) else { return }
        change(&recorder.record.registrations[index])
    }
}
