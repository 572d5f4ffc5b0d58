import FoundationEssentials
import HTTP
import Platform
import Synchronization
import Testing

@testable import Notifier

struct TrafficMeterTests {
    /// Lines as they were written.
    private final class Lines: Sendable {
        private let state = Mutex<[String]>([])
        var all: [String] { state.withLock(\.self) }
        func append(_ line: String) { state.withLock { $0.append(line) } }
    }

    private struct Answering: HTTPClient {
        var outcome: HTTPOutcome
        func send(_ request: HTTPRequest, options: HTTPSendOptions) async -> HTTPOutcome { outcome }
    }

    private static let gitlab = HTTPOrigin(scheme: "https", host: "git.secret.example")
    private static let apple = HTTPOrigin(scheme: "https", host: "push.secret.example")

    private func meter(_ outcome: HTTPOutcome, _ time: ManualTime, _ lines: Lines) -> TrafficMeter {
        TrafficMeter(Answering(outcome: outcome), apns: [Self.apple], time: time, write: lines.append)
    }

    @Test func `a process says when it begins and ends, and the end tells what is left`() async throws {
        let lines = Lines()
        let time = ManualTime()
        let meter = meter(.response(HTTPResponse(status: 200)), time, lines)
        meter.begin()
        _ = await meter.send(HTTPRequest(method: .get, origin: Self.gitlab, target: "/secret"), options: .init())
        _ = await meter.send(
            HTTPRequest(method: .post, origin: Self.apple, target: "/3/device/secret"),
            options: .init()
        )
        #expect(lines.all.count == 1 && lines.all[0].contains(#""what":"start""#))
        meter.end()
        #expect(lines.all.count == 4 && lines.all[3].contains(#""what":"end""#))
        #expect(lines.all[1].contains(#""service":"gitlab""#) && lines.all[2].contains(#""service":"apns""#))
        #expect(lines.all.allSatisfy { !$0.contains("secret") })
    }

    @Test func `webhooks that came are counted, and nothing else that was asked`() async {
        struct Answering: HTTPHandler {
            func handle(_ request: HTTPRequest, from peer: HTTPPeer) async -> HTTPResponse { HTTPResponse(status: 202) }
            func refuse(_ refusal: HTTPRefusal) -> HTTPResponse { HTTPResponse(status: 503) }
        }
        let lines = Lines()
        let time = ManualTime()
        let meter = meter(.response(HTTPResponse(status: 200)), time, lines)
        let handler = meter.counting(Answering())
        let peer = HTTPPeer(address: "192.0.2.1", connection: 1)
        for target in ["/webhooks/gitlab", "/webhooks/gitlab?secret", "/webhooks/gitlabs", "/secret"] {
            let request = HTTPRequest(method: .post, origin: Self.gitlab, target: target)
            #expect(await handler.handle(request, from: peer).status == 202)
        }
        meter.end()
        #expect(
            lines.all.count == 2 && lines.all[0].contains(#""service":"webhook","answers":[{"status":202,"count":2,"#)
        )
        #expect(lines.all.allSatisfy { !$0.contains("secret") })
    }

    @Test func `a minute is told when the next one begins`() async {
        let lines = Lines()
        let time = ManualTime()
        let meter = meter(.response(HTTPResponse(status: 200)), time, lines)
        let request = HTTPRequest(method: .get, origin: Self.gitlab, target: "/")
        for _ in 1...3 { _ = await meter.send(request, options: .init()) }
        #expect(lines.all.isEmpty)
        time.advance(by: .minutes(1))
        _ = await meter.send(request, options: .init())
        #expect(lines.all.count == 1 && lines.all[0].contains(#""status":200,"count":3"#))
    }
}

struct TrafficMinuteTests {
    private struct Told: Decodable {
        struct Answers: Decodable, Equatable {
            var status: Int?
            var reason: String?
            var failure: String?
            var count: Int
            var first: Int64
            var last: Int64
        }

        var at: Int64
        var answers: [Answers]
        var lengths: [Int]
        var dateAhead: Int64?
        var waitAt: Int64?
        var retryAfter: Int?
    }

    private static func told(_ minute: TrafficMinute) throws -> Told {
        try JSONDecoder().decode(Told.self, from: Data(minute.json.utf8))
    }

    private static let start = WallTime(secondsSinceEpoch: 1_772_434_800)

    private static func minute(
        _ outcomes: [(HTTPOutcome, Duration)],
        of service: TrafficMinute.Service = .gitlab
    ) -> TrafficMinute {
        var minute = TrafficMinute(service, minute: TrafficMinute.minute(of: start))
        for (index, (outcome, length)) in outcomes.enumerated() {
            minute.count(outcome, at: start.advanced(by: .seconds(Int64(index))), length: length)
        }
        return minute
    }

    @Test func `it tells how often what was answered, first and last, and how long it took`() throws {
        let told = try Self.told(
            Self.minute([
                (.response(HTTPResponse(status: 200)), .milliseconds(1)), (.unknown(.timedOut), .seconds(31)),
                (.response(HTTPResponse(status: 200)), .milliseconds(51)),
            ])
        )
        #expect(told.at == Self.start.microseconds)
        let first = Self.start.microseconds
        #expect(
            told.answers == [
                Told.Answers(status: 200, count: 2, first: first, last: first + 2_000_000),
                Told.Answers(failure: "timedOut", count: 1, first: first + 1_000_000, last: first + 1_000_000),
            ]
        )
        #expect(told.lengths == [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    }

    @Test func `the first wait that was asked for is told, and nothing that is no number`() throws {
        func limited(_ wait: String) -> (HTTPOutcome, Duration) {
            (.response(HTTPResponse(status: 429, fields: ["Retry-After": wait])), .zero)
        }
        let told = try Self.told(Self.minute([limited("secret"), limited("99999999"), limited("41"), limited("40")]))
        #expect(told.retryAfter == 41 && told.waitAt == Self.start.microseconds + 2_000_000)
    }

    @Test func `a service that answers with ever new numbers makes no line without a bound`() throws {
        let told = try Self.told(Self.minute((200..<600).map { (.response(HTTPResponse(status: $0)), .zero) }))
        #expect(told.answers.count == 16 && told.answers.reduce(0) { $0 + $1.count } == 400)
    }

    @Test func `by how much GitLab's clock is ahead is told as the answer that comes nearest says it`() throws {
        func dated(_ date: String) -> (HTTPOutcome, Duration) {
            (.response(HTTPResponse(status: 200, fields: ["Date": date])), .zero)
        }
        // 2026-03-02T07:00:00Z is the first answer's instant, and each comes a second later.
        let outcomes = [
            dated("Mon, 02 Mar 2026 07:05:00 GMT"), dated("Mon, 02 Mar 2026 07:05:03 GMT"), dated("secret"),
            dated("Mon, 02 Mar 2026 07:05:02 GMT"),
        ]
        #expect(try Self.told(Self.minute(outcomes)).dateAhead == 302_000)
        #expect(try Self.told(Self.minute(outcomes, of: .apns)).dateAhead == nil)
        #expect(try Self.told(Self.minute([dated("Sun, 02 Mar 2031 07:00:00 GMT")])).dateAhead == 366 * 86_400_000)
    }

    @Test func `why APNs refused a push is told by its word, and nothing that is no word`() throws {
        func refused(_ reason: String) -> (HTTPOutcome, Duration) {
            (.response(HTTPResponse(status: 400, body: Array(#"{"reason":"\#(reason)"}"#.utf8))), .zero)
        }
        let outcomes = [
            refused("BadTopic"), refused("a b"), refused(String(repeating: "x", count: 41)), refused("BadTopic"),
        ]
        let told = try Self.told(Self.minute(outcomes, of: .apns))
        #expect(told.answers.map(\.reason) == [nil, "BadTopic"] && told.answers.map(\.count) == [2, 2])
        #expect(try Self.told(Self.minute(outcomes)).answers.map(\.reason) == [nil])
    }
}
