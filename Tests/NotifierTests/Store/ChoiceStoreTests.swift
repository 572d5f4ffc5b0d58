import Platform
import SQLite
import Testing

@testable import Notifier

private let item = ItemReference(project: ProjectID(rawValue: 1), kind: .issue, iid: 7)

struct ChoiceStoreTests {
    @Test func `the last choice wins in whatever order choices arrive`() async throws {
        let world = try await PollingWorld(watching: [])
        let start = world.time.wallNow
        let account = world.account
        var random = RandomStream(seed: 36)
        for _ in 0..<100 {
            let choices = (0..<6).map { _ in
                ItemChoice(
                    choice: ItemChoice.Choice.allCases[Int(random.next(below: 3))],
                    changedAt: start.advanced(by: .seconds(Int64(random.next(below: 1_000_000))))
                )
            }
            let latest = choices.max { $0.changedAt < $1.changedAt }
            let found = try await world.store.transaction { store in
                try store.database.execute("DELETE FROM item_choices")
                for choice in choices where try store.isLast(choice.changedAt, on: item, of: account) {
                    try store.setChoice(choice, on: item, nil, of: account, at: choice.changedAt)
                }
                return try store.choice(on: item, of: account)
            }
            #expect(found == latest)
        }
    }

    @Test func `the number of an entry is never given again`() async throws {
        let world = try await PollingWorld(watching: [3])
        let account = world.account
        let last = ItemReference(project: ProjectID(rawValue: 1), kind: .mergeRequest, iid: 3)
        let (old, new) = try await world.store.transaction { store in
            let old = try store.watch(last, of: account)?.id
            _ = try store.deleteWatch(last, of: account)
            let new = try store.insertWatch(
                publicID: "another",
                item,
                WatchDescription(title: "Another", projectPath: nil, webURL: nil),
                of: account,
                at: world.time.wallNow
            )
            return (old, new)
        }
        #expect(try #require(old) != new)
    }

    @Test func `an entry from before choices were kept counts as a choice of its time`() async throws {
        let world = try await PollingWorld(watching: [3])
        let (account, now) = (world.account, world.time.wallNow)
        let watched = ItemReference(project: ProjectID(rawValue: 1), kind: .mergeRequest, iid: 3)
        let isLast = try await world.store.read { store in
            [
                try store.isLast(now.advanced(by: .seconds(-1)), on: watched, of: account),
                try store.isLast(now, on: watched, of: account),
            ]
        }
        #expect(isLast == [false, true])
    }
}
