import Platform
import Testing

@testable import Verdict

/// What the verdict reads from the notifier's log.
struct NotifierLogTests {
    @Test(
        arguments: [
            ("notification.queued", true), ("fact.muted", true), ("poll.failed", true), ("delivery.accepted", true),
            ("device.registered", true), ("service.trouble", true), ("device.unregistered", false),
            ("fact.notified", false), ("scan.not_modified", false),
        ] as [(StaticString, Bool)]
    )
    func `entries that say nothing to the verdict are not kept`(_ message: StaticString, _ isRead: Bool) {
        let entry = LogEntry(level: .info, message: message, fields: [])
        #expect(LogRecord(at: .zero, entry: entry).isRead == isRead)
    }

    @Test func `of an entry that is kept only what is read is kept, of a line as of an entry`() throws {
        var pool = RecordPool()
        let fields: [(key: StaticString, value: LogValue)] = [
            ("account.id", 3), ("fact.count", 2), ("facts", "note/7/41,note/7/42"), ("subject", "1/merge_request/3"),
        ]
        let entry = LogRecord(at: .zero, entry: LogEntry(level: .info, message: "notification.queued", fields: fields))
        let text =
            #"{"message":"notification.queued","account.id":3,"fact.count":2,"#
            + #""facts":"note/7/41,note/7/42","subject":"s"}"#
        let line = LogRecord(at: .zero, line: try #require(LogLine(text)))
        for kept in [entry.kept(in: &pool), line.kept(in: &pool)] {
            #expect(kept.message == "notification.queued")
            #expect(kept.accountNumber == 3)
            #expect(kept.text(.facts) == "note/7/41,note/7/42")
            #expect(kept.number("fact.count") == nil && kept.text("subject") == nil)
        }
    }
}
