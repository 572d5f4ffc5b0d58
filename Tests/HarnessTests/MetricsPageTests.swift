import Testing

@testable import Harness

struct MetricsPageTests {
    private static let people = "active_users 2"

    @Test(arguments: [
        [#"outbox_depth{status="queued"} 1"#, "# TYPE outbox_oldest_age_seconds gauge", "outbox_oldest_age_seconds 0"],
        [],
    ])
    func `a notifier with nothing for a device that can be pushed to is idle`(lines: [String]) {
        #expect(MetricsPage(([Self.people] + lines).joined(separator: "\n")).hasNothingToDeliver)
    }

    @Test(arguments: [
        [people, "outbox_oldest_age_seconds 10"],
        [people, "outbox_oldest_age_seconds 0.25"],
        [people, #"outbox_oldest_age_seconds{user_id="1"} 0"#, #"outbox_oldest_age_seconds{user_id="2"} 3"#],
        ["# TYPE active_users gauge"],
        [],
    ])
    func `what waits is left to deliver, and so it is when the tables could not be read`(lines: [String]) {
        #expect(!MetricsPage(lines.joined(separator: "\n")).hasNothingToDeliver)
    }
}
