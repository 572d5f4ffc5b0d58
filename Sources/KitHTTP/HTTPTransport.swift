import FoundationEssentials
package import HTTP
package import NotifierKit

/// The kit's transport over this package's own HTTP client: libcurl in the program, in-memory links in simulation.
package struct HTTPTransport: Transport {
    private let http: any HTTPClient

    /// Sends by `http`.
    package init(http: any HTTPClient) {
        self.http = http
    }

    /// Sends `request` once.
    ///
    /// - Throws: why no whole answer came.
    package func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        let server = request.server
        let sent = HTTPRequest(
            method: HTTPMethod(rawValue: request.method),
            origin: HTTPOrigin(scheme: server.scheme, host: server.host, port: UInt16(server.port)),
            target: request.target,
            fields: HTTPFields(request.fields.map { HTTPFields.Field(name: $0.name, value: $0.value) }),
            body: Array(request.body)
        )
        let options = HTTPSendOptions(
            connectTimeout: min(request.timeout, .seconds(10)),
            totalTimeout: request.timeout,
            responseLimitBytes: request.responseLimitBytes
        )
        switch await http.send(sent, options: options) {
        case .response(let response):
            return TransportResponse(
                status: response.status,
                fields: response.fields.fields.map { HeaderField($0.name, $0.value) },
                body: Data(response.body)
            )
        case .notSent(let failure), .unknown(let failure): throw TransportFailure(failure)
        }
    }
}

extension TransportFailure {
    /// A name that nobody resolves is what a machine without a network sees first.
    fileprivate init(_ failure: HTTPFailure) {
        self =
            switch failure {
            case .nameNotResolved: .offline
            case .connectionRefused: .cannotConnect
            case .tlsFailed: .untrusted
            case .connectTimedOut, .timedOut: .timedOut
            case .connectionReset, .bodyTruncated: .interrupted
            case .responseTooLarge: .answerTooLarge
            case .cancelled: .cancelled
            }
    }
}
