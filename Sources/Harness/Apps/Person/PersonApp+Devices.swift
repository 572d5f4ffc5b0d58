import FakeAPNs
import NotifierKit
import Platform
import Scenarios
import Verdict

/// How devices come and go.
extension PersonApp {
    /// The device joins by the code that another one shows. A lost answer uses a code up, so there are some attempts.
    func pair(_ index: Int) {
        run { [self] in _ = await pairNow(index) }
    }

    /// A device that was set up anew, with the app: it joins by a code when another device is there to show one, else with the GitLab token.
    func rejoin(_ index: Int) {
        guard devices[index].hasApp else { return }
        run { [self] in
            guard await !pairNow(index) else { return }
            _ = await signIn(on: index)
        }
        registerDevice(index)
    }

    /// Lets the device join by a code that another one shows; true when it did.
    func pairNow(_ index: Int) async -> Bool {
        let other = home
        guard other != index, devices[other].api.isSignedIn else { return false }
        let device = devices[index]
        for _ in 0..<Self.pairingAttempts {
            guard let code = await devices[other].api.startPairing() else { return false }
            let id = await device.api.exchange(code, platform: device.platform.rawValue, name: device.name.text)
            guard let id else { continue }
            devices[index].serverID = id
            devices[index].isRemoved = false
            signedIn(index)
            return true
        }
        return false
    }

    /// The person removes the device, on another one when there is one.
    func removeDevice(_ index: Int) {
        run { [self] in
            guard let id = devices[index].serverID else { return }
            let other = devices.indices.first { canRemove($0) && $0 != index } ?? index
            guard devices[other].api.isSignedIn else { return }
            let requestedAt = recorder.now
            // An app on a device that took the place of this one, and was never let in, is not removed with it.
            let isThere = (try? await devices[index].api.kit.credentials())?.deviceID == id
            // What removes itself has no session left to hear of it by when the answer is lost.
            let isRemoved = await devices[other].api.removeDevice(id)
            guard isRemoved || other == index && !devices[other].api.isSignedIn else { return }
            if isThere {
                devices[index].isRemoved = true
                recorder.pushWatch.remove(token: devices[index].token.hex, of: id, at: recorder.now)
            } else {
                devices[index].serverID = nil
            }
            closeSpan(of: devices[index].name, requestedAt: requestedAt)
        }
    }

    /// The app gets another push token, and perhaps a build for the other environment. What it keeps, its session included, stays, and it tells
    /// the server where somebody is signed in. Without a network Apple gives none.
    func changePushToken(on index: Int, to environment: Device.Environment?) {
        guard devices[index].hasApp, devices[index].isOnline else { return }
        killApp(on: index)
        devices[index].app.startedByPerson()
        if let environment { devices[index].environment = environment == .production ? .production : .sandbox }
        takeNewToken(on: index)
        if !devices[index].isRemoved, devices[index].serverID != nil { registerDevice(index) }
    }

    /// APNs takes the app's token for expired from now on. The app hears of it from Apple when it asks for its token at a launch.
    func expireToken(on index: Int) {
        guard devices[index].hasApp else { return }
        fleet.expireToken(devices[index].token)
        devices[index].hasExpiredToken = true
    }

    /// Apple gives the app another push token; without a network it gives none.
    func takeNewToken(on index: Int) {
        guard devices[index].hasApp, devices[index].isOnline else { return }
        devices[index].token = fleet.installApp(
            WorldBuilder.topic,
            on: devices[index].id,
            environment: devices[index].environment
        )
        devices[index].hasExpiredToken = false
        learn(devices[index])
    }

    private func canRemove(_ index: Int) -> Bool { devices[index].api.isSignedIn && !devices[index].isRemoved }

    private static let pairingAttempts = 5

    // MARK: The record

    func openSpan(of device: DeviceName) {
        guard span(of: device) == nil else { return }
        recorder.record.deviceSpans.append(
            DeviceSpanRecord(person: username, device: device, activeFrom: recorder.now)
        )
    }

    /// The notifier has taken the token that the device has.
    func noteToken(of index: Int) {
        let device = devices[index]
        defer { (devices[index].toldToken, devices[index].toldAt) = (device.token, recorder.now) }
        recorder.pushWatch.take(token: device.token.hex, of: username, device.name, at: recorder.now)
        guard let told = device.toldToken, told != device.token else { return }
        var change = PushTokenChangeRecord(person: username, device: device.name, at: recorder.now)
        change.isOfNewSession = device.toldAt <= device.signedInAt
        recorder.record.pushTokenChanges.append(change)
    }

    func closeSpan(of device: DeviceName, requestedAt: Duration) {
        guard let index = span(of: device) else { return }
        recorder.record.deviceSpans[index].endRequestedAt = requestedAt
        recorder.record.deviceSpans[index].endedAt = recorder.now
    }

    /// Whether the device was removed and did not come back.
    func wasRemoved(_ device: DeviceName) -> Bool {
        let person = username
        return span(of: device) == nil
            && recorder.record.deviceSpans.contains { $0.person == person && $0.device == device }
    }

    private func span(of device: DeviceName) -> Int? {
        let person = username
        return recorder.record.deviceSpans.lastIndex {
            $0.person == person && $0.device == device && $0.endedAt == nil
        }
    }
}
