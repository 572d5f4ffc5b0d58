import HTTP
import Platform
import Synchronization

/// Passes requests on and keeps how long each push took, from handing it over to having its outcome.
final class PushMeter: HTTPClient {
    /// One push.
    struct Sample: Sendable {
        var startedAt: MonotonicInstant
        var nanoseconds: Int64
        /// Nil without an answer.
        var status: Int?
    }

    private let client: any HTTPClient
    private let taken = Mutex<[Sample]>([])

    init(_ client: any HTTPClient) {
        self.client = client
    }

    var samples: [Sample] { taken.withLock { $0 } }

    func send(_ request: HTTPRequest, options: HTTPSendOptions) async -> HTTPOutcome {
        guard request.target.hasPrefix("/3/device/") else { return await client.send(request, options: options) }
        let start = LiveClock.now
        let outcome = await client.send(request, options: options)
        let sample = Sample(
            startedAt: start,
            nanoseconds: start.duration(to: LiveClock.now).wholeNanoseconds,
            status: outcome.status
        )
        taken.withLock { $0.append(sample) }
        return outcome
    }
}

extension HTTPOutcome {
    /// The answer's status; nil without an answer.
    fileprivate var status: Int? {
        guard case .response(let response) = self else { return nil }
        return response.status
    }
}
