import Configuration
import HTTP
import Platform
import Testing

@testable import Notifier

private let start = MonotonicInstant(nanoseconds: 0)
private let watched = FactFixtures.watched
private let both = Reconciliation.Lists(notes: true, stateEvents: true)

private func makeReading(
    _ reason: DueReason = .everyCycle,
    hasNewState: Bool = false,
    reconciling: Reconciliation.Lists = Reconciliation.Lists(),
    resume: ListEnd? = nil
) -> ItemReading {
    ItemReading(
        DueItem(watch: watched.watch, item: watched.item, reason: reason),
        hasNewState: hasNewState,
        reconciling: reconciling,
        resume: resume,
        at: start
    )
}

private func makeNotes(_ rows: [NoteRow], failure: GitLabError? = nil) -> ListReading<NotesScan> {
    var scan = NotesScan(extent: .everything)
    _ = scan.take(Page(number: 1, rows: rows), known: IDSet())
    var reading = ListReading(scan: scan, beginning: nil, requests: 1, isUnchanged: false)
    reading.failure = failure
    return reading
}

private func makeEvents(_ ids: [Int64] = []) -> ListReading<StateEventsScan> {
    var scan = StateEventsScan(resume: nil, rowsPerPage: 100)
    let rows = ids.map { StateEventRow(id: $0, user: makeUser(9), createdAt: FactFixtures.now, state: "closed") }
    _ = scan.take(Page(number: 1, rows: rows), known: IDSet())
    return ListReading(scan: scan, beginning: nil, requests: 1, isUnchanged: false)
}

/// Which lists of an item are asked for, and what they come to.
struct ItemReadingTests {
    /// Lists that are asked for when all are answered.
    private func questions(_ reading: ItemReading, offered: Capabilities = Capabilities()) -> [ItemReading.Question] {
        var reading = reading
        var questions: [ItemReading.Question] = []
        while let question = reading.next(offered: offered) {
            questions.append(question)
            switch question {
            case .notes: reading.take(makeNotes([]))
            case .stateEvents: reading.take(makeEvents())
            case .metadataLists: reading.take([])
            }
        }
        return questions
    }

    @Test(arguments: DueReason.allCases)
    func `every reason asks for the lists in which its news can stand`(reason: DueReason) {
        let expected: [ItemReading.Question] =
            switch reason {
            case .seenElsewhere, .hot, .patrol: [.notes(.untilKnown), .metadataLists]
            case .metadataLists: [.metadataLists]
            // None is due here.
            case .reconciliation: [.notes(.untilKnown), .metadataLists]
            default: [.notes(.untilKnown), .stateEvents(from: nil), .metadataLists]
            }
        #expect(questions(makeReading(reason)) == expected)
    }

    @Test func `an item that may have been closed is asked for its state events, whatever the reason`() {
        #expect(questions(makeReading(.hot, hasNewState: true)).contains(.stateEvents(from: nil)))
    }

    @Test func `a reconciliation reads both lists from end to end`() {
        let end = ListEnd(page: 4, rowCount: 310, rowsOnPage: 10)
        #expect(questions(makeReading(resume: end))[1] == .stateEvents(from: end))
        #expect(
            questions(makeReading(.reconciliation, reconciling: both, resume: end))
                == [.notes(.everything), .stateEvents(from: nil), .metadataLists]
        )
        // What begins on the first page is read from end to end anyway.
        let first = ListEnd(page: 1, rowCount: 3, rowsOnPage: 3)
        #expect(questions(makeReading(reconciling: both, resume: first))[1] == .stateEvents(from: first))
    }

    @Test func `of two lists only the one that is due is read from end to end`() {
        let end = ListEnd(page: 4, rowCount: 310, rowsOnPage: 10)
        let events = makeReading(.reconciliation, reconciling: Reconciliation.Lists(stateEvents: true), resume: end)
        #expect(questions(events) == [.notes(.untilKnown), .stateEvents(from: nil), .metadataLists])
        #expect(events.isOfEveryList)
        let notes = makeReading(.reconciliation, reconciling: Reconciliation.Lists(notes: true), resume: end)
        #expect(questions(notes) == [.notes(.everything), .metadataLists])
        #expect(!notes.isOfEveryList)
    }

    @Test func `lists that GitLab does not offer are not asked for, and the feed stands in`() {
        var offered = Capabilities()
        offered.notes = false
        offered.stateEvents = false
        var reading = makeReading()
        #expect(reading.next(offered: offered) == .metadataLists)
        #expect(reading.lists == [.unavailable, .unavailable])
        #expect(!reading.isSatisfied && reading.health == .read)
    }

    @Test func `an item that is not there is not asked for more`() {
        var reading = makeReading()
        _ = reading.next(offered: Capabilities())
        reading.take(.notFound(isRoute: false))
        #expect(reading.next(offered: Capabilities()) == nil)
        #expect(reading.health == .missing && reading.lists == [.unknown])
        #expect(reading.isQuiet && !reading.isComplete)
    }

    @Test(arguments: [
        (GitLabError.notFound(isRoute: true), ItemFallback.Reading.unavailable, ItemHealth.Reading.interrupted),
        (.rateLimited(retryAfter: nil), .unknown, .failed), (.notAsked, .unknown, .failed),
        (.unauthorized(.unknown), .unknown, .failed), (.unavailable(status: 500), .failed, .failed),
        (.unreachable(.timedOut), .failed, .failed), (.unreachable(.connectionReset), .unknown, .interrupted),
        (.crowded, .unknown, .interrupted), (.forbidden(.permission), .unknown, .missing),
    ])
    func `what failed says so much of its list and of its item`(
        error: GitLabError,
        list: ItemFallback.Reading,
        health: ItemHealth.Reading
    ) {
        var reading = makeReading()
        reading.take(error)
        #expect(reading.lists == [list])
        #expect(reading.health == health)
    }

    @Test func `a list that failed leaves what the other brought`() {
        var reading = makeReading()
        reading.take(makeNotes([makeNote(id: 11)]))
        reading.take(.unavailable(status: 500))
        #expect(!reading.isQuiet && !reading.isSatisfied && !reading.isComplete)
        let commit = reading.commit(of: AccountID(rawValue: 1), watched, by: FactFixtures.rules) { _ in
            FactFixtures.moment
        }
        #expect(commit.advance == ScanAdvance(notes: [11]))
        #expect(commit.candidates.map(\.fact.key) == [.note(FactFixtures.project, 11)])
    }

    @Test func `a commit holds notes oldest first, then state events, and to-dos behind them`() {
        var reading = makeReading()
        reading.take(makeNotes([makeNote(id: 12), makeNote("changed title", id: 11, isSystem: true)]))
        reading.take(makeEvents([5]))
        var commit = reading.commit(of: AccountID(rawValue: 1), watched, by: FactFixtures.rules) { _ in
            FactFixtures.moment
        }
        commit.add([makeTodo(22), makeTodo(21)], by: FactFixtures.rules, at: FactFixtures.now)
        #expect(commit.advance == ScanAdvance(todos: [21, 22], notes: [11, 12], stateEvents: [5]))
        #expect(commit.candidates.map(\.fact.sourceID) == [12, 5, 21, 22])
        #expect(commit.droppedSystemNotes == 1)
    }

    @Test func `what a list shows of the time before the watch is no news where it was not there then`() {
        let (before, now) = (FactFixtures.now.advanced(by: .zero - .seconds(1)), FactFixtures.now)
        let later = now.advanced(by: .seconds(1))
        let beginnings = [
            WatchBeginning(), WatchBeginning(notesSince: now), WatchBeginning(stateEventsSince: now),
            WatchBeginning(stateEventsSince: later),
        ]
        for (beginning, told) in zip(beginnings, [[11, 12, 5], [12, 5], [11, 12, 5], [11, 12]] as [[Int64]]) {
            var reading = makeReading()
            reading.take(makeNotes([makeNote(id: 12, at: now), makeNote(id: 11, at: before)]))
            reading.take(makeEvents([5]))
            let commit = reading.commit(
                of: AccountID(rawValue: 1),
                watched,
                by: FactFixtures.rules,
                since: beginning
            ) { _ in FactFixtures.moment }
            #expect(commit.advance == ScanAdvance(notes: [11, 12], stateEvents: [5]))
            #expect(commit.candidates.filter { $0.suppression == nil }.map(\.fact.sourceID) == told)
        }
    }

    @Test func `a reading is complete with all its lists, and reconciles when it went behind the known ones`() {
        for (failure, isReconciled) in [(GitLabError?.none, true), (.unavailable(status: 500), false)] {
            var reading = makeReading(reconciling: both)
            reading.take(makeNotes([], failure: failure))
            #expect(!reading.isComplete)
            reading.take(makeEvents())
            #expect(reading.isComplete && reading.isReconciled == isReconciled)
        }
    }

    @Test func `what a metadata list shows first is known, and news where it came since the watch began`() {
        let row = MetadataEventRow(id: 1, user: makeUser(9), createdAt: FactFixtures.now, action: "add", name: "bug")
        let (now, before) = (FactFixtures.now, FactFixtures.now.advanced(by: .zero - .seconds(9)))
        let spans: [NewRows] = [.since(nil), .since(before...before), .since(before...now), .all]
        for (news, isNews) in zip(spans, [false, false, true, true]) {
            var reading = makeReading(.metadataLists)
            reading.take([.events(.labelEvents, [row], news: news, serverTime: nil)])
            let curious = FactRules(person: FactFixtures.rules.person, activities: [.labels])
            let commit = reading.commit(of: AccountID(rawValue: 1), watched, by: curious) { _ in FactFixtures.moment }
            #expect(commit.advance.metadataLists == [.seenRows(.labelEvents, [1])])
            #expect(commit.candidates.count == (isNews ? 1 : 0))
            #expect(reading.firstReadings == (news == .all ? [] : [.labelEvents]))
        }
    }
}
