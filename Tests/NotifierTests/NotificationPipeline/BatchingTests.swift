import Platform
import Testing

@testable import Notifier

private let project = FactFixtures.project

struct BatchingTests {
    private func fact(_ id: Int64, iid: Int64?, at second: Int64, url: String? = nil) -> Fact {
        Fact(
            key: .note(project, id),
            action: .commented,
            actor: Actor(nil),
            item: iid.map { ItemReference(project: project, kind: .issue, iid: $0) },
            itemTitle: "",
            projectPath: nil,
            webURL: url,
            body: nil,
            occurredAt: WallTime(secondsSinceEpoch: second),
            source: .note,
            sourceID: id
        )
    }

    @Test func `facts on one item go together, oldest first`() {
        let batches = Batching.batches([fact(3, iid: 1, at: 30), fact(2, iid: 2, at: 20), fact(1, iid: 1, at: 10)])
        #expect(batches.map { $0.map(\.sourceID) } == [[1, 3], [2]])
    }

    @Test func `a batch has a bound, and no fact is left out`() {
        let batches = Batching.batches((1...5).map { fact($0, iid: 1, at: $0) }, limit: 2)
        #expect(batches.map { $0.map(\.sourceID) } == [[1, 2], [3, 4], [5]])
    }

    @Test func `what is no item goes by its address`() {
        let batches = Batching.batches([
            fact(1, iid: nil, at: 1, url: "https://x/c/1#note_1"),
            fact(2, iid: nil, at: 2, url: "https://x/c/1#note_2"),
            fact(3, iid: nil, at: 3), fact(4, iid: nil, at: 4),
        ])
        #expect(batches.map { $0.map(\.sourceID) } == [[1, 2], [3], [4]])
    }
}
