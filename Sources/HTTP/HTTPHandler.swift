import Platform

/// Answers requests and may suspend while it does: the notifier's REST API.
package protocol HTTPHandler: Sendable {
    /// Answers one request. Whatever goes wrong inside becomes a response.
    func handle(_ request: HTTPRequest, from peer: HTTPPeer) async -> HTTPResponse

    /// What a client reads whose request the server refuses by itself, in the handler's own words; must not wait.
    func refuse(_ refusal: HTTPRefusal) -> HTTPResponse
}

/// Answers requests at once, from state of its own: the fakes.
///
/// Answering without suspending means that an exchange is one step of the world, whoever sends it.
package protocol HTTPResponder: Sendable {
    /// Answers one request at the instant at which it arrives.
    func respond(to request: HTTPRequest, from peer: HTTPPeer) -> SentResponse
}

/// The other end of an exchange, as a server sees it.
package struct HTTPPeer: Sendable, Hashable {
    /// The client's network address.
    package var address: String
    /// Which connection carried the request; never reused within a run.
    package var connection: Int64
    /// Whether the client still waits; nil where nobody can tell. No part of who it is.
    package var presence: HTTPPresence?

    package init(address: String, connection: Int64, presence: HTTPPresence? = nil) {
        self.address = address
        self.connection = connection
        self.presence = presence
    }

    /// What limits count: the address, or of IPv6 the network that its owner has; a text that is no address stands for itself.
    package var network: String { IPAddress(address)?.network ?? address }

    /// What one customer of a provider may have of such networks: 48 bits of IPv6, otherwise the same.
    package var site: String { IPAddress(address)?.site ?? address }

    package static func == (one: HTTPPeer, other: HTTPPeer) -> Bool {
        one.address == other.address && one.connection == other.connection
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(address)
        hasher.combine(connection)
    }
}

/// A responder's answer and how it travels: what a well-behaved transport cannot express by a response alone.
package struct SentResponse: Sendable, Equatable {
    /// What the client's end sees of the answer.
    package enum Travel: Sendable, Equatable {
        /// All of it.
        case whole
        /// The head and this many bytes of the body, then the connection ends.
        case truncated(afterBytes: Int)
        /// The connection is reset instead; the server has acted.
        case reset
        /// Nothing, ever; the server has acted and the connection stays open.
        case never
    }

    package var response: HTTPResponse
    package var travel: Travel
    /// How long the server works before the first byte leaves.
    package var serviceTime: Duration
    /// True when the server closes the connection behind this answer.
    package var closesConnection: Bool
    /// Names the injected fault that shaped this answer; nil when the service would really answer so.
    package var faultID: String?

    package init(
        _ response: HTTPResponse,
        travel: Travel = .whole,
        serviceTime: Duration = .zero,
        closesConnection: Bool = false,
        faultID: String? = nil
    ) {
        self.response = response
        self.travel = travel
        self.serviceTime = serviceTime
        self.closesConnection = closesConnection
        self.faultID = faultID
    }
}
