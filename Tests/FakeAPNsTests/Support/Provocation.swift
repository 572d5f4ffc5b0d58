import HTTP
import Platform

@testable import FakeAPNs

/// The way to each documented reason: by a request that deserves it, or by a fault where only trouble leads to it.
struct Provocation {
    let world: World

    init(_ reason: Reason) throws {
        world = try World(topics: reason == .topicDisallowed ? ["com.example.other"] : nil) { _, devices in
            devices.neverUnregistered = .never
            devices.unregisteredDelay = .constant(.minutes(30))
            devices.deviceRateLimit = RateLimit(count: 1, window: .minutes(1))
        }
    }

    static func provoke(_ reason: Reason, in world: World, id: String) throws -> SentResponse {
        if let change = Self.changes[reason] {
            return try world.send { request in
                request.fields["apns-id"] = id
                change(&request)
            }
        }
        try prepare(reason, in: world)
        return try world.send { request in
            request.fields["apns-id"] = id
            if let token = try Self.providerToken(reason, in: world) {
                request.fields["authorization"] = "bearer " + token
            }
        }
    }

    private static let changes: [Reason: @Sendable (inout HTTPRequest) -> Void] = [
        .badCollapseID: { $0.fields["apns-collapse-id"] = String(repeating: "x", count: 65) },
        .badDeviceToken: { $0.target = "/3/device/00ff" },
        .badExpirationDate: { $0.fields["apns-expiration"] = "tomorrow" },
        .badMessageID: { $0.fields["apns-id"] = "not-a-uuid" },
        .badPriority: { $0.fields["apns-priority"] = "7" },
        .badTopic: { $0.fields["apns-topic"] = "com example" },
        .deviceTokenNotForTopic: { $0.fields["apns-topic"] = "com.example.other" },
        .duplicateHeaders: { $0.fields.append("apns-topic", World.bundleID) },
        .invalidPushType: { $0.fields["apns-push-type"] = "shout" },
        .missingDeviceToken: { $0.target = "/3/device/" },
        .missingTopic: { $0.fields["apns-topic"] = nil },
        .payloadEmpty: { $0.body = [] },
        .topicDisallowed: { _ in },
        .missingProviderToken: { $0.fields["authorization"] = nil },
        .invalidProviderToken: { $0.fields["authorization"] = "bearer nonsense" },
        .badPath: { $0.target = "/2/device/00ff" },
        .methodNotAllowed: { $0.method = .get },
        .payloadTooLarge: { $0.body = Array(repeating: UInt8(ascii: " "), count: 4_097) },
    ]

    private static func prepare(_ reason: Reason, in world: World) throws {
        switch reason {
        case .idleTimeout, .badCertificate, .badCertificateEnvironment, .forbidden, .internalServerError,
            .serviceUnavailable:
            world.apns.start(Fault("f", .refuse(reason)))
        case .shutdown: world.apns.start(Fault("f", .shutdown))
        case .expiredToken: world.fleet.expireToken(world.deviceToken)
        case .unregistered:
            world.fleet.removeApp(World.bundleID, on: World.phone)
            try world.send()
            world.time.advance(by: .minutes(30))
        case .tooManyRequests: try world.send()
        case .tooManyProviderTokenUpdates:
            try world.send()
            let second = try world.signer.token(issuedAt: "\(world.time.wallNow.secondsSinceEpoch)")
            try world.send(after: .minutes(1)) { $0.fields["authorization"] = "bearer " + second }
        case .unrelatedKeyIDInToken: try world.send()
        default: break
        }
    }

    private static func providerToken(_ reason: Reason, in world: World) throws -> String? {
        let now = world.time.wallNow.secondsSinceEpoch
        switch reason {
        case .expiredProviderToken: return try world.signer.token(issuedAt: "\(now - 3_601)")
        case .tooManyProviderTokenUpdates: return try world.signer.token(issuedAt: "\(now)")
        case .badEnvironmentKeyIDInToken:
            let bound = try Signer(keyID: "SANDBOX123")
            world.apns.register(bound.key(environments: [.sandbox]))
            return try bound.token(issuedAt: "\(now)")
        case .unrelatedKeyIDInToken:
            let other = try Signer(keyID: "OTHERKEY12")
            world.apns.register(other.key())
            return try other.token(issuedAt: "\(now)")
        default: return nil
        }
    }
}
