#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Sends one request to the server: URLSession on Apple's systems, libcurl in the terminal client, in-memory links in simulation.
public protocol Transport: Sendable {
    /// Sends `request` and waits for the whole answer, at most as long as the request says. Never follows a redirect: the session would
    /// go along.
    ///
    /// - Throws: why no whole answer came; `cancelled` once the task is cancelled. The server may have acted all the same.
    func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse
}

/// One request as a value.
public struct TransportRequest: Sendable, Equatable {
    /// `GET`, `POST`, `PUT` or `DELETE`.
    public var method: String
    /// Which server.
    public var server: ServerAddress
    /// Path and query as they stand on the request line, percent-encoded.
    public var target: String
    /// Header fields; no name stands twice.
    public var fields: [HeaderField]
    /// Empty for none.
    public var body: Data
    /// How long the whole exchange may take, connecting included.
    public var timeout: Duration
    /// A longer body of the answer ends the exchange with `answerTooLarge`.
    public var responseLimitBytes: Int

    /// A value of these members.
    public init(
        method: String,
        server: ServerAddress,
        target: String,
        fields: [HeaderField] = [],
        body: Data = Data(),
        timeout: Duration = .seconds(30),
        responseLimitBytes: Int = 8 * 1_024 * 1_024
    ) {
        (self.method, self.server, self.target) = (method, server, target)
        (self.fields, self.body) = (fields, body)
        (self.timeout, self.responseLimitBytes) = (timeout, responseLimitBytes)
    }
}

/// One line of a header.
public struct HeaderField: Sendable, Equatable {
    /// Compared without regard to case.
    public var name: String
    /// As it stands in the line.
    public var value: String

    /// A value of these members.
    public init(_ name: String, _ value: String) {
        (self.name, self.value) = (name, value)
    }
}

/// One whole answer.
public struct TransportResponse: Sendable, Equatable {
    /// The status of HTTP.
    public var status: Int
    /// Every line of the header.
    public var fields: [HeaderField]
    /// The text below the title.
    public var body: Data

    /// A value of these members.
    public init(status: Int, fields: [HeaderField] = [], body: Data = Data()) {
        (self.status, self.fields, self.body) = (status, fields, body)
    }

    /// The first value of a field; names compare without regard to case (RFC 9110 §5.1).
    func field(_ name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// Why no whole answer came back. Of `offline`, `cannotConnect` and `untrusted` the request was certainly not sent; where that is not sure,
/// it is `interrupted`.
public enum TransportFailure: String, Error, Sendable, Equatable, CaseIterable {
    /// This device has no network, as far as it knows.
    case offline
    /// Nothing answers at the server's address.
    case cannotConnect
    /// The server's certificate is not trusted, or TLS failed otherwise.
    case untrusted
    case timedOut
    /// The connection broke, or the answer was cut off.
    case interrupted
    case answerTooLarge
    /// The task was cancelled.
    case cancelled
}
