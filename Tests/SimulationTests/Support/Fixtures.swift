import HTTP
import Platform
import Simulation

/// A world that starts on a Monday morning.
func makeSimulation(
    seed: UInt64 = 1,
    retention: Trace.Retention = .everything,
    exploresSchedules: Bool = false
) -> Simulation {
    Simulation(
        seed: seed,
        start: WallTime(secondsSinceEpoch: 1_772_434_800),
        retention: retention,
        exploresSchedules: exploresSchedules
    )
}

/// What tasks of a simulation wrote down, in order.
///
/// Unchecked: simulation thread.
final class Notebook: @unchecked Sendable {
    var lines: [String] = []
    func write(_ line: String) { lines.append(line) }
}

let gitlabOrigin = HTTPOrigin(scheme: "https", host: "gitlab.example.com")

/// Answers every request with a status and counts what arrived.
///
/// Unchecked: simulation thread.
final class CountingResponder: HTTPResponder, @unchecked Sendable {
    var arrived: [(target: String, peer: HTTPPeer)] = []
    var reply: SentResponse

    init(reply: SentResponse = SentResponse(HTTPResponse(status: 200, body: Array("hello".utf8)))) {
        self.reply = reply
    }

    func respond(to request: HTTPRequest, from peer: HTTPPeer) -> SentResponse {
        arrived.append((request.target, peer))
        return reply
    }
}

func makeRequest(_ target: String = "/api/v4/version") -> HTTPRequest {
    HTTPRequest(method: .get, origin: gitlabOrigin, target: target)
}
