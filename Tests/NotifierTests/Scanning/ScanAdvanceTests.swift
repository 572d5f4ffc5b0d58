import Platform
import SQLite
import Testing

@testable import Notifier

/// The store and the poller's memory move by the same value.
@Suite(.timeLimit(.minutes(1)))
struct ScanAdvanceTests {
    @Test func `what the store has taken is what is remembered, and what a restart remembers`() async throws {
        let world = try await PollingWorld()
        let watch = WatchID(rawValue: 1)
        let advance = ScanAdvance(
            todos: [21],
            notes: [11, 12],
            stateEvents: [5],
            metadataLists: [.seenRows(.labelEvents, [7]), .pipelines([SeenPipeline(id: 3, status: "failed", run: 1)])]
        )
        let now = world.time.wallNow
        let stored = try await world.store.transaction { [account = world.account] store in
            try store.store(advance, of: account, watch: watch, at: now)
            return (
                todos: try store.seenTodos(of: account).map(\.id), notes: try store.seenNotes(of: watch).map(\.id),
                events: try store.seenStateEvents(of: watch).map(\.id),
                labels: try store.seenRows(.labelEvents, of: watch).map(\.id),
                pipelines: try store.seenPipelines(of: watch), isRead: try store.isRead(.labelEvents, of: watch)
            )
        }
        #expect(stored.todos == [21] && stored.notes == [11, 12] && stored.events == [5])
        #expect(stored.labels == [7] && stored.pipelines.map(\.id) == [3] && stored.isRead)
    }

    @Test func `nothing of a watch moves without one`() async throws {
        let world = try await PollingWorld()
        let now = world.time.wallNow
        try await world.store.transaction { [account = world.account] store in
            try store.store(ScanAdvance(todos: [21], notes: [11]), of: account, watch: nil, at: now)
        }
        #expect(try await world.number("SELECT count(*) FROM seen_todos") == 1)
        #expect(try await world.number("SELECT count(*) FROM seen_notes") == 0)
    }
}
