import Platform

/// Sends requests: over real sockets live, over in-memory links in simulation.
package protocol HTTPClient: Sendable {
    /// Sends `request` and waits for its outcome, at most until the deadlines of `options`. Never follows a redirect.
    ///
    /// Cancelling the task ends the wait with an unknown outcome: the server may have acted.
    func send(_ request: HTTPRequest, options: HTTPSendOptions) async -> HTTPOutcome
}

/// Asked before bytes of a response's body are kept, so that somebody can limit what many exchanges hold together.
package protocol HTTPBodyMeter: AnyObject, Sendable {
    /// Takes room for further bytes, unpacked; false ends the exchange with `responseTooLarge`. Called on any thread; returns at once.
    func take(_ count: Int) -> Bool
}

/// How one request is sent.
package struct HTTPSendOptions: Sendable, Equatable {
    /// Whether an existing connection may carry the request.
    package enum Connection: Sendable, Equatable {
        /// Any usable connection to the origin.
        case pooled
        /// A new connection, which replaces the ones held to this origin: for leaving one that has gone bad.
        case fresh
    }

    package var connection: Connection
    /// How long connecting may take.
    package var connectTimeout: Duration
    /// How long the first byte of the answer may take, connecting included; nil for as long as the whole exchange.
    package var firstByteTimeout: Duration?
    /// How long the whole exchange may take, connecting included.
    package var totalTimeout: Duration
    /// A longer response body ends the exchange with `responseTooLarge`.
    package var responseLimitBytes: Int
    /// Asked before bytes of the body are kept; nil for no limit but `responseLimitBytes`.
    package var bodyMeter: (any HTTPBodyMeter)?

    package init(
        connection: Connection = .pooled,
        connectTimeout: Duration = .seconds(10),
        firstByteTimeout: Duration? = nil,
        totalTimeout: Duration = .seconds(30),
        responseLimitBytes: Int = 16 * 1_024 * 1_024,
        bodyMeter: (any HTTPBodyMeter)? = nil
    ) {
        self.connection = connection
        self.connectTimeout = connectTimeout
        self.firstByteTimeout = firstByteTimeout
        self.totalTimeout = totalTimeout
        self.responseLimitBytes = responseLimitBytes
        self.bodyMeter = bodyMeter
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.connection == right.connection && left.connectTimeout == right.connectTimeout
            && left.firstByteTimeout == right.firstByteTimeout && left.totalTimeout == right.totalTimeout
            && left.responseLimitBytes == right.responseLimitBytes && left.bodyMeter === right.bodyMeter
    }
}

/// What became of a request. A timeout is `unknown`: it may have arrived.
package enum HTTPOutcome: Sendable, Equatable {
    /// A whole response came back.
    case response(HTTPResponse)
    /// The server certainly did not act on the request.
    case notSent(HTTPFailure)
    /// The server may have acted on the request; no whole response came back.
    case unknown(HTTPFailure)
}

/// Why no whole response came back.
package enum HTTPFailure: String, Sendable, Equatable, CaseIterable {
    case connectionRefused, nameNotResolved, connectTimedOut, tlsFailed
    case timedOut, connectionReset, bodyTruncated, responseTooLarge, cancelled
}
