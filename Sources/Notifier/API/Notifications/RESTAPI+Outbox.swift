import Configuration
import HTTP
import Platform

/// `POST /notifications/{id}/received`, `/notifications/test` and `/notifications/{id}/redrive`: what a person and their devices
/// can do with the outbox.
extension RESTAPI {
    static let outboxRoutes = [
        APIRoute(.post, "/notifications/test", .sendTest) { try await $0.sendTest($1) },
        APIRoute(.post, "/notifications/{id}/received", .receive) { try await $0.receive($1) },
        APIRoute(.post, "/notifications/{id}/redrive", .redrive) { try await $0.redrive($1) },
    ]

    // MARK: Receipts

    private struct ReceiptRequest: Decodable {
        var type: String
        /// Needed only by sessions that do not belong to a device.
        var deviceId: String?
        /// When it happened, for receipts that could not be sent at once.
        var at: String?
    }

    private struct ReceiptResponse: Encodable {
        var acknowledged = true
        var receivedAt: String
    }

    /// Notes that a device has shown a notification, or that the person opened it. Repeating it changes nothing.
    private func receive(_ call: APICall) async throws -> HTTPResponse {
        let (account, session) = (try call.account, try call.session)
        let request = try call.request.decodeBody(ReceiptRequest.self)
        guard let kind = ReceiptKind(rawValue: request.type) else {
            throw APIError.invalidField("type", expected: "\"delivered\" or \"opened\"")
        }
        let reported = try Self.instant(request.at, "at")
        let now = context.time.wallNow
        let publicID = call.parameter("id")
        let (receivedAt, isFirst) = try await choose(call.known) { store in
            guard let notification = try store.notification(publicID: publicID, of: account.id) else {
                throw APIError.notificationNotFound
            }
            let device = try Self.receiver(request.deviceId, session, of: account, in: store)
            let instant = Self.bounded(reported ?? now, from: notification.createdAt, to: now)
            if kind == .opened { try store.endFormerMark(of: notification.id, at: now) }
            let isFirst = try !store.hasReceipt(of: notification.id, from: device)
            return (try store.record(kind, of: notification.id, on: device, at: instant), isFirst)
        }
        if isFirst { context.metrics.count(.apnsReceived, of: account.id) }
        context.log.write(
            .receiptRecorded,
            [
                ("account.id", .number(account.id.rawValue)), ("notification.id", .text(publicID)),
                ("receipt.kind", .text(kind.rawValue)),
            ]
        )
        return try .json(200, ReceiptResponse(receivedAt: ISO8601.text(receivedAt)))
    }

    /// A device's clock may be anything; nothing is received before it was made or later than now.
    static func bounded(_ instant: WallTime, from start: WallTime, to end: WallTime) -> WallTime {
        min(max(instant, start), max(end, start))
    }

    /// The device that asks, as its session says. One that asks by a session without a device may name itself.
    private static func receiver(
        _ named: String?,
        _ session: Session,
        of account: Account,
        in store: Store
    ) throws -> DeviceID? {
        if let own = session.device?.publicID {
            guard named == nil || named == own else {
                throw APIError.invalidField("deviceId", expected: "absent, or the id of the device that asks")
            }
            return try store.device(publicID: own, of: account.id)?.id
        }
        guard let named else { return nil }
        guard let device = try store.device(publicID: named, of: account.id) else { throw APIError.deviceNotFound }
        return device.id
    }

    // MARK: Test

    private struct TestRequest: Decodable {
        /// A device, or `all`; all when it is absent.
        var deviceId: String?
    }

    private struct TestResponse: Encodable {
        var queued = true
        var notificationId: String
        var targetDevices: Int
    }

    private static let testsPerMinute = 6

    /// Sends a test through the same outbox as everything else.
    private func sendTest(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account
        let wanted = call.request.body.isEmpty ? nil : try call.request.decodeBody(TestRequest.self).deviceId
        guard await !context.delivery.isLogOnly else { throw APIError.pushNotConfigured }
        let now = context.time.wallNow
        let outbox = Outbox(entropy: context.entropy, context.configuration)
        let enqueued = try await context.store.transaction { store in
            let start = now.advanced(by: .minutes(-1))
            guard try store.testCount(of: account.id, since: start, until: now) < Self.testsPerMinute else {
                throw APIError.tooManyTests(limit: Self.testsPerMinute)
            }
            let devices = try Self.testDevices(wanted, of: account, in: store)
            let draft = NotificationDraft(account: account.id, subject: .test)
            return try outbox.enqueue(draft, to: devices, at: now, in: store)
        }
        context.delivery.wakeSignal.send()
        context.metrics.count(.notificationsQueued, 1, ["service"], of: account.id)
        context.log.write(
            .notificationQueued,
            [
                ("account.id", .number(account.id.rawValue)), ("notification.id", .text(enqueued.publicID)),
                ("deliveries", .count(enqueued.deliveries)),
            ]
        )
        let answer = TestResponse(notificationId: enqueued.publicID, targetDevices: enqueued.deliveries)
        return try .json(202, answer)
    }

    private static func testDevices(_ wanted: String?, of account: Account, in store: Store) throws -> [DeviceID] {
        guard let wanted, wanted != "all" else {
            let devices = try store.activeDevices(of: account.id)
            guard !devices.isEmpty else { throw APIError.noDeviceToPush }
            return devices
        }
        guard let device = try store.device(publicID: wanted, of: account.id) else { throw APIError.deviceNotFound }
        guard device.state == .active else { throw APIError.noDeviceToPush }
        return [device.id]
    }

    // MARK: Redrive

    private struct RedriveResponse: Encodable {
        var redriven: Int
        var unreachable: Int
    }

    /// Lets deliveries that were given up go again.
    private func redrive(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account
        let publicID = call.parameter("id")
        guard context.configuration.pushEnabled else { throw APIError.pushNotConfigured }
        let now = context.time.wallNow
        let redrive = try await context.store.transaction { store in
            guard let notification = try store.notification(publicID: publicID, of: account.id) else {
                throw APIError.notificationNotFound
            }
            guard now < notification.expiresAt else { throw APIError.notificationExpired }
            return try store.redrive(notification.id, of: account.id, at: now)
        }
        if redrive.redriven > 0 { context.delivery.wakeSignal.send() }
        context.log.write(
            .deliveriesRedriven,
            [
                ("account.id", .number(account.id.rawValue)), ("notification.id", .text(publicID)),
                ("deliveries", .count(redrive.redriven)),
            ]
        )
        return try .json(200, RedriveResponse(redriven: redrive.redriven, unreachable: redrive.unreachable))
    }
}
