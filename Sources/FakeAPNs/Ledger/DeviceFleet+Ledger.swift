import Platform

/// What a test or a verdict reads: snapshots, oldest first.
extension DeviceFleet {
    /// Every event of the device that the ledger still holds.
    package func events(of device: DeviceID) -> [DeviceEvent] {
        locked { $0.devices[$0.index(of: device)].events }
    }

    /// What the app's notification list shows on the device now.
    func notifications(of bundleID: String, on device: DeviceID) -> [Push] {
        locked { $0.installs[$0.install(bundleID, on: device)].displayed.pushes }
    }

    /// Every accepted push with its fate.
    package var pushes: [TrackedPush] { locked { $0.ledger.entries } }

    /// What became of a push; nil when it is unknown or forgotten.
    func fate(of id: PushID) -> PushFate? { locked { $0.ledger[id]?.fate } }

    /// Accepted pushes that were not displayed, each with its one cause.
    var undisplayed: [TrackedPush] {
        pushes.filter { tracked in
            if case .displayed = tracked.fate { return false }
            return true
        }
    }

    /// How many settled pushes, and how many events of all devices, the bounded ledgers have dropped.
    var forgottenCount: Int64 {
        locked { state in state.devices.reduce(state.ledger.forgottenCount) { $0 + $1.forgottenEventCount } }
    }

    /// Every device in the order in which it was added.
    package var devices: [DeviceID] { locked { $0.devices.map(\.id) } }

    /// The app's current token; nil when it is not installed.
    func token(of bundleID: String, on device: DeviceID) -> DeviceToken? {
        locked { state in
            let install = state.installs[state.install(bundleID, on: device)]
            return install.isInstalled ? state.tokens[install.token].token : nil
        }
    }

    /// What happened to a token, oldest first, at most the newest hundred changes; empty when it was never given.
    func history(of token: DeviceToken) -> [TokenChange] {
        locked { state in state.tokenIndex[token].map { state.tokens[$0].history } ?? [] }
    }
}
