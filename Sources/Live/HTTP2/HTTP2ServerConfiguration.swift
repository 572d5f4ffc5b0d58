import Platform

/// Where an HTTP/2 server listens and what it allows.
package struct HTTP2ServerConfiguration: Sendable {
    /// An IPv4 or IPv6 address of this machine.
    var address = "127.0.0.1"
    /// 0 for one that is free.
    package var port: UInt16 = 0
    /// Nil to serve without TLS, to clients that know beforehand that HTTP/2 is spoken.
    package var identity: HTTPServerConfiguration.Identity?
    /// Whether the server takes part in ALPN. Clients that offer nothing are served in any case (APNs facts §1).
    var answersALPN = true
    /// How many streams a client may have open.
    package var streamPolicy = HTTP2StreamPolicy()
    /// Connections held at most; further ones are closed at once.
    var connectionLimit = 1_000
    /// Within which TLS must be agreed and the first request have begun to arrive.
    var handshakeTimeout: Duration = .seconds(10)
    /// A connection without a stream that moves no byte for so long is closed. Long, as a sender's connection is quiet for hours
    /// (APNs facts §8).
    var idleTimeout: Duration = .hours(2)
    /// A request that has not arrived whole after so long ends its connection, and so does a client that reads nothing of what it
    /// is sent for so long.
    var requestTimeout: Duration = .seconds(60)
    /// Bytes of a request's header list as RFC 9113 §6.5.2 counts them (APNs facts §2).
    var headerLimitBytes = 8_000
    /// Bytes of a request's body; four times as much resets the stream.
    var bodyLimitBytes = 1_048_576
    /// What becomes of a request that exceeds one of these two.
    package var excess = Excess.refused
    /// Bytes of bodies that have not arrived whole, over all streams of a connection.
    var bufferLimitBytes = 8 * 1_048_576

    /// What becomes of a request that is too long.
    package enum Excess: Sendable {
        /// 431 or 413, without a body; the handler never sees it.
        case refused
        /// The handler gets what is left of it and has to refuse: all of a body that is allowed, and fields up to four times as many bytes.
        case cut
    }

    /// The defaults: without TLS on any free port of the loopback interface.
    package init() {}
}

/// How many streams a client may have open, which may depend on what it has shown (APNs facts §8).
package struct HTTP2StreamPolicy: Sendable, Equatable {
    /// Before a request was answered well, and after a bad one.
    var unproven: Int
    /// After a request was answered well.
    var proven: Int

    /// APNs': one stream until a request with a valid provider token was made, then a thousand; one again after an error.
    package init(unproven: Int = 1, proven: Int = 1_000) {
        precondition(unproven > 0 && proven > 0, "a client may open a stream")
        self.unproven = unproven
        self.proven = proven
    }

    /// The same for everyone.
    static func fixed(_ limit: Int) -> HTTP2StreamPolicy {
        HTTP2StreamPolicy(unproven: limit, proven: limit)
    }

    /// The limit after an answer: 410 counts as a good one, as the request was (APNs facts §6), and trouble of the server's own
    /// changes nothing.
    func limit(after status: Int, now limit: Int) -> Int {
        switch status {
        case 200..<300, 410: proven
        case 400..<500: unproven
        default: limit
        }
    }
}
