package import Crypto

/// Where a server listens and what it allows.
package struct HTTPServerConfiguration: Sendable {
    /// A certificate chain and its key, both PEM.
    package struct Identity: Sendable, Equatable {
        var certificateChainPEM: String
        var keyPEM: Secret

        /// The chain begins with the server's own certificate.
        package init(certificateChainPEM: String, keyPEM: Secret) {
            self.certificateChainPEM = certificateChainPEM
            self.keyPEM = keyPEM
        }
    }

    /// An IPv4 or IPv6 address of this machine.
    package var address = "127.0.0.1"
    /// 0 for one that is free.
    package var port: UInt16 = 0
    /// Nil to serve without TLS.
    package var identity: Identity?
    /// Connections held at most. For a further one another gives way: one that keeps the server waiting, of the network that has the most.
    package var connectionLimit = 1_000
    /// Connections from one address at most, of IPv6 from one network of 64 bits; further ones are closed at once.
    package var connectionsPerAddressLimit = 100
    /// A connection that moves no byte for so long is closed, also in the middle of a request.
    var idleTimeout: Duration = .seconds(30)
    /// A request that has not arrived whole after so long ends its connection, however steadily it trickles; so does an answer that
    /// is not taken.
    var requestTimeout: Duration = .seconds(60)
    /// Memory of a connection for a request's line, its header fields and the head of the answer; each field and each parameter of the
    /// query takes some 60 bytes beside its own. What does not fit is refused with 414 or 431.
    package var headerLimitBytes = 32_768
    /// Bytes of a request's body; more is refused with 413.
    package var bodyLimitBytes = 1_048_576
    /// Bytes of a body too large that are read and thrown away, so that its client has said all and reads the 413. A body that is
    /// announced to be larger still is refused at once, and one that is not announced ends its connection.
    var overflowLimitBytes = 16_777_216

    /// The defaults: plain HTTP on any free port of the loopback interface.
    package init() {}
}

/// Why a server cannot serve.
package enum HTTPServerError: Error, Equatable, CustomStringConvertible {
    /// The text is no IPv4 or IPv6 address.
    case badAddress(String)
    /// The system refuses to listen there; `reason` is its own word for it.
    case cannotListen(address: String, port: UInt16, reason: String)
    /// Certificate and key cannot be used, or do not belong together.
    case badIdentity
    /// The system gives no thread or memory for it.
    case cannotStart

    package var description: String {
        switch self {
        case .badAddress(let text): "\"\(text)\" is not an address of this machine; give one such as 127.0.0.1 or ::1"
        case .cannotListen(let address, let port, let reason): "cannot listen on \(address) port \(port): \(reason)"
        case .badIdentity: "the TLS certificate and key cannot be used together; both must be PEM, the key unencrypted"
        case .cannotStart: "the server's thread cannot be started"
        }
    }
}
