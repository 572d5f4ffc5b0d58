import Platform
import Scenarios

/// Whether what the operator announces reaches whom it concerns, nobody else, and each device once; in quiet hours after their end.
struct AnnouncementChecks {
    private let judged: JudgedRun
    private let record: RunRecord
    private let devices: DeviceFates
    /// When a clock was wrong by which it is quiet.
    private let clocks: ClockReach

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
        clocks = ClockReach(record, without: [.gitlab, .apns])
    }

    func violations() -> [ViolationRecord] {
        record.announcements.flatMap { announcement in
            [untold(announcement), overtold(announcement), toldTwice(announcement), mistimed(announcement)]
                .compactMap { $0 }
        }
    }

    /// It went to no device, or later than it had to, although one was there all the time and nothing stood in the way.
    private func untold(_ announcement: AnnouncementRecord) -> ViolationRecord? {
        guard let due = dueAt(announcement) else { return nil }
        let start = announcement.at
        let deadline = judged.truth.sendingDeadline(from: due + Self.notice, for: announcement.person)
        let spans = record.faults.filter { !Self.others.contains($0.kind.place) }.map(\.span) + record.downtimes
        let isDisturbed = spans.contains { $0.from <= deadline && start < $0.until + Self.aftermath }
        guard announcement.targets > 0, !isDisturbed, deadline < record.simulated, record.idleSince != nil,
            devices.hasUsable(for: announcement.person, from: start, until: deadline)
        else { return nil }
        guard let told = firstTold(announcement) else {
            return violation(announcement, "was to be told of an announcement, and was not.")
        }
        guard told > deadline else { return nil }
        return violation(
            announcement,
            "was told of an announcement \(DurationNotation.text(told - deadline)) too late."
        )
    }

    /// When it was first pushed to the person, or shown on one of their devices.
    private func firstTold(_ announcement: AnnouncementRecord) -> Duration? {
        let pushed = record.pushes.filter { isOf(announcement, $0.content) && $0.person == announcement.person }
        let shown = record.deviceEvents.filter { isOf(announcement, $0.content) && $0.person == announcement.person }
        return (pushed.map(\.at) + shown.map(\.at)).min()
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

    // MARK: Quiet hours

    /// Between the operator's command and what is recorded of it.
    private static let command = Duration.seconds(1)
    /// What a push may leave too early by: instants are told by several observers.
    private static let tolerance = Duration.seconds(2)

    /// When it is to be told: at once, or after quiet hours whose end is known, unless an app may have fetched it until then without showing it.
    private func dueAt(_ announcement: AnnouncementRecord) -> Duration? {
        guard announcement.isHeld else { return announcement.at }
        let person = announcement.person
        let (from, until) = (announcement.at - Self.command, announcement.at + Self.command)
        guard isQuietKnown(of: person, until: until), !hasDeviceInHand(person),
            case .held(let end) = judged.truth.preferences.saidToBeQuiet(person, from: from, until: until), end > until
        else { return nil }
        return end
    }

    /// Whether the person ever does something with a device but switch it off.
    private func hasDeviceInHand(_ person: Username) -> Bool {
        record.resolved.steps.contains { step in
            guard case .device(let action, by: person, device: _) = step.action else { return false }
            return ![.offline, .online, .powerSavingOn, .powerSavingOff].contains(action)
        }
    }

    /// It waits for the end of quiet hours that there are not, does not wait for the end of those that there are, or came before it.
    private func mistimed(_ announcement: AnnouncementRecord) -> ViolationRecord? {
        let person = announcement.person
        let (from, until) = (announcement.at - Self.command, announcement.at + Self.command)
        guard isQuietKnown(of: person, until: until) else { return nil }
        switch judged.truth.preferences.saidToBeQuiet(person, from: from, until: until) {
        case .unclear: return nil
        case .none:
            guard announcement.isHeld else { return nil }
            return violation(announcement, "was to be told at once, and not after quiet hours that there were not.")
        case .held(let end):
            guard end > until else { return nil }
            guard announcement.isHeld else {
                return violation(announcement, "had quiet hours, and was to be told after them.", .notifiedInQuietHours)
            }
            guard let early = record.pushes.first(where: { isEarly($0, announcement, end) }) else { return nil }
            let rest = DurationNotation.text(end - (early.sentAt ?? early.at))
            let what = "was told of an announcement \(rest) before the quiet hours were over."
            return violation(announcement, what, .notifiedInQuietHours)
        }
    }

    /// Whether beyond doubt the person's choices alone say when it is quiet, until then: their account is the one that chose, nothing went back to
    /// a backup or was not stored since they did last, and no clock was wrong.
    private func isQuietKnown(of person: Username, until instant: Duration) -> Bool {
        let isStruck = record.faults.contains { fault in
            fault.span.from <= instant && (fault.kind == .restoreBackup || fault.kind.place == .database)
        }
        guard !isStruck, clocks.spares(until: instant), record.registrations.count(where: { $0.person == person }) == 1
        else { return false }
        let choices = record.preferences.filter { entry in
            if case .quietHours = entry.choice { entry.person == person && entry.requestedAt <= instant } else { false }
        }
        guard let last = choices.map(\.requestedAt).max() else { return true }
        return !record.faults.contains { fault in
            fault.kind.keepsFromStoring && fault.span.from <= instant && last <= fault.span.until
        }
    }

    /// Whether a push tells of it before that end, on whatever device: one that comes later or comes back waits as the others do. What was made
    /// while there was none waits by the hours that there are when one comes.
    private func isEarly(_ push: PushRecord, _ announcement: AnnouncementRecord, _ end: Duration) -> Bool {
        isOf(announcement, push.content) && push.person == announcement.person && announcement.targets > 0
            && (push.sentAt ?? push.at) + Self.tolerance < end
            && isQuietKnown(of: announcement.person, until: push.at)
    }

    private func isOf(_ announcement: AnnouncementRecord, _ content: PushContent?) -> Bool {
        content?.title == announcement.title
    }

    private func violation(
        _ announcement: AnnouncementRecord,
        _ what: String,
        _ invariant: ViolationRecord.Invariant = .announcementUntold
    ) -> ViolationRecord {
        ViolationRecord(invariant: invariant, at: announcement.at, detail: "\(announcement.person) \(what)")
    }
}
