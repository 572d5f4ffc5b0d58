import Configuration
import Platform
import SQLite
import Testing

@testable import Notifier

private let now = FactFixtures.now

/// What a commit of facts does to a store, without a poller.
@Suite(.timeLimit(.minutes(1)))
struct NotificationPipelineTests {
    private func makeCommit(_ world: PollingWorld, _ notes: [NoteRow], watch: WatchID? = nil) -> FactCommit {
        var commit = FactCommit(account: world.account, watch: watch ?? WatchID(rawValue: 1))
        for note in notes {
            commit.advance.notes.append(note.id)
            let candidate = FactFixtures.rules.candidate(note, on: FactFixtures.watched, at: FactFixtures.moment)
            if let candidate { commit.candidates.append(candidate) }
        }
        return commit
    }

    private func take(_ commit: FactCommit, in world: PollingWorld) async throws -> NotificationPipeline.Outcome {
        try await world.store.transaction { [pipeline = world.context.pipeline] store in
            try pipeline.take(commit, at: now, in: store)
        }
    }

    @Test func `facts on one item become one notification, recorded with the rows they came from`() async throws {
        let world = try await PollingWorld()
        let outcome = try await take(makeCommit(world, [makeNote(id: 11), makeNote(id: 12)]), in: world)
        #expect(outcome.notifications.map { $0.facts.map(\.sourceID) } == [[11, 12]])
        #expect(try await world.notified() == [["note/1/11", "note/1/12"]])
        #expect(try await world.number("SELECT count(*) FROM notified_facts") == 2)
        #expect(try await world.number("SELECT count(*) FROM seen_notes") == 2)
    }

    @Test func `what was told is not told again, whoever brings it`() async throws {
        let world = try await PollingWorld()
        _ = try await take(makeCommit(world, [makeNote(id: 11)]), in: world)
        let again = try await take(makeCommit(world, [makeNote(id: 11)]), in: world)
        #expect(again.notifications.isEmpty && again.merge.mergedCount == 1)
        #expect(try await world.notified() == [["note/1/11"]])
    }

    @Test func `what the person did is recorded, so that no other source brings it up`() async throws {
        let world = try await PollingWorld()
        let outcome = try await take(makeCommit(world, [makeNote(id: 11, by: makeUser(7))]), in: world)
        #expect(outcome.notifications.isEmpty)
        #expect(outcome.merge.suppressed == [.ownAction: [.note(FactFixtures.project, 11)]])
        #expect(try await world.number("SELECT count(*) FROM notified_facts WHERE silenced = 'ownAction'") == 1)
    }

    @Test(arguments: Candidate.SuppressionReason.allCases.filter(\.isRecorded))
    func `why a fact is told to nobody is kept with it`(reason: Candidate.SuppressionReason) async throws {
        let world = try await PollingWorld()
        try await world.store.transaction { [account = world.account] store in
            let key = FactKey.note(FactFixtures.project, 11)
            try store.insertNotifiedFact(key, to: account, occurredAt: now, at: now, silencedFor: reason)
        }
        let rows = try await world.store.read {
            try $0.database.rows("SELECT silenced FROM notified_facts") { $0.text(0) }
        }
        #expect(rows == [reason.rawValue])
    }

    @Test func `a commit on a watch that is gone leaves nothing behind`() async throws {
        let world = try await PollingWorld()
        let commit = makeCommit(world, [makeNote(id: 11)], watch: WatchID(rawValue: 99))
        await #expect(throws: NotificationPipeline.WatchRemoved.self) { try await take(commit, in: world) }
        #expect(try await world.notified() == [])
        #expect(try await world.number("SELECT count(*) FROM notified_facts") == 0)
    }

    @Test(arguments: [nil, "states", "comments labels"])
    func `a commit that was judged by other kinds than the person wants leaves nothing behind`(chosen: String?)
        async throws
    {
        let world = try await PollingWorld()
        try await world.store.transaction { [account = world.account] store in
            var settings = try store.settings(of: account)
            settings.activityKinds = chosen.map { $0.split(separator: " ").map(String.init) }
            try store.setSettings(settings, of: account, at: now)
        }
        var commit = makeCommit(world, [makeNote(id: 11)])
        commit.kinds = FactCommit.JudgedKinds(wanted: [.comments], standard: [.comments, .states])
        let judged = commit
        await #expect(throws: NotificationPipeline.KindsChanged.self) { try await take(judged, in: world) }
        #expect(try await world.number("SELECT count(*) FROM seen_notes") == 0)
        commit.kinds?.standard = [.comments]
        guard chosen == nil else { return }
        _ = try await take(commit, in: world)
        #expect(try await world.notified() == [["note/1/11"]])
    }

    @Test func `a commit of somebody who left leaves nothing behind`() async throws {
        let world = try await PollingWorld()
        var commit = FactCommit(account: AccountID(rawValue: 99))
        commit.advance.todos = [21]
        await #expect(throws: NotificationPipeline.WatchRemoved.self) { try await take(commit, in: world) }
        #expect(try await world.number("SELECT count(*) FROM seen_todos") == 0)
    }
}
