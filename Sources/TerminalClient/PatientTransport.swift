import NotifierKit

/// Sends a request again where the server asks for a moment's patience (429 with a short `Retry-After`), as whoever typed the command would.
///
/// A request that is answered 429 has done nothing, so that each may be sent again. Two commands that run in a loop at one address each
/// need two requests: without patience each would spend on the first what the second needs, for as long as they go on.
struct PatientTransport: Transport {
    /// A longer pause is the person's to decide on.
    static let longestPause = Duration.seconds(5)
    /// How often one request is sent at most.
    static let mostAttempts = 4

    let transport: any Transport
    let clock: any KitClock

    func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        var response = try await transport.send(request)
        for _ in 1..<Self.mostAttempts {
            guard response.status == 429, let pause = response.retryAfter, pause <= Self.longestPause else { break }
            do { try await clock.sleep(for: pause) } catch { throw .cancelled }
            response = try await transport.send(request)
        }
        return response
    }
}
