import HTTP
import Platform

/// `GET /health`, `GET /health/ready` and `GET /status`: whether all is well, for machines and for the person.
extension RESTAPI {
    static let statusRoutes = [
        APIRoute(.get, "/health", access: .open, .health) { api, _ in try api.health() },
        APIRoute(.get, "/health/ready", access: .open, .readiness) { api, _ in try await api.readiness() },
        APIRoute(.get, "/status", .status) { try await $0.status($1) },
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

extension RouteDescription {
    fileprivate static let health = RouteDescription(
        "health",
        "Tells that the server runs.",
        answers: [
            .json(
                200,
                "It runs.",
                .object([
                    .required("status", .word(["ok"]), "Always `ok`."),
                    .required("version", .text(), "The program's version."),
                    .required("uptime", .number(), "Seconds since the start."),
                    .optional("lastPollAt", .instant, "When GitLab was last read for anybody."),
                ])
            )
        ],
        examples: [
            Example(
                "running",
                "A server that has just started.",
                answer: ["status": "ok", "version": "0.1.0", "uptime": 0]
            )
        ]
    )

    fileprivate static let readiness = RouteDescription(
        "readiness",
        "Tells whether the server can do its work.",
        answers: [.json(200, "It can.", ready), .json(503, "It cannot now.", ready)],
        examples: [
            Example("ready", "All is well.", answer: ["ready": true, "db": "ok", "apns": "ok"])
        ]
    )

    private static let ready = APISchema.object([
        .required("ready", .boolean, "Whether all of it works."),
        .required("db", .word(["ok", "failed"]), "Whether the database can be read."),
        .required("apns", .word(["ok", "paused"]), "Whether pushes go out."),
    ])

    fileprivate static let status = RouteDescription(
        "status",
        "Shows what the server knows and does for the person.",
        answers: [
            .json(
                200,
                "The account's state.",
                .object([
                    .required("account", accountState, "The connection to GitLab."),
                    .required(
                        "pollState",
                        .object([.optional("lastSuccessfulPollAt", .instant, "When GitLab was last read.")]),
                        "How polling goes."
                    ),
                    .required("watchedItems", .object([.required("count", .number(), "How many.")]), "The watch list."),
                    .required("notifications", notificationCounts, "What was sent and what waits."),
                    .required("devices", deviceCounts, "The person's devices."),
                    .required("deadLetters", .list(deadLetter), "The newest deliveries that were given up."),
                    .required(
                        "apns",
                        .map(.text()),
                        "What keeps pushes back, by environment; `ok` when nothing does."
                    ),
                ])
            )
        ],
        examples: [
            Example(
                "newcomer",
                "A person who has just registered.",
                answer: [
                    "account": ["state": "active", "tokenExpiresOn": "2027-01-01"],
                    "apns": ["production": "ok", "sandbox": "ok"],
                    "deadLetters": [],
                    "devices": ["active": 0, "held": 0, "platforms": []],
                    "notifications": ["acceptedLast24h": 0, "deadLetters": 0, "pendingOutbox": 0, "sentLast24h": 0],
                    "pollState": [:],
                    "watchedItems": ["count": 0],
                ]
            )
        ]
    )

    private static let accountState = APISchema.object([
        .required("state", .word(["active", "auth_expired"]), "Whether GitLab takes the token."),
        .optional("troubleSince", .instant, "Since when GitLab cannot be read; absent while it can."),
        .optional("tokenExpiresOn", .day, "The token's last day; absent when it has none or GitLab does not tell."),
    ])

    private static let notificationCounts = APISchema.object([
        .required("pendingOutbox", .number(), "Deliveries that wait."),
        .optional("oldestPendingSeconds", .number(), "How long the oldest of them has waited."),
        .required("sentLast24h", .number(), "Notifications made in the last 24 hours."),
        .required("acceptedLast24h", .number(), "Those of them that APNs took for at least one device."),
        .required("deadLetters", .number(), "Deliveries that were given up."),
    ])

    private static let deviceCounts = APISchema.object([
        .required("active", .number(), "Devices that can be pushed to."),
        .required("held", .number(), "Devices whose token APNs refuses for now."),
        .required("platforms", .list(.word(["ios", "macos"])), "What they are."),
    ])

    private static let deadLetter = APISchema.object([
        .required("notificationId", .id, "What was not delivered."),
        .required("deviceId", .id, "Where to."),
        .required("reason", .text(), "Why not."),
        .required("attempts", .number(), "How often it was tried."),
        .required("at", .instant, "When it was given up."),
    ])
}
