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
        make(delivery.environment, deviceToken, token, delivery.payload) { fields in
            fields["apns-push-type"] = "alert"
            fields["apns-priority"] = "10"
            fields["apns-expiration"] = String(delivery.expiresAt.secondsSinceEpoch)
            fields["apns-id"] = delivery.apnsID
            fields["apns-collapse-id"] = delivery.collapseID
        }
    }

    /// The request for a silent push: with another priority APNs refuses it (APNs facts §3). It is not kept for a device that is away, where
    /// it would take the place of the one alert that is (APNs facts §9).
    func make(_ push: SilentPush, to deviceToken: String, id: String, token: ProviderToken) -> HTTPRequest {
        make(push.environment, deviceToken, token, SilentPush.payload) { fields in
            fields["apns-push-type"] = "background"
            fields["apns-priority"] = "5"
            fields["apns-expiration"] = "0"
            fields["apns-id"] = id
            fields["apns-collapse-id"] = SilentPush.collapseID
        }
    }

    private func make(
        _ environment: PushEnvironment,
        _ deviceToken: String,
        _ token: ProviderToken,
        _ payload: [UInt8],
        _ name: (inout HTTPFields) -> Void
    ) -> HTTPRequest {
        guard let origin = origins[environment] else { preconditionFailure("every environment has an origin") }
        var fields: HTTPFields = [
            "authorization": "bearer \(token.jwt.exposedText)",
            "apns-topic": topic,
        ]
        name(&fields)
        fields["content-type"] = "application/json"
        return HTTPRequest(
            method: .post,
            origin: origin,
            target: "/3/device/\(deviceToken)",
            fields: fields,
            body: payload
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
