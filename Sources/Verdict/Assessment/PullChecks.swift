import Platform
import Scenarios

/// What apps showed by themselves, and the invariant that comes with it: nothing is shown twice by push and by pull.
struct PullChecks {
    private struct Shown: Hashable {
        var person: Username
        var device: DeviceName
        var notification: String
    }

    private let record: RunRecord
    private let observations: Observations
    private let byApps: Set<Shown>

    init(_ record: RunRecord, _ observations: Observations) {
        (self.record, self.observations) = (record, observations)
        var byApps: Set<Shown> = []
        for event in record.deviceEvents where event.isByApp {
            guard let content = event.content else { continue }
            byApps.insert(
                Shown(person: event.person, device: event.device, notification: content.notificationID)
            )
        }
        self.byApps = byApps
    }

    /// Notifications that some app has shown by itself: the server need not push them there any more.
    var notifications: Set<String> { Set(byApps.map(\.notification)) }

    /// Whether the app on that device has shown the notification by itself.
    func hasShown(_ notification: String, _ person: Username, _ device: DeviceName) -> Bool {
        byApps.contains(Shown(person: person, device: device, notification: notification))
    }

    /// Notifications that stood on a screen beside a reminder of what they tell. What a notifier had forgotten when it made the other cannot
    /// be known to it.
    func shownBeside(except forgotten: ForgottenNotifications) -> [ViolationRecord] {
        record.screenDoubles.filter { !forgotten.contains($0.standing, and: $0.new) }.map { double in
            ViolationRecord(
                invariant: .shownTwice,
                at: double.at,
                detail: "\(double.person) \(double.device) shows \(double.new.notificationID) beside "
                    + "\(double.standing.notificationID): both are about \(double.new.factKeys.joined())."
            )
        }
    }

    /// Notifications that a device showed as something new although it had shown them, where not both came by push: those replace each
    /// other.
    func shownTwice() -> [ViolationRecord] {
        struct Place: Hashable {
            var shown: Shown
            var installation: Int
        }
        // Whether the app showed it first.
        var first: [Place: Bool] = [:]
        return record.deviceEvents.compactMap { event in
            guard event.kind == .displayed, let content = observations.content(of: event, in: record) else {
                return nil
            }
            let id = content.notificationID
            let shown = Shown(person: event.person, device: event.device, notification: id)
            let place = Place(shown: shown, installation: event.installation)
            guard let wasByApp = first[place] else {
                first[place] = event.isByApp
                return nil
            }
            guard wasByApp || event.isByApp else { return nil }
            let (before, now) = (wasByApp ? "by pull" : "by push", event.isByApp ? "by pull" : "by push")
            return ViolationRecord(
                invariant: .shownTwice,
                at: event.at,
                detail: "Notification \(id) was shown to \(event.person) \(event.device) \(before), and \(now) again."
            )
        }
    }
}

extension DeviceEventRecord {
    /// Whether the app showed it by itself, without a push.
    var isByApp: Bool { isShown && apnsID.isEmpty }
}
