import FoundationEssentials
import HTTP
import NotifierKit

/// The kit's transport over a simulated link.
struct KitTransport: Transport {
    let http: any HTTPClient
    /// Whether the device has a network.
    let isOnline: @Sendable () -> Bool
    /// Hears each whole answer.
    let onAnswer: @Sendable (_ request: TransportRequest, _ status: Int, _ body: [UInt8]) -> Void

    func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        guard isOnline() else { throw .offline }
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
            onAnswer(request, response.status, response.body)
            return TransportResponse(
                status: response.status,
                fields: response.fields.fields.map { HeaderField($0.name, $0.value) },
                body: Data(response.body)
            )
        case .notSent(let failure), .unknown(let failure): throw Self.failure(failure)
        }
    }

    private static func failure(_ failure: HTTPFailure) -> TransportFailure {
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
