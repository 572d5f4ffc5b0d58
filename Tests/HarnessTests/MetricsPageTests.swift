import Testing

@testable import Harness

struct MetricsPageTests {
    private static let dead = #"outbox_depth{status="dead"} 3"#
    private static let people = "active_users 2"

    @Test(arguments: [
        [#"outbox_depth{status="queued"} 0"#, #"outbox_depth{status="sending"} 0"#],
        [#"outbox_depth{status="dead",user_id="2"} 1"#],
        [],
    ])
    func `a notifier whose deliveries have all ended is idle`(depths: [String]) {
        #expect(MetricsPage(([Self.dead, Self.people] + depths).joined(separator: "\n")).hasNothingToDeliver)
    }

    @Test(arguments: [
        [people, #"outbox_depth{status="queued"} 10"#, #"outbox_depth{status="sending"} 0"#],
        [people, #"outbox_depth{status="queued"} 0"#, #"outbox_depth{status="sending"} 1"#],
        [people, #"outbox_depth{status="queued",user_id="1"} 1"#],
        ["# TYPE active_users gauge"],
        [],
    ])
    func `what waits or is under way is left to deliver, and so it is when the tables could not be read`(
        lines: [String]
    ) {
        #expect(!MetricsPage(lines.joined(separator: "\n")).hasNothingToDeliver)
    }
}
