import Platform
import Scenarios

/// Whether what the operator announces reaches whom it concerns, nobody else, and each device once.
struct AnnouncementChecks {
    private let judged: JudgedRun
    private let record: RunRecord
    private let devices: DeviceFates

    /// The notifier looks that often for what a command has put into its database, and half a minute more is nothing.
    private static let notice = Duration.minutes(1)
    /// So long before or after it a fault may keep a push from going.
    private static let aftermath = Duration.hours(1)
    /// Faults in these places do not.
    private static let others: [FaultPlace] = [.gitlab, .webhooks, .device]

    init(judged: JudgedRun) {
        self.judged = judged
        record = judged.record
        devices = DeviceFates(record)
    }

    func violations() -> [ViolationRecord] {
        record.announcements.flatMap { [untold($0), overtold($0), toldTwice($0)].compactMap { $0 } }
    }

    /// It went to no device, although one was there all the time and nothing stood in the way.
    private func untold(_ announcement: AnnouncementRecord) -> ViolationRecord? {
        let start = announcement.at
        let deadline = judged.truth.sendingDeadline(from: start + Self.notice, for: announcement.person)
        let spans = record.faults.filter { !Self.others.contains($0.kind.place) }.map(\.span) + record.downtimes
        let isDisturbed = spans.contains { $0.from <= deadline && start < $0.until + Self.aftermath }
        guard announcement.targets > 0, !announcement.isHeld, !isDisturbed, deadline < record.simulated,
            record.idleSince != nil, devices.hasUsable(for: announcement.person, from: start, until: deadline)
        else { return nil }
        let isPushed = record.pushes.contains { isOf(announcement, $0.content) && $0.person == announcement.person }
        let isShown = record.deviceEvents.contains {
            isOf(announcement, $0.content) && $0.person == announcement.person
        }
        return isPushed || isShown ? nil : violation(announcement, "was to be told of an announcement, and was not.")
    }

    /// Somebody was told whom it does not concern.
    private func overtold(_ announcement: AnnouncementRecord) -> ViolationRecord? {
        let others = record.pushes.compactMap { push in
            isOf(announcement, push.content) && push.person != announcement.person ? push.person : nil
        }
        return others.first.map { violation(announcement, "alone was to be told what \($0) was told as well.") }
    }

    /// It was made into two notifications.
    private func toldTwice(_ announcement: AnnouncementRecord) -> ViolationRecord? {
        let ids = record.pushes.compactMap { isOf(announcement, $0.content) ? $0.content?.notificationID : nil }
        guard Set(ids).count > 1 else { return nil }
        return violation(announcement, "was told of one announcement by \(Set(ids).count) notifications.")
    }

    private func isOf(_ announcement: AnnouncementRecord, _ content: PushContent?) -> Bool {
        content?.title == announcement.title
    }

    private func violation(_ announcement: AnnouncementRecord, _ what: String) -> ViolationRecord {
        ViolationRecord(invariant: .announcementUntold, at: announcement.at, detail: "\(announcement.person) \(what)")
    }
}
