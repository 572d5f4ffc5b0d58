import Configuration
import Platform
import SQLite
import Testing

@testable import Notifier

/// By what asks end that notes had told of.
struct AskEndTests {
    private let store: Store
    private let account: AccountID
    private let pipeline: NotificationPipeline
    private let item = ItemReference(project: ProjectID(rawValue: 42), kind: .mergeRequest, iid: 847)

    init() throws {
        store = try makeDeliveryStore()
        account = try store.makeAccount()
        _ = try store.makeDevice(of: account)
        pipeline = NotificationPipeline(
            outbox: Outbox(entropy: SeededEntropy(), expiration: .hours(24)),
            zones: FixedZones(),
            asks: AskSource(entropy: SeededEntropy(seed: 2), policy: ReminderPolicy(NotifierConfiguration()))
        )
    }

    private func take(_ candidate: Candidate) throws {
        var commit = FactCommit(account: account)
        commit.candidates = [candidate]
        _ = try pipeline.take(commit, at: deliveryStart, in: store)
    }

    /// Somebody asks for a review, as that source tells it.
    private func request(_ source: EventSource) -> Candidate {
        var fact = makeFact(.reviewRequested, note: 5, item: item)
        if source == .todo { (fact.key, fact.source, fact.sourceID) = (.todo(71), .todo, 71) }
        var candidate = Candidate(fact: fact)
        let key = EventKey(item: item, kind: .reviewRequested, actor: fact.actor.id)
        candidate.report = EventReport(key: key, source: source)
        return candidate
    }

    private func open() throws -> Int {
        try store.database.first("SELECT count(*) FROM asks WHERE settled_at IS NULL") { $0.int(0) } ?? 0
    }

    @Test func `a to-do item that comes after the note stands for what the note asked`() throws {
        try take(request(.item))
        try take(request(.todo))
        #expect(try open() == 1)
        #expect(try store.database.first("SELECT todo_id FROM asks") { $0.int(0) } == 71)
    }

    @Test func `a comment in which somebody names themselves is an answer`() throws {
        try take(request(.item))
        try take(Candidate(fact: makeFact(.mentioned, note: 100, item: item), suppression: .ownAction))
        #expect(try open() == 0)
    }
}
