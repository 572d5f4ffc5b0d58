import HTTP
import KitHTTP
import NotifierKit

/// The kit's transport over a simulated link, as long as the device has a network.
struct KitTransport: Transport {
    private let link: HTTPTransport
    private let isOnline: @Sendable () -> Bool
    private let onSend: @Sendable (_ request: TransportRequest) -> Void
    private let onAnswer: @Sendable (_ request: TransportRequest, _ status: Int, _ body: [UInt8]) -> Void
    private let onTrouble: @Sendable () -> Void
    private let onEnd: @Sendable () -> Void

    /// `onSend` hears each request that leaves the device, `onAnswer` each whole answer, `onTrouble` that there was none, or none that helps now, and
    /// `onEnd` that one which has left the device is over, whatever came of it.
    init(
        http: any HTTPClient,
        isOnline: @escaping @Sendable () -> Bool,
        onSend: @escaping @Sendable (_ request: TransportRequest) -> Void = { _ in },
        onAnswer: @escaping @Sendable (_ request: TransportRequest, _ status: Int, _ body: [UInt8]) -> Void,
        onTrouble: @escaping @Sendable () -> Void = {},
        onEnd: @escaping @Sendable () -> Void = {}
    ) {
        link = HTTPTransport(http: http)
        self.isOnline = isOnline
        self.onSend = onSend
        self.onAnswer = onAnswer
        self.onTrouble = onTrouble
        self.onEnd = onEnd
    }

    func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        guard isOnline() else {
            onTrouble()
            throw .offline
        }
        onSend(request)
        defer { onEnd() }
        let response: TransportResponse
        do { response = try await link.send(request) } catch {
            onTrouble()
            throw error
        }
        if response.status == 429 || response.status >= 500 { onTrouble() }
        onAnswer(request, response.status, Array(response.body))
        return response
    }
}
