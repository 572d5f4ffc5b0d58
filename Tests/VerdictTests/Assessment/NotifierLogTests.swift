import Platform
import Testing

@testable import Verdict

/// What the verdict reads from the notifier's log.
struct NotifierLogTests {
    @Test(
        arguments: [
            ("notification.queued", true), ("fact.muted", true), ("poll.failed", true), ("delivery.accepted", true),
            ("fact.notified", false), ("scan.not_modified", false),
        ] as [(StaticString, Bool)]
    )
    func `entries that say nothing to the verdict are not kept`(_ message: StaticString, _ isRead: Bool) {
        let entry = LogEntry(level: .info, message: message, fields: [])
        #expect(LogRecord(at: .zero, entry: entry).isRead == isRead)
    }
}
