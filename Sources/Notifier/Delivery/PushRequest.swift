import Configuration
import Crypto
import HTTP
import Platform

/// What all pushes of this server have in common on the wire (APNs facts §2, §3, §17 item 5).
struct PushRequest: Sendable {
    private let topic: String
    private let origins: [PushEnvironment: HTTPOrigin]
    private let timeout: Duration

    init(_ configuration: NotifierConfiguration) {
        topic = configuration.apnsTopic
        origins = [.production: configuration.productionAPNs, .sandbox: configuration.sandboxAPNs]
        timeout = configuration.sendTimeout
    }

    /// The request for a delivery: the same ids and the same expiration on every attempt.
    func make(_ delivery: ClaimedDelivery, to deviceToken: String, token: ProviderToken) -> HTTPRequest {
        guard let origin = origins[delivery.environment] else {
            preconditionFailure("every environment has an origin")
        }
        return HTTPRequest(
            method: .post,
            origin: origin,
            target: "/3/device/\(deviceToken)",
            fields: [
                "authorization": "bearer \(token.jwt.exposedText)",
                "apns-topic": topic,
                "apns-push-type": "alert",
                "apns-priority": "10",
                "apns-expiration": String(delivery.expiresAt.secondsSinceEpoch),
                "apns-id": delivery.apnsID,
                "apns-collapse-id": delivery.collapseID,
                "content-type": "application/json",
            ],
            body: delivery.payload
        )
    }

    /// How it is sent; `isFresh` leaves the connection that is held.
    func options(isFresh: Bool) -> HTTPSendOptions {
        HTTPSendOptions(
            connection: isFresh ? .fresh : .pooled,
            connectTimeout: min(timeout, .seconds(10)),
            totalTimeout: timeout,
            responseLimitBytes: 65_536
        )
    }
}
