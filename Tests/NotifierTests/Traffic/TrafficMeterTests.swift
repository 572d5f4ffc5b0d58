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
            var failure: String?
            var count: Int
            var first: Int64
            var last: Int64
        }

        var at: Int64
        var answers: [Answers]
        var lengths: [Int]
        var waitAt: Int64?
        var retryAfter: Int?
    }

    private static func told(_ minute: TrafficMinute) throws -> Told {
        try JSONDecoder().decode(Told.self, from: Data(minute.json.utf8))
    }

    private static let start = WallTime(secondsSinceEpoch: 1_772_434_800)

    private static func minute(_ outcomes: [(HTTPOutcome, Duration)]) -> TrafficMinute {
        var minute = TrafficMinute(.gitlab, minute: TrafficMinute.minute(of: start))
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
}
