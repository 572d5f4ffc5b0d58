import HTTP
import Platform

/// `GET /health`, `GET /health/ready` and `GET /status`: whether all is well, for machines and for the person.
extension RESTAPI {
    static let statusRoutes = [
        APIRoute(.get, "/health", access: .open) { api, _ in try api.health() },
        APIRoute(.get, "/health/ready", access: .open) { api, _ in try await api.readiness() },
        APIRoute(.get, "/status") { try await $0.status($1) },
    ]

    private struct Health: Encodable {
        var status = "ok"
        var version = NotifierVersion.current
        /// Seconds.
        var uptime: Int64
        var lastPollAt: String?
    }

    private struct Readiness: Encodable {
        var ready: Bool
        var db: String
        var apns: String
    }

    private struct Status: Encodable {
        struct Account: Encodable {
            var state: String
            var troubleSince: String?
            var tokenExpiresOn: String?
        }

        struct PollState: Encodable {
            var lastSuccessfulPollAt: String?
        }

        struct WatchedItems: Encodable {
            var count: Int
        }

        struct Notifications: Encodable {
            var pendingOutbox: Int
            var oldestPendingSeconds: Int64?
            var sentLast24h: Int
            var acceptedLast24h: Int
            var deadLetters: Int
        }

        struct Devices: Encodable {
            var active: Int
            var held: Int
            var platforms: [String]
        }

        struct DeadLetter: Encodable {
            var notificationId: String
            var deviceId: String
            var reason: String
            var attempts: Int
            var at: String
        }

        var account: Account
        var pollState: PollState
        var watchedItems: WatchedItems
        var notifications: Notifications
        var devices: Devices
        /// The newest deliveries that were given up.
        var deadLetters: [DeadLetter]
        /// What keeps pushes back, by environment; `ok` when nothing does.
        var apns: [String: String]
    }

    private func health() throws -> HTTPResponse {
        let uptime = context.startedAt.duration(to: context.time.monotonicNow).components.seconds
        return try .json(
            200,
            Health(uptime: uptime, lastPollAt: context.polling.status.lastPollAt.map(APITime.text))
        )
    }

    private func readiness() async throws -> HTTPResponse {
        let isReadable = (try? await context.store.read { try $0.isReadable() }) == true
        let apns = await context.delivery.state
        let isSending = apns.values.allSatisfy { $0 == DeliveryService.healthy }
        let answer = Readiness(
            ready: isReadable && isSending,
            db: isReadable ? "ok" : "failed",
            apns: isSending ? "ok" : "paused"
        )
        return try .json(answer.ready ? 200 : 503, answer)
    }

    private func status(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account
        let now = context.time.wallNow
        let found = try await context.store.read { try $0.accountStatus(account.id, at: now) }
        let polled = context.polling.status[account.id]?.lastPollAt ?? account.lastPollAt
        let answer = Status(
            account: .init(
                state: account.state.rawValue,
                troubleSince: account.troubleSince.map(APITime.text),
                tokenExpiresOn: account.tokenExpiresOn
            ),
            pollState: .init(lastSuccessfulPollAt: polled.map(APITime.text)),
            watchedItems: .init(count: found.watches),
            notifications: .init(
                pendingOutbox: found.pending,
                oldestPendingSeconds: found.oldestPending.map { $0.duration(to: now).components.seconds },
                sentLast24h: found.notifications,
                acceptedLast24h: found.accepted,
                deadLetters: found.dead
            ),
            devices: .init(active: found.activeDevices, held: found.heldDevices, platforms: found.platforms),
            deadLetters: found.deadLetters.map { letter in
                .init(
                    notificationId: letter.notification,
                    deviceId: letter.device,
                    reason: letter.reason,
                    attempts: letter.attempts,
                    at: APITime.text(letter.at)
                )
            },
            apns: await context.delivery.state
        )
        return try .json(200, answer)
    }
}

extension DeliveryService {
    /// The state of an environment that nothing keeps back.
    static let healthy = "ok"

    /// What keeps pushes back, by environment.
    var state: [String: String] {
        var state: [String: String] = [:]
        for environment in PushEnvironment.allCases {
            guard case .open(let fault, _, _) = gate(environment).breaker else {
                state[environment.rawValue] = Self.healthy
                continue
            }
            state[environment.rawValue] = fault.code
        }
        return state
    }
}

/// Which program this is.
enum NotifierVersion {
    static let current = "0.1.0"
}
