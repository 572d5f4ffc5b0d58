import Platform
import Scenarios

/// Whether APNs is told to keep news about the service, tests and announcements for as long as they are of use, of which the log need not say when
/// they were made.
struct ExpirationChecks {
    private let judged: JudgedRun
    private let record: RunRecord
    private let devices: DeviceFates
    /// How long news is of use, from when it is made.
    private let useful: Duration
    /// When tests were asked for, by their ids.
    private let tests: [String: Duration]
    /// Announcements by their titles, each of which is another.
    private let announcements: [String: AnnouncementRecord]
    /// Whether a clock was set by which news may be too old, or last longer.
    private let hasOwnClock: Bool
    /// When APNs first did not take a push to a device: what waits for that goes late.
    private let refusedAt: [OwnedDevice: Duration]

    private static let service: Set<String> = [
        "auth_expired", "token_expiring", "service_trouble", "service_recovered", "watch_list_full",
    ]
    private static let kinds = service.union(["test", "announcement"])

    /// What the end of a news' use may differ by. A push that was made is under way before.
    private static let tolerance = Duration.minutes(10)
    /// How long APNs has to keep a push where a disk may be slow, or something stood still.
    private static let keeping = Duration.hours(1)
    /// So long after it a fault may be the reason that a push goes late.
    private static let aftermath = Duration.hours(1)
    /// Faults in these places are none.
    private static let others: [FaultPlace] = [.gitlab, .webhooks, .device]

    init(judged: JudgedRun) {
        self.judged = judged
        record = judged.record
        devices = DeviceFates(record)
        useful = record.resolved.scenario.notifier.expiration
        tests = Dictionary(record.tests.map { ($0.notificationID, $0.askedAt) }) { first, _ in first }
        announcements = Dictionary(record.announcements.map { ($0.title, $0) }) { first, _ in first }
        hasOwnClock = record.faults.contains { $0.kind.place == .clock }
        refusedAt = Self.refusals(record)
    }

    private static func refusals(_ record: RunRecord) -> [OwnedDevice: Duration] {
        var first: [OwnedDevice: Duration] = [:]
        func note(_ person: Username, _ device: DeviceName, _ instant: Duration) {
            let key = OwnedDevice(person: person, device: device)
            first[key] = min(first[key] ?? instant, instant)
        }
        for push in record.pushes where push.status != 200 {
            if let person = push.person, let device = push.device { note(person, device, push.at) }
        }
        for push in record.silentPushes where push.status != 200 { note(push.person, push.device, push.at) }
        return first
    }

    func violations() -> [ViolationRecord] {
        guard !hasOwnClock else { return [] }
        var known: Set<String> = []
        return record.pushes.compactMap { push in
            guard let person = push.person, let content = push.content, let type = content.type,
                Self.kinds.contains(type)
            else { return nil }
            let isFirst = known.insert(content.notificationID).inserted
            guard let expiration = push.expiration, expiration > 0,
                judged.observations.enqueuedAt[content.notificationID] == nil
            else { return nil }
            let end = Duration.seconds(expiration - record.resolved.scenario.start.secondsSinceEpoch)
            let made = madeAt(content, for: person) ?? (isFirst ? madeAt(push, for: person) : nil)
            if let made, end < earliestEnd(of: push, madeAt: made) {
                return violation(push, person, "not to be kept for as long as it is of use")
            }
            // Whoever is told after quiet hours is told what is of use from their end on, also on a device that comes earlier.
            let isHeld = announcements[content.title]?.isHeld ?? false
            if !isHeld, end > push.at + useful + Self.tolerance {
                return violation(push, person, "to be kept for longer than it is of use")
            }
            return nil
        }
    }

    private func earliestEnd(of push: PushRecord, madeAt made: Duration) -> Duration {
        let end = made + useful - Self.tolerance
        let isSlow = record.faults.contains { $0.kind.keepsFromStoring }
        return isSlow ? min(push.at + Self.keeping, end) : end
    }

    /// When it was asked for or announced.
    private func madeAt(_ content: PushContent, for person: Username) -> Duration? {
        if let asked = tests[content.notificationID] { return asked }
        guard let announcement = announcements[content.title], announcement.person == person else { return nil }
        return announcement.at
    }

    /// When what nobody asked for was made: at once before its first push where nothing can have put that off, neither a fault nor an answer of APNs,
    /// and the device has been there for a while. Nil where something can.
    private func madeAt(_ push: PushRecord, for person: Username) -> Duration? {
        let left = push.sentAt ?? push.at
        let spans = record.faults.filter { !Self.others.contains($0.kind.place) }.map(\.span) + record.downtimes
        let isDisturbed = spans.contains { $0.from <= push.at && left < $0.until + Self.aftermath }
        guard !isDisturbed, let device = push.device,
            refusedAt[OwnedDevice(person: person, device: device)].map({ $0 > push.at }) ?? true,
            devices.isPlainlyUsable(device, of: person, from: left - Self.aftermath, until: push.at)
        else { return nil }
        let isRenewed = record.pushTokenChanges.contains {
            $0.person == person && $0.device == device && left - Self.aftermath <= $0.at && $0.at <= push.at
        }
        return isRenewed ? nil : left
    }

    private func violation(_ push: PushRecord, _ person: Username, _ what: String) -> ViolationRecord {
        ViolationRecord(
            invariant: .outboxLost,
            at: push.at,
            detail: "Push \(push.apnsID) to \(person) is \(what) (\(push.expiration ?? 0))."
        )
    }
}
