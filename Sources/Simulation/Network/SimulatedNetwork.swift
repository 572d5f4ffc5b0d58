package import HTTP
package import Platform

/// The in-memory network: servers by origin, a link to each, clients for nodes.
///
/// A responder answers in one step when a request arrives; a handler runs as a task of its node.
///
/// Unchecked: simulation thread.
package final class SimulatedNetwork: @unchecked Sendable {
    /// What stands at an origin.
    enum Server {
        case responder(any HTTPResponder)
        case handler(any HTTPHandler, node: Node)
        /// Nobody listens: connecting is refused.
        case nobody
    }

    /// A server and the link that leads to it.
    ///
    /// Unchecked: simulation thread.
    final class Route: @unchecked Sendable {
        let origin: HTTPOrigin
        let link: Link
        var server: Server

        init(origin: HTTPOrigin, link: Link, server: Server) {
            self.origin = origin
            self.link = link
            self.server = server
        }
    }

    let loop: EventLoop
    let trace: Trace
    /// Hears each request that reaches a handler, as it does; the trace has no bodies.
    package var onArrival: ((HTTPRequest) -> Void)?
    private let seed: UInt64
    private var routes: [Route] = []
    private var links: [Link] = []
    private var connectionCount: Int64 = 0
    private var exchangeCount: Int64 = 0

    init(loop: EventLoop, trace: Trace, seed: UInt64) {
        self.loop = loop
        self.trace = trace
        self.seed = seed
    }

    /// Puts a responder at `origin`, reached over the link of that name, which is made on first use.
    package func listen(_ origin: HTTPOrigin, link: String, latency: QuantileTable, responder: any HTTPResponder) {
        install(.responder(responder), at: origin, link: link, latency: latency)
    }

    /// Puts a handler that runs on `node` at `origin`; it takes the place of one that was there before.
    package func listen(
        _ origin: HTTPOrigin,
        link: String,
        latency: QuantileTable,
        handler: any HTTPHandler,
        on node: Node
    ) {
        install(.handler(handler, node: node), at: origin, link: link, latency: latency)
    }

    /// A client whose requests come from `node`. Its connections end with it.
    ///
    /// Servers see `address` as the client's, the node's name by default: several machines that run on one node each have their own.
    package func client(for node: Node, address: String? = nil) -> any HTTPClient {
        NetworkClient(network: self, address: address ?? node.name, node: node.number)
    }

    /// Lets a fault strike on a link. Traps when no link has that name: names are checked before a run.
    package func begin(_ fault: LinkFault, on link: String) {
        guard let target = links.first(where: { $0.name == link }) else {
            preconditionFailure("a fault names a link that exists")
        }
        trace.record(.faultBegan(id: fault.id, kind: "link.\(fault.kindName)"))
        target.begin(fault)
    }

    /// Ends a link fault; no effect when it is not in force.
    package func endFault(id: String) {
        for link in links where link.end(faultID: id) {
            trace.record(.faultEnded(id: id))
        }
    }

    /// What an exchange meets on a link of that name that is not this network's: the time both ways take, and the fault that strikes.
    /// Draws from the link's random stream; nil when there is no such link.
    package func passage(over link: String) -> LinkPassage? {
        guard let passage = links.first(where: { $0.name == link })?.passage() else { return nil }
        return LinkPassage(
            latency: .nanoseconds(passage.outwardNanoseconds + passage.homewardNanoseconds),
            fault: passage.fault
        )
    }

    func route(to origin: HTTPOrigin) -> Route? {
        routes.first { $0.origin == origin }
    }

    func nextConnection() -> Int64 {
        connectionCount += 1
        return connectionCount
    }

    /// The number of one more exchange, also of one that is not this network's.
    package func nextExchange() -> Int64 {
        exchangeCount += 1
        return exchangeCount
    }

    /// Forgets every server, and with it what the server refers to.
    func discard() {
        onArrival = nil
        for route in routes { route.server = .nobody }
        routes = []
    }

    private func install(_ server: Server, at origin: HTTPOrigin, link name: String, latency: QuantileTable) {
        if let route = route(to: origin) {
            route.server = server
            return
        }
        let link: Link
        if let known = links.first(where: { $0.name == name }) {
            link = known
        } else {
            link = Link(name: name, latency: latency, random: RandomStream(seed: seed, stream: "link.\(name)"))
            links.append(link)
        }
        routes.append(Route(origin: origin, link: link, server: server))
    }
}

/// What one exchange meets on a link.
package struct LinkPassage: Sendable {
    /// Of both ways together.
    package var latency: Duration
    /// The first fault that strikes and is not mere latency.
    package var fault: LinkFault?
}
