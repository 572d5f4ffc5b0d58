import HTTP
import Platform

/// The HTTP client of one node: its connections, and the start of every exchange.
///
/// Unchecked: simulation thread.
final class NetworkClient: HTTPClient, @unchecked Sendable {
    /// One origin as this client knows it: the route to it and the connection in use, 0 when there is none.
    final class Destination {
        let origin: HTTPOrigin
        let route: SimulatedNetwork.Route
        var connection: Int64 = 0

        init(origin: HTTPOrigin, route: SimulatedNetwork.Route) {
            self.origin = origin
            self.route = route
        }
    }

    let network: SimulatedNetwork
    let address: String
    let node: UInt32
    private var destinations: [Destination] = []

    init(network: SimulatedNetwork, address: String, node: UInt32) {
        self.network = network
        self.address = address
        self.node = node
    }

    func send(_ request: HTTPRequest, options: HTTPSendOptions) async -> HTTPOutcome {
        guard let destination = destination(of: request.origin) else { return .notSent(.nameNotResolved) }
        guard !Task.isCancelled else { return .notSent(.cancelled) }
        if options.connection == .fresh { destination.connection = 0 }
        let exchange = Exchange(request, options: options, to: destination, from: self)
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { exchange.begin($0) }
        } onCancel: {
            exchange.finish(.unknown(.cancelled))
        }
    }

    private func destination(of origin: HTTPOrigin) -> Destination? {
        if let known = destinations.first(where: { $0.origin == origin }) { return known }
        guard let route = network.route(to: origin) else { return nil }
        let destination = Destination(origin: origin, route: route)
        destinations.append(destination)
        return destination
    }
}
