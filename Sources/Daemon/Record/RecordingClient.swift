import HTTP
import Platform

/// Passes requests on, and puts a line about each on record.
final class RecordingClient: HTTPClient {
    private let client: any HTTPClient
    private let record: RequestRecord
    private let apns: Set<HTTPOrigin>
    private let time: any TimeSource

    /// Whatever does not go to one of the origins in `apns`, which are Apple's, goes to a GitLab.
    init(_ client: any HTTPClient, record: RequestRecord, apns: Set<HTTPOrigin>, time: any TimeSource) {
        self.client = client
        self.record = record
        self.apns = apns
        self.time = time
    }

    func send(_ request: HTTPRequest, options: HTTPSendOptions) async -> HTTPOutcome {
        let (at, start) = (time.wallNow, time.monotonicNow)
        let outcome = await client.send(request, options: options)
        let line = RequestLine(
            at: at,
            service: apns.contains(request.origin) ? .apns : .gitlab,
            request: request,
            outcome: outcome,
            length: start.duration(to: time.monotonicNow)
        )
        record.append(line.json)
        return outcome
    }
}
