import Platform
import Scenarios

/// Whether test notifications that were asked for reach a device, and go to as many as the notifier said.
struct TestChecks {
    private let judged: JudgedRun
    private let record: RunRecord
    private let devices: DeviceFates

    init(judged: JudgedRun) {
        self.judged = judged
        record = judged.record
        devices = DeviceFates(record)
    }

    func violations() -> [ViolationRecord] {
        record.tests.flatMap { test in [untold(test), overtold(test)].compactMap { $0 } }
            + record.sentAgain.compactMap(unsent)
    }

    /// So long before or after it a fault may keep a push from going.
    private static let aftermath = Duration.hours(1)
    /// Faults in these places do not.
    private static let others: [FaultPlace] = [.gitlab, .webhooks, .device]

    /// Something was to go again, and nothing was tried, although nothing stood in the way and all devices were there all the time.
    private func unsent(_ again: TestRecord) -> ViolationRecord? {
        let deadline = judged.truth.sendingDeadline(from: again.answeredAt, for: again.person)
        let spans = record.faults.filter { !Self.others.contains($0.kind.place) }.map(\.span) + record.downtimes
        let isDisturbed =
            spans.contains { $0.from <= deadline && again.askedAt < $0.until + Self.aftermath }
            || record.deviceSpans.contains { span in
                span.person == again.person && span.endRequestedAt.map { again.askedAt <= $0 + Self.aftermath } ?? false
            }
        guard deadline < record.simulated, record.idleSince != nil, !isDisturbed else { return nil }
        let isTried = record.pushes.contains {
            $0.person == again.person && $0.at >= again.askedAt && $0.content?.notificationID == again.notificationID
        }
        let isShown = record.deviceEvents.contains {
            $0.person == again.person && $0.content?.notificationID == again.notificationID && $0.isByApp
        }
        return isTried || isShown ? nil : violation(again, "was promised that a push goes again, and none was tried.")
    }

    /// It went to no device, although there was one all the time and APNs could be reached.
    private func untold(_ test: TestRecord) -> ViolationRecord? {
        let deadline = judged.truth.sendingDeadline(from: test.answeredAt, for: test.person)
        guard deadline < record.simulated, record.idleSince != nil, !judged.forgotten.contains(test.notificationID),
            devices.hasUsable(for: test.person, from: test.askedAt, until: deadline)
        else { return nil }
        let isPushed = record.pushes.contains {
            $0.person == test.person && $0.content?.notificationID == test.notificationID
        }
        // An open app may have fetched it before its push has left.
        let isShown = record.deviceEvents.contains {
            $0.person == test.person && $0.content?.notificationID == test.notificationID
        }
        return isPushed || isShown ? nil : violation(test, "was promised a test notification, and none was sent.")
    }

    /// It was taken for more devices than the notifier had said; whoever joins afterwards is told as well.
    private func overtold(_ test: TestRecord) -> ViolationRecord? {
        let taken = record.pushes.filter {
            $0.person == test.person && $0.content?.notificationID == test.notificationID && $0.status == 200
        }
        let later = record.deviceSpans.filter { $0.person == test.person && $0.activeFrom > test.askedAt }
        let count = Set(taken.compactMap(\.device)).subtracting(later.map(\.device)).count
        guard count > test.targets else { return nil }
        return violation(test, "was promised a test notification on \(test.targets) devices; it came to \(count).")
    }

    private func violation(_ test: TestRecord, _ what: String) -> ViolationRecord {
        ViolationRecord(invariant: .testUnsent, at: test.answeredAt, detail: "\(test.person) \(what)")
    }
}
