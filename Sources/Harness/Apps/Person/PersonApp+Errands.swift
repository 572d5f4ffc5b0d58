import FakeAPNs
import FakeGitLab
import HTTP
import NotifierKit
import Platform
import Scenarios
import Simulation
import Verdict

extension PersonApp {
    /// Registers with the notifier: the GitLab token, every device that is there, and the watch list from the start. The first device
    /// signs in with the token, the others by its code.
    func register() {
        signIn(devicesFollow: true)
        let first = home
        for index in devices.indices where !devices[index].joinsLater {
            if index != first { pair(index) }
            registerDevice(index)
        }
        for item in watchesFromStart { watchFromStart(item) }
    }

    /// Gives the notifier the person's present GitLab token, by an app that is there; `devicesFollow` where it need not tell its push token.
    func signIn(devicesFollow: Bool = false) {
        run { [self] in
            let index = home
            let isFirst = !isRegistered
            guard devices[index].hasApp, await signIn(on: index), !(isFirst && devicesFollow) else { return }
            // The new session is to be one of the device, as the former was.
            await tellPushToken(of: index)
            if !isFirst { recorder.reach(.tokenReplaced) }
        }
    }

    /// Signs in on the device that stands there, in the way the person chose; the first time that it succeeds is when they register. The
    /// notifier holds a token then that GitLab takes, unless it has died meanwhile.
    func signIn(on index: Int) async -> Bool {
        let requestedAt = recorder.now
        guard let deaths = await giveToken(by: devices[index].api) else { return false }
        signedIn(index)
        if !isRegistered {
            var registration = RegistrationRecord(
                person: username,
                requestedAt: requestedAt,
                activeFrom: recorder.now
            )
            registration.noAccess = noAccess
            recorder.record.registrations.append(registration)
        }
        if tokenDeaths == deaths { closeTokenDeath() }
        return true
    }

    /// An app that was opened before anybody was signed in asks from now on, whether it is pushed to or not.
    func signedIn(_ index: Int) {
        devices[index].signedInAt = recorder.now
        if !devices[index].wantsPushes { devices[index].hadSessionApart = true }
        let app = devices[index].app
        app.signedIn()
        if devices[index].hasApp, app.isInForeground { app.open() }
    }

    /// Whether the notifier has ever had a token of theirs.
    private var isRegistered: Bool { recorder.record.registrations.contains { [username] in $0.person == username } }

    /// How many tokens of theirs had died when the notifier came by this one; nil when it got none. One that dies while the person is
    /// still to agree is an older one: GitLab makes the new one only when it is fetched.
    private func giveToken(by api: AppClient) async -> Int? {
        let address = gitlabAddress
        switch signInBy {
        case .token:
            let deaths = tokenDeaths
            return await api.register(gitlabURL: address, token: gitlabToken) ? deaths : nil
        case .oauth: return await connectByBrowser(address, api)
        case .device: return await connectByCode(address, api)
        }
    }

    /// The person agrees in the browser, which comes back with a code.
    private func connectByBrowser(_ address: String, _ api: AppClient) async -> Int? {
        guard let flow = await api.startOAuth(gitlabURL: address, .browser),
            let target = flow.authorizationUrl, let back = try? gitlab.authorize(target, as: username.text),
            let query = back.split(separator: "?").last
        else { return nil }
        var values: [Substring: Substring] = [:]
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { values[parts[0]] = parts[1] }
        }
        guard let state = values["state"], state == flow.state[...], let code = values["code"] else { return nil }
        let deaths = tokenDeaths
        return await api.finishOAuth(state: flow.state, code: String(code)) == .signedIn ? deaths : nil
    }

    /// The person types the code in elsewhere, a little later; the app asks again and again.
    private func connectByCode(_ address: String, _ api: AppClient) async -> Int? {
        guard let flow = await api.startOAuth(gitlabURL: address, .code), let code = flow.userCode
        else { return nil }
        var isTypedIn = false
        for _ in 0..<20 {
            do { try await node.clock.sleep(for: .seconds(flow.pollSeconds ?? 5)) } catch { return nil }
            let deaths = tokenDeaths
            switch await api.finishOAuth(state: flow.state, code: nil) {
            case .signedIn: return deaths
            case .refused: return nil
            case .pending: break
            }
            if !isTypedIn { isTypedIn = (try? gitlab.authorizeDevice(userCode: code, as: username.text)) != nil }
        }
        return nil
    }

    /// Registers the present push token of a device.
    func registerDevice(_ index: Int) {
        run { [self] in await tellPushToken(of: index) }
    }

    func tellPushToken(of index: Int) async {
        if devices[index].hasExpiredToken { takeNewToken(on: index) }
        let device = devices[index]
        guard device.api.isSignedIn, device.hasApp else { return }
        guard device.wantsPushes else { return await stopPushes(to: index) }
        // Whatever APNs has said of the token before: Apple has just given it to the app, and the notifier may use it before its answer
        // is here (APNs facts §6, §10).
        learn(device)
        recorder.pushWatch.tell(token: device.token.hex)
        let id = await device.api.registerDevice(
            token: device.token.hex,
            platform: device.platform.rawValue,
            environment: device.environment.rawValue,
            // An app that is deleted asks no more, whatever it was about to, nor one whose device was replaced by another.
            while: { isThere(device, index) }
        )
        recorder.pushWatch.register(token: device.token.hex, as: id, at: recorder.now)
        guard isThere(device, index) else { return }
        guard let id else { return }
        // Also where it had been removed, and somebody has signed in there since.
        (devices[index].serverID, devices[index].isRemoved) = (id, false)
        openSpan(of: device.name)
        noteToken(of: index)
    }

    /// The person wants pushes on a device, or none; the app there says so when it can, at the next launch where it cannot now.
    func wantPushes(_ isOn: Bool, on index: Int) {
        let device = devices[index]
        guard device.hasApp, device.app.hasPower, !device.isRemoved else { return }
        devices[index].wantsPushes = isOn
        if device.isOnline, device.serverID != nil { registerDevice(index) }
    }

    /// The app lets the notifier push nothing there any more, and goes on fetching.
    private func stopPushes(to index: Int) async {
        let device = devices[index]
        let requestedAt = recorder.now
        let isDone = await device.api.switchPushesOff(while: { isThere(device, index) })
        closeSpan(of: device.name, requestedAt: requestedAt)
        if isDone { recorder.pushWatch.remove(token: device.token.hex, of: device.serverID, at: recorder.now) }
    }

    /// Whether the app has the token still that it had.
    private func isThere(_ device: DeviceState, _ index: Int) -> Bool {
        devices[index].hasApp && devices[index].token == device.token
    }

    /// Watches an item at sign-in, which nobody does without a network: it is asked for until it is answered, one after the other.
    private func watchFromStart(_ item: Scenarios::ItemReference) {
        run { [self] in
            let requestedAt = recorder.now
            guard await api.watch(item) != nil else { return }
            recorder.record.watches.append(
                WatchRecord(person: username, item: item, requestedAt: requestedAt, activeFrom: recorder.now)
            )
        }
    }

    /// The person chooses something about the watch list, on the device that they have in hand.
    func choose(_ choice: WatchChoice, _ item: Scenarios::ItemReference, mutedUntil: Duration? = nil) {
        let device = devices[inHand]
        guard hasServer, device.hasApp, device.app.hasPower else { return }
        guard device.syncs else { return ask(choice, item, mutedUntil: mutedUntil, by: device.app) }
        device.app.choose(choice, item, mutedUntil: mutedUntil)
    }

    /// The token the notifier holds is dead from now on.
    func openTokenDeath() {
        tokenDeaths += 1
        tokenDiedAt = recorder.now
        changeRegistration { registration in
            if let last = registration.tokenDead.last, last.until > self.recorder.now { return }
            registration.tokenDead.append(Span(from: self.recorder.now, until: .seconds(Int64.max / 2)))
        }
    }

    /// The most that `requestTimeout` may be: what is let in later was asked with another token than the dead one.
    private static let longestRequest = Duration.minutes(5)

    /// GitLab has answered what the notifier asked by itself in the person's name. A process may die between a sign-in and the answer to it:
    /// the app never heard, and the notifier has the new token all the same.
    func notifierWasLetIn() {
        guard let died = tokenDiedAt, died + Self.longestRequest <= recorder.now else { return }
        closeTokenDeath()
    }

    private func closeTokenDeath() {
        tokenDiedAt = nil
        changeRegistration { registration in
            guard let last = registration.tokenDead.indices.last,
                registration.tokenDead[last].until > self.recorder.now
            else { return }
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
