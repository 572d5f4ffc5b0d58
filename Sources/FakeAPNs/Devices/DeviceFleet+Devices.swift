import Platform

/// What people do with their devices. Every method traps when the device or app does not exist.
extension DeviceFleet {
    /// Adds a device, online. Traps when the id is taken.
    package func addDevice(_ id: DeviceID, kind: DeviceKind = .phone) {
        locked { $0.addDevice(id, kind) }
    }

    /// Installs an app, or another build of it, and returns its new token: `token`, which must be unused, or a drawn one.
    @discardableResult
    package func installApp(
        _ bundleID: String,
        on device: DeviceID,
        environment: APNsEnvironment = .production,
        token: DeviceToken? = nil
    ) -> DeviceToken {
        step { state, now, effects in state.installApp(bundleID, device, environment, token, now, &effects) }
    }

    /// Removes the app. Its token keeps answering 200 until APNs notices, if it ever does (APNs facts §10).
    package func removeApp(_ bundleID: String, on device: DeviceID) {
        step { state, now, effects in
            let install = state.install(bundleID, on: device)
            state.retire(install, .removed, now)
            state.installs[install].isInstalled = false
            state.installs[install].displayed.clear()
            state.discardPending(install, .appRemoved, now, &effects)
        }
    }

    /// Installs the app again. With `keepingToken` it is given the token it had, which lives again; else a new one.
    @discardableResult
    func reinstallApp(
        _ bundleID: String,
        on device: DeviceID,
        keepingToken: Bool = false
    ) -> DeviceToken {
        step { state, now, effects in
            let install = state.install(bundleID, on: device)
            if keepingToken { return state.revive(install, now) }
            let environment = state.installs[install].environment
            return state.installApp(bundleID, device, environment, nil, now, &effects)
        }
    }

    /// Gives the app a new token, as after a restore or a new system. The old one is dead, and APNs is late to say so.
    @discardableResult
    func rotateToken(_ bundleID: String, on device: DeviceID) -> DeviceToken {
        step { state, now, effects in
            let environment = state.installs[state.install(bundleID, on: device)].environment
            return state.installApp(bundleID, device, environment, nil, now, &effects)
        }
    }

    /// Moves every installed app of `old` to a new device and returns the new tokens in the order of installation.
    @discardableResult
    package func replaceDevice(
        _ old: DeviceID,
        with new: DeviceID,
        kind: DeviceKind = .phone
    ) -> [(bundleID: String, token: DeviceToken)] {
        step { state, now, effects in state.replaceDevice(old, new, kind, now, &effects) }
    }

    /// Declares the token expired: from now on 410 `ExpiredToken` (APNs facts §6).
    package func expireToken(_ token: DeviceToken) {
        step { state, now, effects in
            guard let index = state.tokenIndex[token] else { preconditionFailure("there is no such token") }
            state.tokens[index].change(to: .expired, at: now.wall)
        }
    }

    /// Cuts the device off; what is on its way is stored when it fails to arrive.
    package func goOffline(_ device: DeviceID) {
        locked { $0.devices[$0.index(of: device)].isOnline = false }
    }

    /// Brings the device back; stored notifications set out.
    package func comeOnline(_ device: DeviceID) {
        step { state, now, effects in
            let index = state.index(of: device)
            precondition(!state.devices[index].isReplaced, "a replaced device does not come back")
            state.devices[index].isOnline = true
            state.releaseStored(on: index, now, &effects)
        }
    }

    /// Switches power saving, which lets priorities 5 and 1 wait in the mailbox.
    package func setPowerSaving(_ isOn: Bool, on device: DeviceID) {
        step { state, now, effects in
            let index = state.index(of: device)
            state.devices[index].isPowerSaving = isOn
            state.releaseStored(on: index, now, &effects)
        }
    }

    /// Switches the app's notifications. While off, APNs accepts alerts and discards them (APNs facts §9).
    package func setNotificationsEnabled(_ isOn: Bool, for bundleID: String, on device: DeviceID) {
        step { state, now, effects in
            let install = state.install(bundleID, on: device)
            state.installs[install].notificationsEnabled = isOn
            let token = state.installs[install].token
            // What has expired stays so.
            guard state.installs[install].isInstalled, state.tokens[token].state != .expired else { return }
            state.tokens[token].change(to: isOn ? .active : .notificationsOff, at: now.wall)
        }
    }

    /// Whether the system of a device shows what the app there gives it: the app is there, and its notifications are not switched off.
    package func showsNotifications(of bundleID: String, on device: DeviceID) -> Bool {
        locked { state in
            let install = state.installs[state.install(bundleID, on: device)]
            return install.isInstalled && install.notificationsEnabled
        }
    }

    /// The person closes the app for good; held and later background pushes are discarded until it is launched.
    package func forceQuitApp(_ bundleID: String, on device: DeviceID) {
        step { state, now, effects in
            let install = state.install(bundleID, on: device)
            state.installs[install].isForceQuit = true
            guard let held = state.installs[install].held else { return }
            state.installs[install].held = nil
            state.discard(held, .appForceQuit, now, &effects)
        }
    }

    /// The person opens the app, which clears its notifications and lets background pushes through again.
    package func launchApp(_ bundleID: String, on device: DeviceID) {
        locked { state in
            let install = state.install(bundleID, on: device)
            state.installs[install].isForceQuit = false
            state.installs[install].displayed.clear()
        }
    }
}
