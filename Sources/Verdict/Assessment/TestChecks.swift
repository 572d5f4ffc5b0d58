import Platform

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
