import Scenarios

/// One notification that reminds somebody, all its pushes together.
struct ReminderSending<Content> {
    var content: Content
    var person: Username
    var keys: [String]
    /// When it was first heard of.
    var at: Duration
    /// When each attempt to push it began: on a slow way it may be with APNs long afterwards.
    var attempts: [Duration]
    /// To which it was tried to push it.
    var devices: Set<DeviceName> = []
    /// When APNs accepted it, or an app had shown it by itself.
    var acceptedAt: Duration?
    /// Whether a fault let APNs say that it is not to be sent again.
    var isRefused = false

    /// All that were heard of, in order; `content` tells what one reminds of, and nil of what is none.
    static func all(
        in record: RunRecord,
        _ log: NotifierLog,
        _ content: (PushContent) -> Content?
    ) -> [ReminderSending] {
        var sent: [ReminderSending] = []
        var places: [String: Int] = [:]
        let faults = FaultSpans(record)
        func place(_ told: PushContent, _ reminder: Content, _ person: Username, _ instant: Duration) -> Int {
            if let place = places[told.notificationID] { return place }
            places[told.notificationID] = sent.count
            let at = min(log.reminders[told.notificationID] ?? instant, instant)
            sent.append(
                ReminderSending(content: reminder, person: person, keys: told.factKeys, at: at, attempts: [])
            )
            return sent.count - 1
        }
        for push in record.pushes {
            guard let told = push.content, let reminder = content(told), let person = push.person else { continue }
            let place = place(told, reminder, person, push.sentAt ?? push.at)
            sent[place].attempts.append(push.sentAt ?? push.at)
            if let device = push.device { sent[place].devices.insert(device) }
            if push.status == 200, sent[place].acceptedAt == nil { sent[place].acceptedAt = push.at }
            if let fault = push.faultID, case .apnsReason(let reason, _, _) = faults.effect(of: fault), reason.isFinal {
                sent[place].isRefused = true
            }
        }
        // What an app has shown by itself its device was told, and need not be pushed there.
        for event in record.deviceEvents where event.isByApp {
            guard let told = event.content, let reminder = content(told) else { continue }
            let place = place(told, reminder, event.person, event.at)
            sent[place].acceptedAt = min(sent[place].acceptedAt ?? event.at, event.at)
        }
        return sent
    }
}
