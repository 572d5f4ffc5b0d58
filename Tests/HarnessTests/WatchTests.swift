import HTTP
import Platform
import ScenarioFixtures
import Testing

@testable import Harness
@testable import Scenarios
@testable import Verdict

private let maria = {
    guard let name = Username("maria") else { preconditionFailure("a plain name") }; return name
}()

private func makePoll(_ token: String = "token") -> HTTPRequest {
    HTTPRequest(
        method: .get,
        origin: WorldBuilder.gitlabOrigin,
        target: "/api/v4/todos",
        fields: ["PRIVATE-TOKEN": token]
    )
}

private func makeRefusal(retryAfter: String?) -> SentResponse {
    var response = HTTPResponse(status: 429)
    response.fields["Retry-After"] = retryAfter
    return SentResponse(response)
}

@Suite struct TrafficObserverTests {
    private func makeWatch() -> TrafficObserver {
        var watch = TrafficObserver(people: [maria])
        watch.learn("token", of: maria)
        return watch
    }

    @Test func `a request before the time GitLab named is a violation`() {
        var watch = makeWatch()
        #expect(
            watch.noteGitLab(makePoll(), makeRefusal(retryAfter: "600"), isForPerson: false, at: .seconds(100)) == nil
        )
        #expect(
            watch.noteGitLab(makePoll(), SentResponse(HTTPResponse(status: 200)), isForPerson: false, at: .seconds(400))
                != nil
        )
    }

    @Test func `what somebody asks for in the app may be asked at any time`() {
        var watch = makeWatch()
        let answer = SentResponse(HTTPResponse(status: 200))
        let refusal = makeRefusal(retryAfter: "600")
        #expect(watch.noteGitLab(makePoll(), refusal, isForPerson: true, at: .seconds(10)) == nil)
        #expect(watch.noteGitLab(makePoll(), refusal, isForPerson: false, at: .seconds(100)) == nil)
        #expect(watch.noteGitLab(makePoll(), refusal, isForPerson: true, at: .seconds(400)) == nil)
        #expect(watch.noteGitLab(makePoll(), answer, isForPerson: false, at: .seconds(500)) != nil)
        // Who is let in again is no longer refused.
        #expect(watch.noteGitLab(makePoll(), refusal, isForPerson: false, at: .seconds(1_000)) == nil)
        #expect(watch.noteGitLab(makePoll(), answer, isForPerson: true, at: .seconds(1_100)) == nil)
        #expect(watch.noteGitLab(makePoll(), answer, isForPerson: false, at: .seconds(1_200)) == nil)
    }

    @Test func `a refusal binds nobody who did not hear it to its end, and no later process`() {
        var watch = makeWatch()
        let (refusal, answer) = (makeRefusal(retryAfter: "600"), SentResponse(HTTPResponse(status: 200)))
        for failure in [nil, "bodyTruncated"] {
            #expect(watch.noteGitLab(makePoll(), refusal, isForPerson: false, at: .seconds(100)) == nil)
            watch.lastAnswer(travelsIn: 1)
            watch.exchangeEnded(1, failure: failure, at: .seconds(101))
            let isBound = watch.noteGitLab(makePoll(), answer, isForPerson: false, at: .seconds(400)) != nil
            #expect(isBound == (failure == nil))
        }
        #expect(watch.noteGitLab(makePoll(), refusal, isForPerson: false, at: .seconds(1_000)) == nil)
        watch.forgetPauses()
        #expect(watch.noteGitLab(makePoll(), answer, isForPerson: false, at: .seconds(1_100)) == nil)
    }

    @Test func `a refusal that is slow to arrive binds from then on`() {
        var watch = makeWatch()
        let (refusal, answer) = (makeRefusal(retryAfter: "600"), SentResponse(HTTPResponse(status: 200)))
        #expect(watch.noteGitLab(makePoll(), refusal, isForPerson: false, at: .seconds(100)) == nil)
        watch.lastAnswer(travelsIn: 1)
        #expect(watch.noteGitLab(makePoll(), answer, isForPerson: false, at: .seconds(110)) == nil)
        watch.exchangeEnded(1, failure: nil, at: .seconds(111))
        #expect(watch.noteGitLab(makePoll(), answer, isForPerson: false, at: .seconds(115)) == nil)
        #expect(watch.noteGitLab(makePoll(), answer, isForPerson: false, at: .seconds(117)) != nil)
    }

    @Test func `what was under way when GitLab refused, and what comes later than it asked, is none`() {
        var watch = makeWatch()
        #expect(
            watch.noteGitLab(makePoll(), makeRefusal(retryAfter: "600"), isForPerson: false, at: .seconds(100)) == nil
        )
        #expect(
            watch.noteGitLab(makePoll(), makeRefusal(retryAfter: "599"), isForPerson: false, at: .seconds(101)) == nil
        )
        #expect(
            watch.noteGitLab(makePoll(), SentResponse(HTTPResponse(status: 200)), isForPerson: false, at: .seconds(701))
                == nil
        )
    }

    @Test func `requests are counted for their person and hour, and strangers' are not`() {
        var watch = makeWatch()
        for second in [10, 3_599, 3_600, 7_300] {
            _ = watch.noteGitLab(
                makePoll(),
                SentResponse(HTTPResponse(status: 200)),
                isForPerson: false,
                at: .seconds(second)
            )
        }
        _ = watch.noteGitLab(
            makePoll("other"),
            SentResponse(HTTPResponse(status: 200)),
            isForPerson: false,
            at: .seconds(20)
        )
        var statuses = StatusCounts()
        for _ in 1...4 { statuses.count(200) }
        #expect(
            watch.gitlabRequests == [
                RequestCount(person: maria, perHour: [2, 1, 1], rejected: 0, statuses: statuses)
            ]
        )
    }
}

@Suite struct PushObserverTests {
    private let phone = {
        guard let name = DeviceName("phone") else { preconditionFailure("a plain name") }; return name
    }()

    private func makePush(to token: String) -> HTTPRequest {
        HTTPRequest(method: .post, origin: WorldBuilder.productionOrigin, target: "/3/device/\(token)")
    }

    private func makeRecord() throws -> RunRecord {
        RunRecord(resolved: try makeScenario().plan(seed: 1), simulated: .zero)
    }

    private let gone = SentResponse(HTTPResponse(status: 410, body: Array(#"{"reason":"Unregistered"}"#.utf8)))

    @Test func `a push to a token that APNs called dead is a violation`() throws {
        var (watch, record) = (PushObserver(), try makeRecord())
        watch.learn(token: "aa", person: maria, device: phone)
        #expect(watch.note(makePush(to: "aa"), gone, at: .seconds(10), in: &record) == nil)
        #expect(watch.note(makePush(to: "aa"), gone, at: .seconds(100), in: &record) != nil)
        #expect(record.pushes.map(\.reason) == ["Unregistered", "Unregistered"])
    }

    @Test func `a token that its app told of a moment ago may be tried again`() throws {
        var (watch, record) = (PushObserver(), try makeRecord())
        watch.learn(token: "aa", person: maria, device: phone)
        watch.register(token: "aa", at: .seconds(5))
        #expect(watch.note(makePush(to: "aa"), gone, at: .seconds(10), in: &record) == nil)
        #expect(watch.note(makePush(to: "aa"), gone, at: .seconds(100), in: &record) == nil)
        #expect(watch.note(makePush(to: "aa"), gone, at: .seconds(250), in: &record) == nil)
        #expect(watch.note(makePush(to: "aa"), gone, at: .seconds(300), in: &record) != nil)
    }

    @Test func `a push to a former token says since when there is a newer one`() throws {
        var (watch, record) = (PushObserver(), try makeRecord())
        for (token, seconds) in [("aa", 5), ("bb", 50), ("bb", 60)] {
            watch.learn(token: token, person: maria, device: phone)
            watch.take(token: token, of: maria, phone, at: .seconds(seconds))
        }
        _ = watch.note(makePush(to: "aa"), gone, at: .seconds(70), in: &record)
        _ = watch.note(makePush(to: "bb"), gone, at: .seconds(80), in: &record)
        watch.forgetTokens()
        _ = watch.note(makePush(to: "aa"), gone, at: .seconds(90), in: &record)
        #expect(record.pushes.map(\.newerTokenAt) == [Duration.seconds(50), nil, nil])
    }

    @Test func `two pushes that go by one id are told apart on their devices`() throws {
        var (watch, record) = (PushObserver(), try makeRecord())
        let taken = SentResponse(HTTPResponse(status: 200, fields: ["apns-id": "one"]))
        func payload(_ title: String) -> [UInt8] {
            Array(
                #"{"aps":{"alert":{"title":"\#(title)","body":"x"}},"data":{"notificationId":"n","type":"digest"}}"#
                    .utf8
            )
        }
        func title(_ payload: [UInt8]) -> String? { watch.content(under: "one", of: payload, in: record)?.title }
        for sent in ["first", "first", "second", "second"] {
            var push = makePush(to: "aa")
            push.body = payload(sent)
            _ = watch.note(push, taken, at: .seconds(1), in: &record)
            #expect(title(payload(sent)) == sent)
        }
        #expect(title(payload("first")) == "first")
    }

    @Test func `nobody knows of a token's death who did not hear the answer to its end, or ended right behind it`()
        throws
    {
        var (watch, record) = (PushObserver(), try makeRecord())
        watch.learn(token: "aa", person: maria, device: phone)
        _ = watch.note(makePush(to: "aa"), gone, at: .seconds(10), in: &record)
        watch.lastPush(travelsIn: 1, in: &record)
        watch.exchangeEnded(1, failure: "bodyTruncated", at: .seconds(11), in: &record)
        #expect(watch.note(makePush(to: "aa"), gone, at: .seconds(100), in: &record) == nil)
        record.downtimes = [Span(from: .seconds(110), until: .seconds(200))]
        #expect(watch.note(makePush(to: "aa"), gone, at: .seconds(301), in: &record) == nil)
        record.downtimes.append(Span(from: .seconds(300), until: .seconds(400)))
        #expect(watch.note(makePush(to: "aa"), gone, at: .seconds(410), in: &record) == nil)
        watch.lastPush(travelsIn: 4, in: &record)
        watch.exchangeEnded(4, failure: nil, at: .seconds(411), in: &record)
        #expect(watch.note(makePush(to: "aa"), gone, at: .seconds(500), in: &record) != nil)
    }

    @Test func `a token that was registered again is alive`() throws {
        var (watch, record) = (PushObserver(), try makeRecord())
        watch.learn(token: "aa", person: maria, device: phone)
        _ = watch.note(makePush(to: "aa"), gone, at: .seconds(10), in: &record)
        watch.learn(token: "aa", person: maria, device: phone)
        let answer = SentResponse(HTTPResponse(status: 200))
        #expect(watch.note(makePush(to: "aa"), answer, at: .seconds(100), in: &record) == nil)
    }

    @Test func `a token that reached the notifier anew may be used before its app has the answer`() throws {
        var (watch, record) = (PushObserver(), try makeRecord())
        watch.learn(token: "aa", person: maria, device: phone)
        watch.tell(token: "aa")
        watch.tell(token: "bb")
        _ = watch.note(makePush(to: "aa"), gone, at: .seconds(10), in: &record)
        #expect(watch.note(makePush(to: "aa"), gone, at: .seconds(100), in: &record) != nil, "it is on its way")
        watch.arrived(token: "bb", at: .seconds(100))
        #expect(watch.note(makePush(to: "aa"), gone, at: .seconds(100), in: &record) != nil, "another app's token")
        watch.arrived(token: "aa", at: .seconds(101))
        #expect(watch.note(makePush(to: "aa"), gone, at: .seconds(102), in: &record) == nil)
        #expect(watch.note(makePush(to: "aa"), gone, at: .seconds(200), in: &record) == nil)
        watch.register(token: "aa", at: .seconds(201))
        #expect(watch.note(makePush(to: "aa"), gone, at: .seconds(500), in: &record) == nil)
        watch.arrived(token: "aa", at: .seconds(510))
        #expect(watch.note(makePush(to: "aa"), gone, at: .seconds(540), in: &record) != nil, "no app tells of it")
    }

    @Test func `where a link is slow a push to a removed device is judged by when it left`() throws {
        let slow = FaultRecord(id: Fixture.entry("slow"), kind: .latency, span: Span(from: .zero, until: .seconds(90)))
        func isWrong(sentAt seconds: Double) -> Bool {
            var watch = PushObserver()
            watch.learn(token: "aa", person: maria, device: phone)
            watch.remove(token: "aa", at: .seconds(20))
            watch.sent(in: 3, at: .seconds(seconds))
            #expect(watch.violation(against: makePush(to: "aa"), at: .seconds(80), [slow]) == nil, "not clear yet")
            #expect(watch.delayedViolation(in: 2) == nil, "another exchange")
            #expect(watch.violation(against: makePush(to: "aa"), at: .seconds(80), [slow]) == nil)
            return watch.delayedViolation(in: 3) != nil
        }
        #expect(!isWrong(sentAt: 10) && !isWrong(sentAt: 45), "it was under way")
        #expect(isWrong(sentAt: 60))
    }

    @Test func `a push to a removed device is a violation, until it registers again`() {
        var watch = PushObserver()
        watch.learn(token: "aa", person: maria, device: phone)
        #expect(watch.violation(against: makePush(to: "aa"), at: .seconds(10), []) == nil)
        watch.remove(token: "aa", at: .seconds(20))
        #expect(watch.violation(against: makePush(to: "aa"), at: .seconds(40), []) == nil)
        #expect(watch.violation(against: makePush(to: "aa"), at: .seconds(60), []) != nil)
        #expect(watch.violation(against: makePush(to: "bb"), at: .seconds(60), []) == nil)
        watch.learn(token: "aa", person: maria, device: phone)
        #expect(watch.violation(against: makePush(to: "aa"), at: .seconds(90), []) == nil)
    }

    @Test func `with a device go the tokens that it had before, but not those of others`() {
        var watch = PushObserver()
        for (token, number) in [("aa", "one"), ("bb", "one"), ("cc", "two")] {
            watch.learn(token: token, person: maria, device: phone)
            watch.tell(token: token)
            watch.register(token: token, as: number, at: .seconds(5))
        }
        watch.remove(token: "bb", of: "one", at: .seconds(20))
        for token in ["aa", "bb"] {
            #expect(watch.violation(against: makePush(to: token), at: .seconds(60), []) != nil)
        }
        #expect(watch.violation(against: makePush(to: "cc"), at: .seconds(60), []) == nil)
        // Told of again, without an answer: where the notifier has it now nobody knows.
        watch.tell(token: "aa")
        watch.arrived(token: "aa", at: .seconds(70))
        watch.register(token: "aa", at: .seconds(71))
        watch.remove(token: "bb", of: "one", at: .seconds(80))
        #expect(watch.violation(against: makePush(to: "aa"), at: .seconds(120), []) == nil)
    }

    @Test func `an answer that comes when nobody waits for it any more is lost`() throws {
        var (watch, record) = (PushObserver(), try makeRecord())
        watch.exchangeEnded(5, failure: "timedOut", at: .seconds(9), in: &record)
        _ = watch.note(makePush(to: "aa"), SentResponse(HTTPResponse(status: 200)), at: .seconds(10), in: &record)
        watch.lastPush(travelsIn: 5, in: &record)
        #expect(record.pushes.map(\.answerLost) == [true])
    }

    @Test func `an answer that never arrives is marked as lost`() throws {
        var (watch, record) = (PushObserver(), try makeRecord())
        _ = watch.note(makePush(to: "aa"), SentResponse(HTTPResponse(status: 200)), at: .seconds(10), in: &record)
        watch.lastPush(travelsIn: 5, in: &record)
        watch.exchangeEnded(4, failure: "timedOut", at: .seconds(30), in: &record)
        #expect(record.pushes.map(\.answerLost) == [false])
        watch.exchangeEnded(5, failure: "timedOut", at: .seconds(30), in: &record)
        #expect(record.pushes.map(\.answerLost) == [true])
    }
}

@Suite struct SecretSearchTests {
    @Test(arguments: [
        ("glpat-s3cr3t-maria-0", true), ("s3cr3t", true), ("s3cr3", false), ("ss3cr3t", true), ("s3cs3cr3t", true),
        ("", false),
    ])
    func `a marker is found wherever it stands`(text: String, isFound: Bool) {
        let isThere = Array(text.utf8).withUnsafeBufferPointer {
            Recorder.contains($0, Array(WorldSecrets.marker.utf8))
        }
        #expect(isThere == isFound)
    }
}
