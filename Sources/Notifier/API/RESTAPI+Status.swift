import Configuration
import HTTP
import JSON
import Platform

/// `GET /health`, `GET /health/ready` and `GET /status`: whether all is well, for machines and for the person.
extension RESTAPI {
    static let statusRoutes = [
        APIRoute(.get, "/health", access: .open, toll: .none, .health) { api, _ in try api.health() },
        APIRoute(.get, "/health/ready", access: .open, toll: .none, .readiness) { api, _ in
            try await api.readiness()
        },
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
            /// When the to-dos were last read to the end; absent until this process has.
            var lastTodosFetchedAt: String?
            /// Absent unless the account is set aside.
            var setAsideUntil: String?
            /// Absent unless the person's GitLab is asked for less than is configured.
            var gitlabNarrowed: Bool?
        }

        struct WatchedItems: Encodable {
            struct Reading: Encodable {
                var itemIid: Int64
                var itemType: String
                var projectId: Int64
                var lastActivityFetchedAt: String
            }

            var count: Int
            /// The items that were not read for the longest time first.
            var lastCursorUpdates: [Reading]
        }

        struct Notifications: Encodable {
            var pendingOutbox: Int
            var oldestPendingSeconds: Int64?
            var sentLast24h: Int
            var attemptedLast24h: Int
            var acceptedLast24h: Int
            /// By receipts, which devices do not always send.
            var deliveredLast24h: Int
            var openedLast24h: Int
            /// Accepted by APNs of those attempted; absent before the first attempt.
            var acceptanceRate: Double?
            /// Confirmed by a device of those accepted: a lower bound. Absent while nothing was accepted.
            var deliveryRate: Double?
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
            Health(uptime: uptime, lastPollAt: context.polling.status.lastPollAt.map(ISO8601.text))
        )
    }

    private func readiness() async throws -> HTTPResponse {
        let isReadable = (try? await context.store.read { try $0.isReadable() }) == true
        // Being readable is not enough: a server that cannot write notifies nobody.
        let trouble = context.store.watch?.reason?.rawValue
        let apns = await context.delivery.state
        let isSending = apns.values.allSatisfy { $0 == DeliveryService.healthy }
        // A server without a key does all that it was set up for.
        let isLogOnly = apns.values.allSatisfy { $0 == DeliveryService.logOnly }
        let answer = Readiness(
            ready: isReadable && trouble == nil && (isSending || isLogOnly),
            db: trouble ?? (isReadable ? "ok" : "failed"),
            apns: isSending ? "ok" : isLogOnly ? "log_only" : "paused"
        )
        return try .json(answer.ready ? 200 : 503, answer)
    }

    private func status(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account
        let now = context.time.wallNow
        let (found, deaths) = try await context.store.read { store in
            (try store.accountStatus(account.id, at: now), try store.pollDeaths(of: account.id))
        }
        let polling = context.polling.status[account.id]
        let polled = polling?.lastPollAt ?? account.lastPollAt
        let answer = Status(
            account: .init(
                state: context.instances.serve(account.origin) ? account.state.rawValue : Self.notServed,
                troubleSince: account.troubleSince.map(ISO8601.text),
                tokenExpiresOn: account.tokenExpiresOn
            ),
            pollState: .init(
                lastSuccessfulPollAt: polled.map(ISO8601.text),
                lastTodosFetchedAt: polling?.todosReadAt.map(ISO8601.text),
                setAsideUntil: deaths.flatMap {
                    $0.isSetAside ? ISO8601.text(now.advanced(by: $0.pauseLeft(at: now))) : nil
                },
                gitlabNarrowed: context.gates.flatMap { $0.isNarrowed(account.origin) ? true : nil }
            ),
            watchedItems: .init(count: found.watches, lastCursorUpdates: Self.readings(polling)),
            notifications: .init(
                pendingOutbox: found.pending,
                oldestPendingSeconds: found.oldestPending.map { $0.duration(to: now).components.seconds },
                sentLast24h: found.notifications,
                attemptedLast24h: found.attempted,
                acceptedLast24h: found.accepted,
                deliveredLast24h: found.delivered,
                openedLast24h: found.opened,
                acceptanceRate: Self.rate(found.accepted, of: found.attempted),
                deliveryRate: Self.rate(found.delivered, of: found.accepted),
                deadLetters: found.dead
            ),
            devices: .init(active: found.activeDevices, held: found.heldDevices, platforms: found.platforms),
            deadLetters: found.deadLetters.map { letter in
                .init(
                    notificationId: letter.notification,
                    deviceId: letter.device,
                    reason: letter.reason,
                    attempts: letter.attempts,
                    at: ISO8601.text(letter.at)
                )
            },
            apns: await context.delivery.state
        )
        return try .json(200, answer)
    }

    /// The state of an account whose GitLab is not listed any more.
    private static let notServed = "gitlab_not_served"

    /// How many items the answer tells of.
    private static let readingLimit = 100

    private static func readings(_ status: PollingStatus?) -> [Status.WatchedItems.Reading] {
        let oldestFirst = (status?.itemsReadAt ?? []).enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
        return oldestFirst.prefix(readingLimit).map { _, reading in
            .init(
                itemIid: reading.item.iid,
                itemType: reading.item.kind.rawValue,
                projectId: reading.item.project.rawValue,
                lastActivityFetchedAt: ISO8601.text(reading.at)
            )
        }
    }

    /// In thousandths; nil when there is nothing to divide by.
    private static func rate(_ part: Int, of whole: Int) -> Double? {
        whole > 0 ? Double((part * 1_000 + whole / 2) / whole) / 1_000 : nil
    }
}

extension DeliveryService {
    /// The state of an environment that nothing keeps back.
    static let healthy = "ok"
    /// The state of a server without a key to push with.
    static let logOnly = "log_only"

    /// What keeps pushes back, by environment.
    var state: [String: String] {
        var state: [String: String] = [:]
        for environment in PushEnvironment.allCases {
            guard !isLogOnly else {
                state[environment.rawValue] = Self.logOnly
                continue
            }
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
package enum NotifierVersion {
    package static let current = "0.1.0"
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
        .required(
            "db",
            .word(["ok", "failed"] + StoreHealth.Reason.allCases.map(\.rawValue)),
            """
            Whether the database can be read (`failed` when not) and takes what is written: `full` for a disk without room, `io_error` \
            for one that fails, `read_only`, `locked` by another program, `damaged` for a file whose structure is broken.
            """
        ),
        .required(
            "apns",
            .word(["ok", "paused", "log_only"]),
            "Whether pushes go out; `log_only` without a key to push with, or where pushing is switched off."
        ),
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
                        .object([
                            .optional("lastSuccessfulPollAt", .instant, "When GitLab was last read."),
                            .optional("lastTodosFetchedAt", .instant, "When the to-dos were last read to the end."),
                            .optional(
                                "setAsideUntil",
                                .instant,
                                "When GitLab is tried again, whose answers have ended the server more than once."
                            ),
                            .optional(
                                "gitlabNarrowed",
                                .boolean,
                                "True while this GitLab is asked for less, as it limits several people or has become slow: news may be later."
                            ),
                        ]),
                        "How polling goes."
                    ),
                    .required(
                        "watchedItems",
                        .object([
                            .required("count", .number(), "How many."),
                            .required(
                                "lastCursorUpdates",
                                .list(itemReading, count: 0...100),
                                "When items were last read, the one that waits longest first."
                            ),
                        ]),
                        "The watch list."
                    ),
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
                    "notifications": [
                        "acceptedLast24h": 0, "attemptedLast24h": 0, "deadLetters": 0, "deliveredLast24h": 0,
                        "openedLast24h": 0, "pendingOutbox": 0, "sentLast24h": 0,
                    ],
                    "pollState": [:],
                    "watchedItems": ["count": 0, "lastCursorUpdates": []],
                ]
            )
        ]
    )

    private static let accountState = APISchema.object([
        .required(
            "state",
            .word(["active", "auth_expired", "gitlab_not_served"]),
            "Whether GitLab takes the token; `gitlab_not_served` while this server is not set up for that GitLab."
        ),
        .optional("troubleSince", .instant, "Since when GitLab cannot be read; absent while it can."),
        .optional("tokenExpiresOn", .day, "The token's last day; absent when it has none or GitLab does not tell."),
    ])

    private static let notificationCounts = APISchema.object([
        .required("pendingOutbox", .number(), "Deliveries that wait."),
        .optional("oldestPendingSeconds", .number(), "How long the oldest of them has waited."),
        .required("sentLast24h", .number(), "Notifications made in the last 24 hours."),
        .required("attemptedLast24h", .number(), "Those of them that were sent to at least one device."),
        .required("acceptedLast24h", .number(), "Those of them that APNs took for at least one device."),
        .required("deliveredLast24h", .number(), "Those accepted that a device has confirmed: a lower bound."),
        .required("openedLast24h", .number(), "Those of the last 24 hours that the person opened."),
        .optional("acceptanceRate", .decimal(0...1), "Accepted of attempted; absent before the first attempt."),
        .optional("deliveryRate", .decimal(0...1), "Confirmed of accepted; absent while nothing was accepted."),
        .required("deadLetters", .number(), "Deliveries that were given up."),
    ])

    private static let itemReading = APISchema.object([
        .required("itemIid", .number(), "The item's number in its project."),
        .required("itemType", .word(["issue", "merge_request"]), "What the item is."),
        .required("projectId", .number(), "The item's project."),
        .required("lastActivityFetchedAt", .instant, "When its lists were last read to the end."),
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
