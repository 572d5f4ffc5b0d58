package import HTTP
package import Platform
import Synchronization

/// Passes requests on, and counts how they end, minute by minute; also says when the process begins and ends. Each minute is one line
/// of JSON, written when the next one begins: a process that dies takes the last one along.
///
/// Isolation: any thread.
package final class TrafficMeter: HTTPClient {
    private let client: any HTTPClient
    private let apns: Set<HTTPOrigin>
    private let time: any TimeSource
    private let write: @Sendable (String) -> Void
    private let minutes = Mutex<[TrafficMinute.Service: TrafficMinute]>([:])

    /// - Parameters:
    ///   - client: who sends.
    ///   - apns: the origins that are Apple's; whatever does not go there goes to a GitLab.
    ///   - time: whose minutes.
    ///   - write: takes a line.
    package init(
        _ client: any HTTPClient,
        apns: Set<HTTPOrigin>,
        time: any TimeSource,
        write: @escaping @Sendable (String) -> Void
    ) {
        (self.client, self.apns, self.time, self.write) = (client, apns, time, write)
    }

    package func send(_ request: HTTPRequest, options: HTTPSendOptions) async -> HTTPOutcome {
        let start = time.monotonicNow
        let outcome = await client.send(request, options: options)
        let service: TrafficMinute.Service = apns.contains(request.origin) ? .apns : .gitlab
        count(outcome, service, at: time.wallNow, length: start.duration(to: time.monotonicNow))
        return outcome
    }

    private func count(_ outcome: HTTPOutcome, _ service: TrafficMinute.Service, at now: WallTime, length: Duration) {
        let number = TrafficMinute.minute(of: now)
        let ended = minutes.withLock { minutes in
            let former = minutes[service]
            var minute = former?.minute == number ? former : nil
            minute = minute ?? TrafficMinute(service, minute: number)
            minute?.count(outcome, at: now, length: length)
            minutes[service] = minute
            return former?.minute == number ? nil : former
        }
        if let ended { write(ended.json) }
    }

    /// The same handler, with its answers to webhooks counted, too: without them nobody can say whether GitLab sent any.
    package func counting(_ handler: any HTTPHandler) -> any HTTPHandler { HookMeter(handler: handler, meter: self) }

    fileprivate func countHook(_ response: HTTPResponse, since start: MonotonicInstant) {
        count(.response(response), .webhook, at: time.wallNow, length: start.duration(to: time.monotonicNow))
    }

    fileprivate var monotonicNow: MonotonicInstant { time.monotonicNow }

    /// Says that the process is about to serve.
    package func begin() { mark("start") }

    /// Says that the process ends in order, behind what it has counted.
    package func end() {
        let rest = minutes.withLock { minutes in
            defer { minutes = [:] }
            return TrafficMinute.Service.allCases.compactMap { minutes[$0] }
        }
        for minute in rest { write(minute.json) }
        mark("end")
    }

    private func mark(_ what: String) {
        write(#"{"kind":"process","what":"\#(what)","at":\#(time.wallNow.microseconds)}"#)
    }
}

/// Passes requests on, and counts the answers to those that came as webhooks.
private struct HookMeter: HTTPHandler {
    private static let path = "/webhooks/gitlab"

    let handler: any HTTPHandler
    let meter: TrafficMeter

    func handle(_ request: HTTPRequest, from peer: HTTPPeer) async -> HTTPResponse {
        guard request.path == Self.path else {
            return await handler.handle(request, from: peer)
        }
        let start = meter.monotonicNow
        let response = await handler.handle(request, from: peer)
        meter.countHook(response, since: start)
        return response
    }

    func refuse(_ refusal: HTTPRefusal) -> HTTPResponse { handler.refuse(refusal) }
}
