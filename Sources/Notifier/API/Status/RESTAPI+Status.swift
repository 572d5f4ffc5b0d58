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
            /// How many there may be; what the person is tagged on is watched only while there is room.
            var limit: Int
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

        struct Asks: Encodable {
            var open: Int
            var oldestAt: String?
            /// When the person is told again; absent when they are not.
            var remindAt: String?
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
        var asks: Asks
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
        let (found, deaths, asks) = try await context.store.read { store in
            (
                try store.accountStatus(account.id, at: now), try store.pollDeaths(of: account.id),
                try store.askSummary(of: account.id)
            )
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
            watchedItems: .init(
                count: found.watches,
                limit: context.configuration.watchLimit,
                lastCursorUpdates: Self.readings(polling)
            ),
            notifications: .init(
                pendingOutbox: found.pending,
                oldestPendingSeconds: found.oldestPending.map { max(0, $0.duration(to: now).components.seconds) },
                sentLast24h: found.notifications,
                attemptedLast24h: found.attempted,
                acceptedLast24h: found.accepted,
                deliveredLast24h: found.delivered,
                openedLast24h: found.opened,
                acceptanceRate: Self.rate(found.accepted, of: found.attempted),
                deliveryRate: Self.rate(found.delivered, of: found.accepted),
                deadLetters: found.dead
            ),
            asks: .init(
                open: asks.open,
                oldestAt: asks.oldest.map(ISO8601.text),
                remindAt: asks.next.map(ISO8601.text)
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
