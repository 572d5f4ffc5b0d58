import Configuration
import Platform
import Testing

@testable import Notifier

private let labels = "/api/v4/projects/1/merge_requests/3/resource_label_events"

private func label(_ id: Int64) -> MiniGitLab.Row {
    let (user, name) = (#"{"id":9,"username":"user9","name":"User"}"#, #"{"id":1,"name":"bug"}"#)
    let time = "2027-01-15T08:00:00.000Z"
    return MiniGitLab.Row(
        id: id,
        json: #"{"id":\#(id),"user":\#(user),"created_at":"\#(time)","action":"add","label":\#(name)}"#
    )
}

/// Lists whose kind is chosen after the watch began, where the process that learnt of it has ended.
@Suite(.timeLimit(.minutes(1)))
struct LateChoiceTests {
    @Test(arguments: [false, true])
    func `a kind that is chosen right after a watch began is known to be late also after a start`(
        isChosenLate: Bool
    ) async throws {
        let world = try await PollingWorld { $0.activities = "labels" }
        world.gitlab.set([], at: labels)
        world.gitlab.add(label(1), at: labels)
        if isChosenLate {
            try await world.store.transaction { [account = world.account] store in
                try store.forgetReadings(of: [.labels], by: account)
            }
        }
        world.time.advance(by: .minutes(3))
        world.gitlab.setDate("Fri, 15 Jan 2027 08:02:58 GMT")
        let poller = try await world.makePoller()
        try await poller.runCycle()
        #expect(try await world.notified() == (isChosenLate ? [] : [["label/1/1"]]))
        world.gitlab.add(label(2), at: labels)
        world.time.advance(by: .minutes(1))
        try await poller.runCycle()
        #expect(try await world.notified().last == ["label/1/2"])
    }
}
