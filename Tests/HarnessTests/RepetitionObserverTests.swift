import HTTP
import Platform
import ScenarioFixtures
import Testing

@testable import Harness
@testable import Scenarios
@testable import Verdict

private let maria = Fixture.username("maria")
private let jonas = Fixture.username("jonas")
private let todos = "/api/v4/todos?state=pending&per_page=100"

/// A page of a list with three rows.
private func makePage(tag: String = "W/\"1\"", page: Int = 1, perPage: Int = 100, next: Int? = nil) -> HTTPResponse {
    HTTPResponse(
        status: 200,
        fields: [
            "ETag": tag, "X-Page": "\(page)", "X-Per-Page": "\(perPage)", "X-Total": "3",
            "X-Next-Page": next.map { "\($0)" } ?? "",
        ]
    )
}

/// The notifier, which asks.
private struct Asker {
    var observer = RepetitionObserver(reconcileEvery: .hours(1))

    mutating func ask(
        _ response: HTTPResponse,
        of target: String = todos,
        at seconds: Int,
        by person: Username = maria,
        exchange: Int64? = nil
    ) -> RepetitionObserver.Repetition? {
        let request = HTTPRequest(method: .get, origin: WorldBuilder.gitlabOrigin, target: target)
        let found = observer.note(request, SentResponse(response), of: person, at: .seconds(seconds))
        if let exchange { observer.lastAnswer(travelsIn: exchange) }
        return found
    }
}

/// What is asked of GitLab again without need.
struct RepetitionObserverTests {
    // MARK: known-list-read-again

    @Test func `the same in full four times in a row is a list that was known`() throws {
        var asker = Asker()
        for minute in 1...3 { #expect(asker.ask(makePage(), at: minute * 60) == nil) }
        let repetition = asker.ask(makePage(), at: 240)
        let found = try #require(repetition)
        #expect(found.invariant == .knownListRead)
        #expect(found.since == .seconds(60))
        #expect(found.detail.contains("/todos") && found.detail.contains("4 times"))
        #expect(asker.ask(makePage(), at: 300) == nil, "it is said once")
    }

    @Test(arguments: [(60, 839, true), (60, 840, false), (10, 540, false), (10, 539, true)])
    func `what is read from end to end now and then comes in full`(minutes: Int, gap: Int, isTooOften: Bool) {
        var asker = Asker(observer: RepetitionObserver(reconcileEvery: .minutes(minutes)))
        let found = (0..<4).compactMap { asker.ask(makePage(), at: $0 * gap) }
        #expect(found.count == (isTooOften ? 1 : 0))
    }

    @Test func `what is answered by its tag, or has changed, was rightly asked`() {
        var asker = Asker()
        for minute in 1...12 {
            let answer = minute % 3 == 0 ? HTTPResponse(status: 304) : makePage()
            #expect(asker.ask(answer, at: minute * 60) == nil)
        }
        for minute in 1...12 {
            #expect(asker.ask(makePage(tag: "W/\"\(minute / 3)\""), at: 1_000 + minute * 60) == nil)
        }
    }

    @Test func `people, pages and things without pages are kept apart`() {
        var asker = Asker()
        let approvals = HTTPResponse(status: 200, fields: ["ETag": "W/\"1\""])
        for minute in 1...8 {
            let person = minute % 2 == 0 ? maria : jonas
            if minute < 7 { #expect(asker.ask(makePage(), at: minute * 60, by: person) == nil) }
            #expect(asker.ask(approvals, of: "/api/v4/projects/1/merge_requests/2/approvals", at: minute * 60) == nil)
            #expect(
                asker.ask(makePage(page: 2, next: 3), of: todos + "&page=2", at: minute * 60) == nil,
                "no tag is kept of it"
            )
            #expect(
                asker.ask(makePage(perPage: 3), of: "/full", at: minute * 60) == nil,
                "a further row would not change it"
            )
        }
    }

    @Test func `what did not arrive, or was read by another process, is asked again`() {
        var asker = Asker()
        for exchange in 1...12 {
            #expect(asker.ask(makePage(), at: exchange * 60, exchange: Int64(exchange)) == nil)
            asker.observer.exchangeEnded(Int64(exchange), failure: exchange % 3 == 0 ? "bodyTruncated" : nil)
        }
        for minute in 1...12 {
            if minute % 3 == 0 { asker.observer.forget() }
            #expect(asker.ask(makePage(), of: "/started", at: 1_000 + minute * 60) == nil)
        }
        for minute in 1...12 {
            if minute % 3 == 0 { asker.observer.forget(maria) }
            #expect(asker.ask(makePage(), of: "/with-another-token", at: 2_000 + minute * 60) == nil)
        }
    }

    // MARK: asked-too-often

    @Test func `four times within five seconds is too often`() throws {
        var asker = Asker()
        let changing = { (time: Int) in makePage(tag: "W/\"\(time)\"") }
        for second in 10...12 { #expect(asker.ask(changing(second), at: second) == nil) }
        let repetition = asker.ask(changing(13), at: 13)
        let found = try #require(repetition)
        #expect(found.invariant == .askedTooOften)
        #expect(found.since == .seconds(10))
        for second in stride(from: 20, to: 60, by: 2) { #expect(asker.ask(changing(second), at: second) == nil) }
    }

    @Test func `what hardly changes is asked less`() {
        var asker = Asker()
        for (index, target) in ["/api/v4/metadata", "/api/v4/user", "/api/v4/version"].enumerated() {
            let answer = HTTPResponse(status: 200)
            for minute in 0...2 { #expect(asker.ask(answer, of: target, at: index * 100_000 + minute * 600) == nil) }
            let repetition = asker.ask(answer, of: target, at: index * 100_000 + 3_000)
            #expect(repetition?.invariant == .askedTooOften)
            for hour in 2...9 { #expect(asker.ask(answer, of: target, at: index * 100_000 + hour * 3_600) == nil) }
        }
    }
}
