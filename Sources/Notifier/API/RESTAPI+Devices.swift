import HTTP
import Platform

/// `POST /devices`: registers a device, or tells that it is still there.
extension RESTAPI {
    static let deviceRoutes = [
        APIRoute(.post, "/devices", .registerDevice) { try await $0.registerDevice($1) }
    ]

    private struct Request: Decodable {
        var apnsToken: String
        var platform: String
        var appVersion: String?
        var environment: String?
    }

    private struct Answer: Encodable {
        var deviceId: String
        var registered = true
    }

    /// How far back a new device gets what no other device of the person received.
    private static let catchUp: Duration = .hours(24)
    private static let catchUpLimit = 50

    private func registerDevice(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account
        let device = try Self.device(call.request.decodeBody(Request.self))
        let now = context.time.wallNow
        let limit = context.configuration.deviceLimit
        let (registered, requeued) = try await context.store.transaction { [entropy = context.entropy] store in
            if try !store.hasDevice(device, of: account.id), try store.deviceCount(of: account.id) >= limit {
                throw APIError.deviceLimitReached(limit: limit)
            }
            let registered = try store.register(device, of: account.id, newPublicID: entropy.uuidString(), at: now)
            guard registered.history != .known else { return (registered, 0) }
            return (registered, try Self.catchUp(registered.id, of: account.id, in: store, entropy, at: now))
        }
        tell(registered, account, requeued: requeued)
        if registered.history != .known { context.delivery.doorbell.ring() }
        return try .json(registered.history == .new ? 201 : 200, Answer(deviceId: registered.publicID))
    }

    /// Queues for a device what the person has not received anywhere yet.
    private static func catchUp(
        _ device: DeviceID,
        of account: AccountID,
        in store: Store,
        _ entropy: any EntropySource,
        at now: WallTime
    ) throws -> Int {
        let start = now.advanced(by: .zero - catchUp)
        let missed = try store.unacceptedNotifications(of: account, since: start, at: now, limit: catchUpLimit)
        return try missed.count { notification in
            try store.requeue(notification, to: device, apnsID: entropy.uuidString(), at: now)
        }
    }

    private func tell(_ device: RegisteredDevice, _ account: Account, requeued: Int) {
        let fields: [Log.Field] = [
            ("account.id", .number(account.id.rawValue)), ("device.id", .number(device.id.rawValue)),
        ]
        switch device.history {
        case .new, .known: context.log.write(.deviceRegistered, fields)
        case .revived: context.log.write(.deviceRevived, fields)
        case .moved: context.log.write(.deviceMoved, fields)
        }
        guard requeued > 0 else { return }
        context.log.write(.deliveriesRequeued, fields + [("deliveries", .count(requeued))])
    }

    /// Tokens are opaque hexadecimal digits of any length (APNs facts §10).
    private static func device(_ request: Request) throws(APIError) -> DeviceRegistration {
        let token = request.apnsToken.lowercased()
        guard (2...400).contains(token.utf8.count), token.utf8.count.isMultiple(of: 2),
            token.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { throw .invalidField("apnsToken", expected: "an even number of hexadecimal digits") }
        guard request.platform == "ios" || request.platform == "macos" else {
            throw .invalidField("platform", expected: "\"ios\" or \"macos\"")
        }
        guard let environment = PushEnvironment(rawValue: request.environment ?? "production") else {
            throw .invalidField("environment", expected: "\"production\" or \"sandbox\"")
        }
        if let version = request.appVersion, version.utf8.count > 64 {
            throw .invalidField("appVersion", expected: "at most 64 bytes long")
        }
        return DeviceRegistration(
            token: token,
            environment: environment,
            platform: request.platform,
            appVersion: request.appVersion
        )
    }
}

extension RouteDescription {
    fileprivate static let registerDevice = RouteDescription(
        "registerDevice",
        "Registers a device's push token, or tells that the device is still there.",
        body: .object([
            .required("apnsToken", .text(2...400), "The device token from APNs, in hexadecimal digits."),
            .required("platform", .word(["ios", "macos"]), "What the device is."),
            .optional("appVersion", .text(0...64), "The app's version, for the person's own list of devices."),
            .optional(
                "environment",
                .word(["production", "sandbox"]),
                "Which of Apple's services made the token; production when absent."
            ),
        ]),
        answers: [
            .json(201, "The device is new.", registeredDevice),
            .json(200, "The device was known already.", registeredDevice),
        ],
        errors: [.deviceLimitReached(limit: NotifierConfiguration().deviceLimit)],
        examples: [
            Example(
                "phone",
                "A phone registers its token.",
                body: ["apnsToken": "a94b25e7f9d8c3b1a0", "platform": "ios", "appVersion": "1.0.0"],
                status: 201,
                answer: ["deviceId": "550e8400-e29b-41d4-a716-446655440001", "registered": true]
            )
        ]
    )

    private static let registeredDevice = APISchema.object([
        .required("deviceId", .id, "The device's id."),
        .required("registered", .boolean, "Always true."),
    ])
}
