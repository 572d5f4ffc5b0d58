/// Trouble before the first frame: what new connections meet while TLS is agreed (APNs facts §16.21). Started and stopped by its id.
package struct HandshakeFault: Sendable {
    /// What a connection meets.
    package enum Kind: Sendable {
        /// Another certificate: one that is over, one for other names, one of an authority that nobody trusts.
        case presents(HTTPServerConfiguration.Identity)
        /// A server that speaks TLS 1.1 at most.
        case oldVersion
        /// Nothing: the greeting is swallowed.
        case stall
        /// The end of the connection behind the greeting.
        case close
        /// No machine behind the address: connecting never ends. For all who connect, whatever else runs (APNs facts §16.21).
        case deadAddress
    }

    var id: String
    var kind: Kind

    package init(_ id: String, _ kind: Kind) {
        self.id = id
        self.kind = kind
    }
}

/// The running ones; the first one strikes.
struct HandshakeFaultTable {
    /// What becomes of a connection.
    enum Treatment {
        case tls(TLSContext)
        case stall, close, deadAddress
    }

    private var slots: [(id: String, treatment: Treatment)] = []

    var first: Treatment? { slots.first?.treatment }

    /// Whether nobody is to get a connection.
    var isDead: Bool {
        slots.contains {
            if case .deadAddress = $0.treatment { return true }
            return false
        }
    }

    mutating func start(_ id: String, _ treatment: Treatment) {
        stop(id)
        slots.append((id, treatment))
    }

    @discardableResult mutating func stop(_ id: String) -> Bool {
        let count = slots.count
        slots.removeAll { $0.id == id }
        return slots.count < count
    }
}
