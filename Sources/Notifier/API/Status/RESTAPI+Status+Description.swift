import JSON

/// What the description of the API says about the state of things.
extension RouteDescription {
    static let health = RouteDescription(
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

    static let readiness = RouteDescription(
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

    static let status = RouteDescription(
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
                            .required("limit", .number(), "How many there may be."),
                            .required(
                                "lastCursorUpdates",
                                .list(itemReading, count: 0...100),
                                "When items were last read, the one that waits longest first."
                            ),
                        ]),
                        "The watch list."
                    ),
                    .required("notifications", notificationCounts, "What was sent and what waits."),
                    .required("asks", askCounts, "Who waits for the person."),
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
                    "asks": ["open": 0],
                    "deadLetters": [],
                    "devices": ["active": 0, "held": 0, "platforms": []],
                    "notifications": [
                        "acceptedLast24h": 0, "attemptedLast24h": 0, "deadLetters": 0, "deliveredLast24h": 0,
                        "openedLast24h": 0, "pendingOutbox": 0, "sentLast24h": 0,
                    ],
                    "pollState": [:],
                    "watchedItems": ["count": 0, "lastCursorUpdates": [], "limit": 1_000],
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

    private static let askCounts = APISchema.object([
        .required(
            "open",
            .number(),
            "Reviews, approvals and answers that nobody has dealt with yet; `GET /asks` lists them."
        ),
        .optional("oldestAt", .instant, "Since when the one that waits longest does."),
        .optional("remindAt", .instant, "When the person is told again; absent when they are not."),
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
