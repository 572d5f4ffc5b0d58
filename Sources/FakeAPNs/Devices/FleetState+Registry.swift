import Platform

/// Devices, apps and tokens come and go (APNs facts §10).
extension FleetState {
    mutating func addDevice(_ id: DeviceID, _ kind: DeviceKind, origin: DeviceID? = nil) {
        precondition(deviceIndex[id] == nil, "there is already a device \(id)")
        deviceIndex[id] = devices.count
        devices.append(Device(id: id, kind: kind, origin: origin ?? id))
    }

    /// Installs or reinstalls an app with a new token; a token it still had is replaced by it.
    mutating func installApp(
        _ bundleID: String,
        _ id: DeviceID,
        _ environment: APNsEnvironment,
        _ given: DeviceToken?,
        _ now: ClockReading,
        _ effects: inout FleetEffects
    ) -> DeviceToken {
        let device = index(of: id)
        precondition(!devices[device].isReplaced, "a replaced device installs nothing")
        let existing = devices[device].installs.first { installs[$0].bundleID == bundleID }
        let install = existing ?? installs.count
        if existing != nil {
            retire(install, .replaced, now)
            discardPending(install, .tokenReplaced, now, &effects)
        } else {
            devices[device].installs.append(install)
            installs.append(
                AppInstall(
                    device: device,
                    bundleID: bundleID,
                    environment: environment,
                    token: tokens.count,
                    displayed: NotificationList(limit: configuration.displayedLimit)
                )
            )
        }
        let token = given ?? newToken()
        installs[install].environment = environment
        installs[install].token = tokens.count
        installs[install].isInstalled = true
        register(token, install, now)
        return token
    }

    /// The token of a removed app lives again: the app registered and was given the same one.
    mutating func revive(_ install: Int, _ now: ClockReading) -> DeviceToken {
        let token = installs[install].token
        installs[install].isInstalled = true
        tokens[token].change(to: installs[install].notificationsEnabled ? .active : .notificationsOff, at: now.wall)
        return tokens[token].token
    }

    /// Marks the install's current token as dead, unless it is already.
    mutating func retire(_ install: Int, _ state: TokenState, _ now: ClockReading) {
        let token = installs[install].token
        guard tokens[token].state == .active || tokens[token].state == .notificationsOff else { return }
        tokens[token].change(to: state, at: now.wall)
    }

    mutating func replaceDevice(
        _ old: DeviceID,
        _ new: DeviceID,
        _ kind: DeviceKind,
        _ now: ClockReading,
        _ effects: inout FleetEffects
    ) -> [(bundleID: String, token: DeviceToken)] {
        let oldIndex = index(of: old)
        let origin = devices[oldIndex].origin
        addDevice(new, kind, origin: origin)
        let moved = devices[oldIndex].installs.filter { installs[$0].isInstalled }
        let tokens = moved.map { install in
            let (bundleID, environment) = (installs[install].bundleID, installs[install].environment)
            retire(install, .replaced, now)
            discardPending(install, .deviceReplaced, now, &effects)
            return (bundleID, installApp(bundleID, new, environment, nil, now, &effects))
        }
        devices[oldIndex].isReplaced = true
        devices[oldIndex].isOnline = false
        return tokens
    }

    private mutating func newToken() -> DeviceToken {
        while true {
            let token = DeviceToken(digitCount: configuration.tokenDigitCount) { tokenRandom.next() }
            if tokenIndex[token] == nil { return token }
        }
    }

    private mutating func register(_ token: DeviceToken, _ install: Int, _ now: ClockReading) {
        precondition(tokenIndex[token] == nil, "a token is given once")
        let app = installs[install]
        tokenIndex[token] = tokens.count
        let state: TokenState = app.notificationsEnabled ? .active : .notificationsOff
        tokens.append(
            TokenRecord(
                token: token,
                environment: app.environment,
                bundleID: app.bundleID,
                install: install,
                history: [TokenChange(at: now.wall, state: state)]
            )
        )
    }
}
