#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Gives each exchange what is left of a budget.
struct DeadlineTransport: Transport {
    private let transport: any Transport
    private let budget: Duration
    private let clock: any KitClock
    private let begin: Date

    init(_ transport: any Transport, _ budget: Duration, _ clock: any KitClock) {
        (self.transport, self.budget, self.clock) = (transport, budget, clock)
        begin = clock.now
    }

    func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        guard request.target != Operation.refresh.target([], []) else { return try await transport.send(request) }
        // A clock that is set meanwhile neither lengthens the budget nor ends it before its time by more than what it was set.
        let left = budget - .milliseconds(Int64(max(0, clock.now.timeIntervalSince(begin)) * 1_000))
        guard left > .zero else { throw .timedOut }
        var request = request
        request.timeout = min(request.timeout, left)
        return try await transport.send(request)
    }
}
