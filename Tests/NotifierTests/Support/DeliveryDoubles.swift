import HTTP
import Platform
import Synchronization

@testable import Notifier

/// Answers requests by a script and remembers them.
final class ScriptedServer: HTTPClient {
    /// What the server does with one request.
    enum Response {
        case outcome(HTTPOutcome, after: Duration = .zero)
        /// Nothing until the client's own deadline.
        case silence

        static func status(_ status: Int, _ body: String = "", after: Duration = .zero) -> Response {
            .outcome(.response(HTTPResponse(status: status, body: Array(body.utf8))), after: after)
        }

        /// An APNs error as facts §5 describes it.
        static func refusal(_ status: Int, _ reason: String) -> Response {
            .status(status, "{\"reason\":\"\(reason)\"}")
        }
    }

    struct Exchange: Sendable {
        var request: HTTPRequest
        var options: HTTPSendOptions
        var at: WallTime
    }

    private struct State {
        var exchanges: [Exchange] = []
        var script: @Sendable (HTTPRequest, Int) -> Response
        var underWay = 0
        var peak = 0
    }

    private let time: any TimeSource
    private let state: Mutex<State>

    /// `script` gets the request and how many came before it.
    init(time: any TimeSource, _ script: @escaping @Sendable (HTTPRequest, Int) -> Response = { _, _ in .status(200) })
    {
        self.time = time
        state = Mutex(State(script: script))
    }

    var exchanges: [Exchange] { state.withLock { $0.exchanges } }
    var requests: [HTTPRequest] { exchanges.map(\.request) }
    /// Most requests that were under way at once.
    var peak: Int { state.withLock { $0.peak } }

    func answer(with script: @escaping @Sendable (HTTPRequest, Int) -> Response) {
        state.withLock { $0.script = script }
    }

    func send(_ request: HTTPRequest, options: HTTPSendOptions) async -> HTTPOutcome {
        let at = time.wallNow
        let answer = state.withLock { state in
            defer {
                state.exchanges.append(Exchange(request: request, options: options, at: at))
                state.underWay += 1
                state.peak = max(state.peak, state.underWay)
            }
            return state.script(request, state.exchanges.count)
        }
        defer { state.withLock { $0.underWay -= 1 } }
        do {
            switch answer {
            case .outcome(let outcome, let delay):
                try await time.sleep(for: delay)
                return outcome
            case .silence:
                try await time.sleep(for: options.totalTimeout)
                return .unknown(.timedOut)
            }
        } catch {
            return .unknown(.cancelled)
        }
    }
}

/// Remembers every entry.
final class RecordingLog: LogSink {
    private let entries = Mutex<[LogEntry]>([])

    let minimumLevel: LogLevel

    init(_ level: LogLevel = .debug) { minimumLevel = level }

    func write(_ entry: LogEntry) { entries.withLock { $0.append(entry) } }

    var messages: [String] { entries.withLock { $0.map { $0.message.description } } }

    func count(_ message: LogMessage) -> Int {
        messages.count { $0 == message.text.description }
    }

    /// The names of the fields of each entry with that message.
    func fieldNames(_ message: LogMessage) -> [[String]] {
        entries.withLock { entries in
            entries.filter { $0.message.description == message.text.description }
                .map { entry in entry.fields.map { $0.key.description } }
        }
    }

    /// Every text that any field of any entry holds.
    var texts: [String] {
        entries.withLock { entries in
            entries.flatMap { entry in
                entry.fields.compactMap { field in
                    guard case .text(let text) = field.value else { return nil }
                    return text
                }
            }
        }
    }
}

/// Random numbers that are the same in every run.
final class SeededEntropy: EntropySource {
    private let stream: Mutex<RandomStream>

    init(seed: UInt64 = 1) { stream = Mutex(RandomStream(seed: seed)) }

    func nextUInt64() -> UInt64 { stream.withLock { $0.next() } }
}
