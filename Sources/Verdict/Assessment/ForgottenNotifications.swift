import Scenarios

/// What the notifier made and forgot, because it went back to a backup from before: what had happened is news to it again, and is told under
/// other ids.
struct ForgottenNotifications {
    private let ids: Set<String>

    init(_ record: RunRecord, _ log: NotifierLog) {
        let spans = record.faults.filter { $0.kind == .restoreBackup }.map(\.span)
        guard !spans.isEmpty else {
            ids = []
            return
        }
        ids = Set(
            log.enqueues.filter { enqueue in spans.contains { $0.from <= enqueue.at && enqueue.at < $0.until } }
                .map(\.notificationID)
        )
    }

    func contains(_ notificationID: String) -> Bool { ids.contains(notificationID) }

    /// Whether the notifier no longer knew of the first of two notifications when it made the second.
    func contains(_ first: PushContent?, and second: PushContent?) -> Bool {
        guard let first, let second else { return false }
        return contains(first.notificationID) && !contains(second.notificationID)
    }
}
