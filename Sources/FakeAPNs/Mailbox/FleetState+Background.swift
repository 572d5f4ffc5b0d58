import Platform

/// Background pushes: two or three an hour and device, the newest held back, none for an app the person closed for good
/// (APNs facts §9).
extension FleetState {
    mutating func takeBackground(_ push: Push, _ install: Int, _ now: ClockReading, _ effects: inout FleetEffects) {
        let device = installs[install].device
        guard let wait = backgroundWait(device, now) else {
            devices[device].backgroundDeliveries.append(now.monotonic)
            return deliver(push, now, &effects)
        }
        if let older = installs[install].held {
            discard(older, .heldReplaced(by: push.reference), now, &effects)
        } else {
            effects.timers.append((wait, .backgroundRelease(install: install)))
        }
        installs[install].held = push
        ledger.settle(push.id, .held)
        record(.held, push, now, &effects)
    }

    /// The budget allows another one: the held push goes to the app, or waits on when another app was faster.
    mutating func releaseHeld(_ install: Int, _ now: ClockReading, _ effects: inout FleetEffects) {
        guard let push = installs[install].held else { return }
        let device = installs[install].device
        if let wait = backgroundWait(device, now) {
            effects.timers.append((wait, .backgroundRelease(install: install)))
            return
        }
        installs[install].held = nil
        devices[device].backgroundDeliveries.append(now.monotonic)
        deliver(push, now, &effects)
    }

    /// How long until the device's budget has room; nil when it has.
    private mutating func backgroundWait(_ device: Int, _ now: ClockReading) -> Duration? {
        let window = configuration.backgroundWindow
        devices[device].backgroundDeliveries.removeAll { $0.duration(to: now.monotonic) >= window }
        let recent = devices[device].backgroundDeliveries
        guard recent.count >= configuration.backgroundLimit, let oldest = recent.first else { return nil }
        return now.monotonic.duration(to: oldest.advanced(by: window))
    }
}
