import Platform
import Testing

@testable import Notifier

private let now = FactFixtures.now
private let moment = FactFixtures.moment
private let project = FactFixtures.project
private let watched = FactFixtures.watched
private let rules = FactFixtures.rules

struct FactMergeTests {
    private func note(_ id: Int64 = 11, _ body: String = "Looks good", by author: Int64 = 9) throws -> Candidate {
        try #require(rules.candidate(makeNote(body, id: id, by: makeUser(author)), on: watched, at: moment))
    }

    private func todo(
        _ id: Int64 = 21,
        note: Int64? = 11,
        _ body: String = "Looks good",
        after: Duration = .zero
    ) -> Candidate {
        rules.candidate(makeTodo(id, note: note, body: body, at: now.advanced(by: after)), at: moment)
    }

    private let nothing: (FactKey) -> WallTime? = { _ in nil }

    /// The to-do of a review by the author of `note`.
    private func review(_ id: Int64 = 31, by author: Int64 = 9, after: Duration = .seconds(1)) -> Candidate {
        rules.candidate(
            makeTodo(id, "review_submitted", by: author, at: now.advanced(by: after)),
            at: moment
        )
    }

    @Test func `a review is told by its comments, or by its to-do where none of them was`() throws {
        let together = FactMerge([try note(11), try note(12), review()], notified: nothing)
        #expect(together.facts.map(\.key) == [.note(project, 11), .note(project, 12)])
        #expect(together.records.map(\.key).contains(.todo(31)))
        #expect(together.correlator.known.count == 1)

        let comments = FactMerge([try note()], notified: nothing)
        let after = FactMerge([review()], correlator: comments.correlator, notified: nothing)
        #expect(after.facts.isEmpty && after.correlated == [.todo(31)])

        for other in [review(by: 8), review(after: .minutes(2))] {
            let merge = FactMerge([other], correlator: comments.correlator, notified: nothing)
            #expect(merge.facts.map(\.action) == [.reviewSubmitted])
        }
        let alone = FactMerge([review()], notified: nothing)
        #expect(alone.facts.map(\.key) == [.todo(31)] && alone.correlator.known.isEmpty)
        let own = FactMerge([try note(by: 7), review(by: 9)], notified: nothing)
        #expect(own.facts.map(\.key) == [.todo(31)])
    }

    @Test func `trap 11: a note and its to-do are one fact, in either order`() throws {
        let together = FactMerge([try note(), todo()], notified: nothing)
        #expect(together.facts.map(\.key) == [.note(project, 11)])
        #expect(together.facts.map(\.action) == [.mentioned])
        #expect(together.facts.map(\.source) == [.note])
        #expect(Set(together.records.map(\.key)) == [.note(project, 11), .mention(project, note: 11)])
        #expect(together.mergedCount == 1)

        let todoFirst = FactMerge([todo()], notified: nothing)
        #expect(todoFirst.facts.map(\.key) == [.note(project, 11)])
        let notified = Dictionary(uniqueKeysWithValues: todoFirst.records.map { ($0.key, $0.occurredAt) })
        #expect(FactMerge([try note()]) { notified[$0] }.facts.isEmpty)
        #expect(FactMerge([todo(22)]) { notified[$0] }.facts.isEmpty)

        let mention = FactMerge([try note(11, "ping @alice")], notified: nothing)
        let toldByNote = Dictionary(uniqueKeysWithValues: mention.records.map { ($0.key, $0.occurredAt) })
        #expect(FactMerge([todo(21, after: .hours(1))]) { toldByNote[$0] }.facts.isEmpty)
    }

    @Test func `trap 17: a mention that an edit adds is told, once, under its own key`() throws {
        let first = FactMerge([try note()], notified: nothing)
        var notified = Dictionary(uniqueKeysWithValues: first.records.map { ($0.key, $0.occurredAt) })
        let edited = FactMerge([todo(21, after: .seconds(61))]) { notified[$0] }
        #expect(edited.facts.map(\.key) == [.mention(project, note: 11)])
        #expect(edited.facts.map(\.action) == [.mentioned])
        for record in edited.records { notified[record.key] = record.occurredAt }
        #expect(FactMerge([todo(22, after: .hours(2))]) { notified[$0] }.facts.isEmpty)
    }

    @Test func `a mention that is added within seconds is told too`() throws {
        let first = FactMerge([try note()], notified: nothing)
        var notified = Dictionary(uniqueKeysWithValues: first.records.map { ($0.key, $0.occurredAt) })
        let edited = FactMerge([todo(21, "Looks good, @alice", after: .seconds(5))]) { notified[$0] }
        #expect(edited.facts.map(\.key) == [.mention(project, note: 11)])
        for record in edited.records { notified[record.key] = record.occurredAt }
        #expect(FactMerge([todo(22, "Looks good, @alice", after: .seconds(9))]) { notified[$0] }.facts.isEmpty)
    }

    @Test func `a to-do that came with its note is not told again, even if the parser saw no mention`() throws {
        let first = FactMerge([try note(11, "ping @all")], notified: nothing)
        let notified = Dictionary(uniqueKeysWithValues: first.records.map { ($0.key, $0.occurredAt) })
        #expect(FactMerge([todo(21, after: .seconds(60))]) { notified[$0] }.facts.isEmpty)
    }

    @Test func `a to-do behind its note says once, and of no own note, that the note mentions the person`() throws {
        let first = FactMerge([try note(11, "ping @all")], notified: nothing)
        var notified = Dictionary(uniqueKeysWithValues: first.records.map { ($0.key, $0.occurredAt) })
        var own = todo()
        own.suppression = .ownAction
        #expect(FactMerge([own]) { notified[$0] }.lateMentions.isEmpty)
        let late = FactMerge([todo(), todo(22)]) { notified[$0] }
        #expect(late.lateMentions.map(\.key) == [.note(project, 11)])
        #expect(late.lateMentions.map(\.action) == [.mentioned])
        #expect(late.facts.isEmpty && late.records.map(\.key) == [.mention(project, note: 11)])
        for record in late.records { notified[record.key] = record.occurredAt }
        #expect(FactMerge([todo()]) { notified[$0] }.lateMentions.isEmpty)
        // Read together they are one fact.
        #expect(FactMerge([try note(), todo()], notified: nothing).lateMentions.isEmpty)
    }

    @Test func `trap 12: equal numbers of different tables are different facts`() throws {
        let event = rules.candidate(
            StateEventRow(id: 11, user: makeUser(9), createdAt: now, state: "closed"),
            on: watched,
            at: moment
        )
        let merge = FactMerge([try note(11), event, todo(11, note: nil)], notified: nothing)
        #expect(merge.facts.count == 3)
        #expect(Set(merge.facts.map(\.key.text)) == ["note/1/11", "state/1/11", "todo/11"])
    }

    @Test func `what is silent is recorded and not told`() throws {
        let merge = FactMerge([try note(11, "mine", by: 7)], notified: nothing)
        #expect(merge.facts.isEmpty)
        #expect(merge.records.map(\.key) == [.note(project, 11)])
        #expect(merge.suppressed.mapValues(\.count) == [.ownAction: 1])
    }

    /// The feed showed it, and took it as read from the item's own lists, which had failed: whatever they tell later is the first word.
    @Test func `what is left to the item's own lists does not silence them`() throws {
        let key = EventKey(item: watched.item, kind: .approved, actor: 9)
        func approval(_ number: Int64, _ source: EventSource, _ suppression: Candidate.SuppressionReason?) throws
            -> Candidate
        {
            var candidate = try note(number)
            candidate.fact.key = source == .feed ? .event(project, number) : .note(project, number)
            candidate.report = EventReport(key: key, source: source)
            // An approval is no comment.
            candidate.review = nil
            candidate.suppression = suppression
            return candidate
        }
        let feed = FactMerge([try approval(31, .feed, .covered)], notified: nothing)
        #expect(feed.facts.isEmpty && feed.records.isEmpty && feed.correlator.known.isEmpty)
        #expect(feed.suppressed[.covered] == [.event(project, 31)])
        let list = FactMerge([try approval(32, .item, nil)], correlator: feed.correlator, notified: nothing)
        #expect(list.facts.map(\.key) == [.note(project, 32)])

        // What the lists have told is known by both from then on, so that the feed's next row is another event.
        let again = FactMerge([try approval(31, .feed, .covered)], correlator: list.correlator, notified: nothing)
        #expect(again.facts.isEmpty && again.correlator.known.map(\.sources) == [3])
        let next = FactMerge([try approval(33, .feed, nil)], correlator: again.correlator, notified: nothing)
        #expect(next.facts.map(\.key) == [.event(project, 33)])
    }

    /// The to-do item of the second request was read first; the notes of both come together.
    @Test func `of two requests seconds apart each is told once`() throws {
        func request(_ number: Int64, _ source: EventSource, after: Duration) throws -> Candidate {
            var candidate = try note(number)
            candidate.fact.key = source == .todo ? .todo(number) : .note(project, number)
            candidate.fact.occurredAt = now.advanced(by: after)
            let key = EventKey(item: watched.item, kind: .reviewRequested, actor: 9)
            candidate.report = EventReport(key: key, source: source)
            candidate.review = nil
            return candidate
        }
        let todo = FactMerge([try request(31, .todo, after: .seconds(6))], notified: nothing)
        let notes = [try request(11, .item, after: .zero), try request(13, .item, after: .seconds(6))]
        let both = FactMerge(notes, correlator: todo.correlator, notified: nothing)
        #expect(both.facts.map(\.key) == [.note(project, 11)])
        #expect(both.correlated == [.note(project, 13)])
        // A row that was read before waits for nothing.
        let known = FactMerge(notes, correlator: todo.correlator) { $0 == .note(project, 13) ? now : nil }
        #expect(known.facts.isEmpty && known.correlated == [.note(project, 11)])
    }
}
