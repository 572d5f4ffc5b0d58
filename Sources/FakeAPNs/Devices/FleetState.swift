import Platform

/// The whole state of a fleet. Devices, installs and tokens are never removed, only retired: a dead token must still be
/// known to be dead.
struct FleetState {
    let configuration: DeviceFleet.Configuration
    var devices: [Device] = []
    var deviceIndex: [DeviceID: Int] = [:]
    var installs: [AppInstall] = []
    var tokens: [TokenRecord] = []
    var tokenIndex: [DeviceToken: Int] = [:]
    var ledger: PushLedger
    private var eventSequence: Int64 = 0

    // One stream per concern, so that a new draw in one does not shift the others.
    var tokenRandom: RandomStream
    var latencyRandom: RandomStream
    var orderRandom: RandomStream
    var mailboxRandom: RandomStream
    var unregisteredRandom: RandomStream

    init(_ configuration: DeviceFleet.Configuration, seed: UInt64) {
        self.configuration = configuration
        ledger = PushLedger(limit: configuration.ledgerLimit)
        tokenRandom = RandomStream(seed: seed, stream: "apns.devices.tokens")
        latencyRandom = RandomStream(seed: seed, stream: "apns.devices.latency")
        orderRandom = RandomStream(seed: seed, stream: "apns.devices.order")
        mailboxRandom = RandomStream(seed: seed, stream: "apns.devices.mailbox")
        unregisteredRandom = RandomStream(seed: seed, stream: "apns.devices.unregistered")
    }

    /// The install of `bundleID` on `device`. Traps when there is none: whoever scripts a device knows its apps.
    func install(_ bundleID: String, on device: DeviceID) -> Int {
        guard let index = devices[index(of: device)].installs.first(where: { installs[$0].bundleID == bundleID }) else {
            preconditionFailure("\(bundleID) was never installed on \(device)")
        }
        return index
    }

    func index(of device: DeviceID) -> Int {
        guard let index = deviceIndex[device] else { preconditionFailure("there is no device \(device)") }
        return index
    }

    /// Writes one event into the device's ledger and hands it to the observer.
    mutating func record(
        _ kind: DeviceEvent.Kind,
        _ push: Push,
        _ now: ClockReading,
        _ effects: inout FleetEffects
    ) {
        guard let device = deviceIndex[push.device] else { return }
        let event = DeviceEvent(sequence: eventSequence, at: now.wall, device: push.device, kind: kind, push: push)
        eventSequence += 1
        effects.events.append(event)
        if devices[device].events.count >= configuration.ledgerLimit {
            let excess = configuration.ledgerLimit / 4 + 1
            devices[device].events.removeFirst(excess)
            devices[device].forgottenEventCount += Int64(excess)
        }
        devices[device].events.append(event)
    }

    /// Settles a push that will never reach its app.
    mutating func discard(
        _ push: Push,
        _ cause: DiscardCause,
        _ now: ClockReading,
        _ effects: inout FleetEffects
    ) {
        ledger.settle(push.id, .discarded(cause, at: now.wall))
        record(.discarded(cause), push, now, &effects)
    }
}
