import Configuration
import HTTP
import Platform

/// `GET`, `POST /devices`, `DELETE /devices/{id}` and `/devices/current`, and `POST /devices/unregister`: what the person's news goes to.
extension RESTAPI {
    static let deviceRoutes = [
        APIRoute(.get, "/devices", .listDevices) { try await $0.listDevices($1) },
        APIRoute(.post, "/devices", .registerDevice) { try await $0.registerDevice($1) },
        APIRoute(.delete, "/devices/{id}", .removeDevice) { try await $0.removeDevice($1) },
        APIRoute(.delete, "/devices/current", access: .device, .removeOwnDevice) { try await $0.removeOwnDevice($1) },
        APIRoute(.post, "/devices/unregister", .unregisterDevice) { try await $0.unregisterDevice($1) },
    ]

    private struct Request: Decodable {
        var apnsToken: String
        var platform: String
        var appVersion: String?
        var environment: String?
        var deviceName: String?
    }

    private struct Response: Encodable {
        var deviceId: String
        var registered = true
        /// True when the device had another push token before, which is of no use any more.
        var replacedToken: Bool?
        var token: String?
        var expiresAt: String?
    }

    private struct List: Encodable {
        struct Entry: Encodable {
            var deviceId: String
            var platform: String
            var name: String?
            var appVersion: String?
            var environment: String?
            var state: String
            var isCurrent: Bool
            var registeredAt: String
        }

        var devices: [Entry]
    }

    /// A session that belongs to a device gives that very device its token; another one belongs to the device from now on, and is
    /// given a token that says so.
    private func registerDevice(_ call: APICall) async throws -> HTTPResponse {
        let (account, session) = (try call.account, try call.session)
        let wanted = try call.request.decodeBody(Request.self)
        let device = try device(wanted)
        let name = try Self.deviceName(wanted.deviceName)
        let now = context.time.wallNow
        let (limit, isPushing) = (context.configuration.deviceLimit, context.configuration.pushEnabled)
        let change = DeviceChange(
            account: account.id,
            device: device,
            name: name,
            limit: limit,
            now: now,
            entropy: context.entropy
        )
        let zones = context.zones
        let (registered, bound, requeued) = try await context.store.transaction { store in
            let (registered, bound) = try change.carryOut(for: session.id, in: store)
            guard registered.isNewToAPNs, isPushing else { return (registered, bound, 0) }
            let again = try registered.hasFormerPushes ? store.sendAgain(to: registered.id, at: now) : 0
            let requeued = try store.catchUp(
                registered.id,
                of: account.id,
                by: change.entropy,
                quietUntil: store.settings(of: account.id).quietHours(zones)?.end(at: now),
                at: now
            )
            return (registered, bound, again + requeued)
        }
        tell(registered, account, requeued: requeued)
        if registered.isNewToAPNs { context.delivery.wakeSignal.send() }
        var answer = Response(deviceId: registered.publicID)
        if registered.replacedToken { answer.replacedToken = true }
        if bound.device != session.device {
            let (token, expiresAt) = try context.sessions.accessToken(for: bound, of: account, at: now)
            (answer.token, answer.expiresAt) = (token, ISO8601.text(expiresAt))
        }
        return try .json(registered.history == .new ? 201 : 200, answer)
    }

    private func listDevices(_ call: APICall) async throws -> HTTPResponse {
        let (account, session) = (try call.account, try call.session)
        let devices = try await context.store.read { try $0.devices(of: account.id) }
        let entries = devices.map { device in
            List.Entry(
                deviceId: device.publicID,
                platform: device.platform,
                name: device.name,
                appVersion: device.appVersion,
                environment: device.environment,
                state: device.state,
                isCurrent: device.publicID == session.device?.publicID,
                registeredAt: ISO8601.text(device.registeredAt)
            )
        }
        return try .json(200, List(devices: entries))
    }

    private func removeDevice(_ call: APICall) async throws -> HTTPResponse {
        try await removeDevice(call.parameter("id"), of: call.account)
    }

    private func removeOwnDevice(_ call: APICall) async throws -> HTTPResponse {
        guard let own = try call.session.device else { throw APIError.deviceSessionMissing }
        return try await removeDevice(own.publicID, of: call.account)
    }

    /// Ends the device: its session with all tokens, and what waits for it. Its history stays, so that no other device is told
    /// again what it had shown.
    private func removeDevice(_ publicID: String, of account: Account) async throws -> HTTPResponse {
        let now = context.time.wallNow
        let isRemoved = try await context.store.transaction { store in
            let hadSession = try store.endSession(ofDevice: publicID, of: account.id)
            guard let device = try store.presentDevice(publicID: publicID, of: account.id) else { return hadSession }
            try store.remove(device, at: now)
            return true
        }
        guard isRemoved else { throw APIError.deviceNotFound }
        context.log.write(.deviceRemoved, [("account.id", .number(account.id.rawValue)), ("device", .text(publicID))])
        return HTTPResponse(status: 204)
    }

    private struct Unregistration: Decodable {
        var apnsToken: String
    }

    private struct Unregistered: Encodable {
        var unregistered: Bool
    }

    /// Ends pushing to a token, in whichever environment. It stands in the body: a path would be in everybody's log. The app's session stays,
    /// so that it can go on asking. Of other people's tokens nothing is said.
    private func unregisterDevice(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account
        let token = try Self.deviceToken(call.request.decodeBody(Unregistration.self).apnsToken)
        let digest = context.deviceTokens.digest(token)
        let now = context.time.wallNow
        let removed = try await context.store.transaction { store in
            let devices = try store.livingDevices(token: digest, of: account.id)
            for device in devices { try store.deactivate(device, reason: Store.switchedOff, at: now) }
            return devices
        }
        for device in removed {
            let fields: [Log.Field] = [
                ("account.id", .number(account.id.rawValue)), ("device.id", .number(device.rawValue)),
            ]
            context.log.write(.deviceUnregistered, fields)
        }
        return try .json(200, Unregistered(unregistered: !removed.isEmpty))
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
    private static func deviceToken(_ text: String) throws(APIError) -> String {
        let token = text.lowercased()
        guard (2...400).contains(token.utf8.count), token.utf8.count.isMultiple(of: 2),
            token.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { throw .invalidField("apnsToken", expected: "an even number of hexadecimal digits") }
        return token
    }

    private func device(_ request: Request) throws -> DeviceRegistration {
        let token = try Self.deviceToken(request.apnsToken)
        let platform = try Self.platform(request.platform)
        let assumed = context.configuration.apnsEnvironment.rawValue
        guard let environment = PushEnvironment(name: request.environment ?? assumed) else {
            throw APIError.invalidField("environment", expected: "\"production\", \"sandbox\" or \"development\"")
        }
        if let version = request.appVersion, version.unicodeScalars.count > 64 {
            throw APIError.invalidField("appVersion", expected: "at most 64 characters long")
        }
        return DeviceRegistration(
            token: try context.deviceTokens.seal(token),
            environment: environment,
            platform: platform,
            appVersion: request.appVersion
        )
    }
}
