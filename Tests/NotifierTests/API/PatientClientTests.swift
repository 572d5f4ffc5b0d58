import HTTP
import Platform
import Synchronization
import Testing

@testable import Notifier

struct PatientClientTests {
    /// Keeps how it was asked.
    private final class Asked: HTTPClient {
        private let state = Mutex<[HTTPSendOptions]>([])
        var options: [HTTPSendOptions] { state.withLock { $0 } }

        func send(_ request: HTTPRequest, options: HTTPSendOptions) async -> HTTPOutcome {
            state.withLock { $0.append(options) }
            return .response(HTTPResponse(status: 200))
        }
    }

    private let time = ManualTime()
    private let asked = Asked()
    private let request = HTTPRequest(
        method: .get,
        origin: HTTPOrigin(scheme: "https", host: "gitlab.example.com"),
        target: "/"
    )

    private func makeClient(presence: HTTPPresence? = nil) -> PatientClient {
        let deadline = time.monotonicNow.advanced(by: .seconds(50))
        return PatientClient(http: asked, time: time, deadline: deadline, presence: presence)
    }

    @Test func `each exchange has what is left until the deadline, and none begins behind it`() async {
        let client = makeClient()
        let options = HTTPSendOptions(connectTimeout: .seconds(10), totalTimeout: .seconds(30))
        for pause in [Duration.zero, .seconds(25), .seconds(20)] {
            time.advance(by: pause)
            _ = await client.send(request, options: options)
        }
        #expect(asked.options.map(\.totalTimeout) == [.seconds(30), .seconds(25), .seconds(5)])
        #expect(asked.options.map(\.connectTimeout) == [.seconds(10), .seconds(10), .seconds(5)])
        time.advance(by: .seconds(5))
        guard case .notSent(.timedOut) = await client.send(request, options: options) else {
            Issue.record("sent behind the deadline")
            return
        }
        #expect(asked.options.count == 3)
    }

    @Test func `nothing is asked for who is gone`() async {
        let presence = HTTPPresence()
        let client = makeClient(presence: presence)
        _ = await client.send(request, options: HTTPSendOptions())
        presence.leave()
        guard case .notSent = await client.send(request, options: HTTPSendOptions()) else {
            Issue.record("asked for nobody")
            return
        }
        #expect(asked.options.count == 1)
    }
}
