import Platform

/// What kind of machine a device is; a Mac and a phone differ in name only, their rules are the same.
package enum DeviceKind: String, Sendable, Hashable, CaseIterable {
    case phone, mac
}

/// One simulated device.
struct Device {
    let id: DeviceID
    let kind: DeviceKind
    /// The first of those that came one in the place of the other, itself where it came in nobody's.
    let origin: DeviceID
    var isOnline = true
    var isPowerSaving = false
    /// True once another device took over its apps; it never comes back.
    var isReplaced = false
    /// Indexes into the fleet's app installs, in the order of installation.
    var installs: [Int] = []
    /// When background pushes woke it within the last hour.
    var backgroundDeliveries: [MonotonicInstant] = []
    var events: [DeviceEvent] = []
    var forgottenEventCount: Int64 = 0
}

/// One app on one device.
struct AppInstall {
    let device: Int
    let bundleID: String
    var environment: APNsEnvironment
    /// Index of the token the app has now.
    var token: Int
    var isInstalled = true
    var notificationsEnabled = true
    var isForceQuit = false
    /// The one stored push of this app (APNs facts §9), and when it was stored.
    var slot: (push: Push, since: MonotonicInstant)?
    var inFlight: [Push] = []
    /// The background push the device holds back.
    var held: Push?
    /// No later push of the same urgency arrives before these, unless it overtakes: what goes at once does not wait
    /// behind what saves power.
    var lastImmediateArrival = MonotonicInstant(nanoseconds: .min)
    var lastConservingArrival = MonotonicInstant(nanoseconds: .min)
    var displayed: NotificationList
}
