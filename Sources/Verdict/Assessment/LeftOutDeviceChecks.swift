import Platform
import Scenarios

/// Whether everything that was made for a person went to every device that they had, and went there soon. Only of drained runs with a whole log.
struct LeftOutDeviceChecks {
    private struct Key: Hashable {
        var person: Username
        var device: DeviceName
        var notification: String
    }

    /// How long before a device's removal news may still be on its way to it.
    private static let removalGrace = Duration.minutes(5)
    /// What APNs can be reached for goes out within a second; a burst, a full connection and an answer that is slow take longer.
    private static let patience = Duration.minutes(10)
    /// So long after a fault what it has delayed may still be delayed, and who was asked to pause may still do so.
    private static let aftermath = Duration.hours(1)
    /// Faults in these places keep nothing from going out.
    private static let others: [FaultPlace] = [.gitlab, .webhooks, .device]

    private let judged: JudgedRun
    private let record: RunRecord
    private let pull: PullChecks
    private let fates: DeviceFates
    private let faults: FaultSpans
    private let replaced: Set<OwnedDevice>
    /// When it was first tried to push something to a device.
    private let tries: [Key: Duration]
    /// What was tried to be pushed to any device.
    private let pushed: Set<String>
    /// When APNs had taken a push to a device neither as it was nor for good.
    private let refusals: [OwnedDevice: [Duration]]

    init(judged: JudgedRun, pull: PullChecks) {
        (self.judged, self.pull, record) = (judged, pull, judged.record)
        (fates, faults) = (DeviceFates(record), FaultSpans(record))
        replaced = Set(record.deviceReplacements.map { OwnedDevice(person: $0.person, device: $0.device) })
        var tries: [Key: Duration] = [:]
        var refusals: [OwnedDevice: [Duration]] = [:]
        for push in record.pushes {
            guard let person = push.person, let device = push.device, let content = push.content else { continue }
            let key = Key(person: person, device: device, notification: content.notificationID)
            tries[key] = min(tries[key] ?? push.at, push.at)
            if push.status != 200 { refusals[OwnedDevice(person: person, device: device), default: []].append(push.at) }
        }
        (self.tries, self.refusals) = (tries, refusals)
        pushed = Set(tries.keys.map(\.notification))
    }

    func violations() -> [ViolationRecord] {
        // By a clock that is set something is due later, and after a backup it was never made.
        let made = Dictionary(grouping: judged.log.enqueues, by: \.person)
        let isTimed = !record.faults.contains { $0.kind.place == .clock || $0.kind == .restoreBackup }
        return record.deviceSpans.flatMap { span -> [ViolationRecord] in
            let isPaired = joinsLater(span)
            let isSteady = isTimed && !replaced.contains(OwnedDevice(person: span.person, device: span.device))
            guard isPaired || isSteady, !fates.wasRefused(span.device, of: span.person, after: .zero) else { return [] }
            let end = span.endRequestedAt.map { $0 - Self.removalGrace } ?? record.idleSince ?? .zero
            return (made[span.person] ?? []).compactMap { made in
                guard span.activeFrom <= made.at, made.at < end else { return nil }
                return fault(made, span, isPaired: isPaired, isSteady: isSteady)
            }
        }
    }

    private func joinsLater(_ span: DeviceSpanRecord) -> Bool {
        record.resolved.scenario.world.person(span.person)?.notified?.devices
            .contains { $0.name == span.device && $0.joinsLater } == true
    }

    /// Whether nothing has made a push of it needless there: no app had shown it, and the log tells of no end there without one.
    private func isWaitedFor(_ made: NotifierLog.Enqueue, on span: DeviceSpanRecord) -> Bool {
        !pull.hasShown(made.notificationID, span.person, span.device)
            && !judged.ends.hasEnded(made.notificationID, on: span.device, of: span.person)
            && !judged.forgotten.contains(made.notificationID)
    }

    private func fault(_ made: NotifierLog.Enqueue, _ span: DeviceSpanRecord, isPaired: Bool, isSteady: Bool)
        -> ViolationRecord?
    {
        let key = Key(person: span.person, device: span.device, notification: made.notificationID)
        let tried = tries[key]
        if let tried, tried <= made.at + Self.patience { return nil }
        guard isWaitedFor(made, on: span) else { return nil }
        let what = "Notification \(made.notificationID) was"
        let place = "sent to \(span.person) \(span.device)"
        let deadline = judged.truth.sendingDeadline(from: made.at, for: span.person) + Self.patience
        // What went nowhere at all is lost, which is judged by itself.
        let isJudged = isSteady && (made.deliveries ?? 0) > 0 && pushed.contains(made.notificationID)
        guard let tried else {
            let isDue = isJudged && !isDelayed(made.at, until: deadline, span)
            // What was held up until the device was gone went nowhere for a reason.
            let isGone = span.endRequestedAt.map { isDelayed(made.at, until: $0, span) } ?? false
            return (isPaired && !isGone) || isDue ? violation(made, "\(what) never \(place).") : nil
        }
        guard isJudged, tried > deadline, !isDelayed(made.at, until: tried, span) else { return nil }
        return violation(made, "\(what) first \(place) \(DurationNotation.text(tried - made.at)) after it was made.")
    }

    /// Whether anything may have kept a push to the device from going out: a fault, a stop, or a refusal that asks for patience.
    private func isDelayed(_ start: Duration, until end: Duration, _ span: DeviceSpanRecord) -> Bool {
        let start = start - Self.aftermath
        let holding = record.faults.filter {
            !Self.others.contains($0.kind.place) && faults.mayHold($0, pushesTo: span.device, of: span.person)
        }
        let stops = holding.map(\.span) + record.downtimes
        let own = refusals[OwnedDevice(person: span.person, device: span.device)] ?? []
        return stops.contains { $0.from <= end && start < $0.until } || own.contains { start < $0 && $0 <= end }
    }

    private func violation(_ made: NotifierLog.Enqueue, _ detail: String) -> ViolationRecord {
        ViolationRecord(invariant: .pairedDeviceLeftOut, at: made.at, detail: detail)
    }
}
