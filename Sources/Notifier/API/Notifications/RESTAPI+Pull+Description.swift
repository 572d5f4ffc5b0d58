import JSON

/// What the published document says of the routes by which apps learn of news without a push.
extension RouteDescription {
    static let ping = RouteDescription(
        "ping",
        "Tells whether there is anything to fetch. Apps in the foreground ask every ten seconds; it counts as a twentieth of a request.",
        parameters: [
            .optionalHeader(
                "If-None-Match",
                .text(0...16_384),
                "The `ETag` of an earlier answer, for a 304 while nothing is new."
            )
        ],
        answers: [
            .json(
                200,
                "Two numbers, to be compared with those of an earlier answer. They never fall; how much they rise says nothing.",
                .object([
                    .required("status", .word(["ok"]), "Always `ok`."),
                    .required("serverVersion", .text(1...64), "The program's version."),
                    .required(
                        "dataVersion",
                        versionNumber,
                        "Another one whenever something changed but notifications: watch list, choices, settings, devices, what is read."
                    ),
                    .required(
                        "notificationVersion",
                        versionNumber,
                        "Another one whenever there is a notification more."
                    ),
                ])
            ),
            .notModified("Nothing is new."),
        ],
        examples: [
            Example(
                "first",
                "An app that has just signed in.",
                answer: [
                    "status": "ok", "serverVersion": "0.1.0", "dataVersion": 1_858_540_142_592_000,
                    "notificationVersion": 1_858_540_142_592_000,
                ]
            ),
            Example(
                "nothing-new",
                "The same app ten seconds later.",
                parameters: ["If-None-Match": "\"0.1.0-1-1858540142592000-1858540142592000\""],
                status: 304
            ),
        ]
    )

    private static let versionNumber = APISchema.number(0...9_007_199_254_740_991)

    static let acknowledge = RouteDescription(
        "acknowledge",
        "Notes that the app that asks has notifications, whichever way they came: what still waits to be pushed to its device is not"
            + " pushed any more. Nothing is read by that.",
        body: .either([
            .object([
                .required("notificationIds", ids, "The ids; those that nobody knows are counted and otherwise ignored.")
            ]),
            .object([.required("notification_ids", ids, "The same, as the first clients wrote it.")]),
        ]),
        answers: [
            .json(
                200,
                "It is noted.",
                .object([
                    .required("acknowledged", .number(0...100), "How many of them there are, also those noted before."),
                    .required("unknown", .number(0...100), "How many there are not."),
                ])
            )
        ],
        examples: [
            Example(
                "shown",
                "An app has shown a test, and names another that has been forgotten.",
                after: ["sendTest"],
                body: [
                    "notificationIds": [
                        "550e8400-e29b-41d4-a716-446655440099", "550e8400-e29b-41d4-a716-446655440098",
                    ]
                ],
                answer: ["acknowledged": 1, "unknown": 1]
            )
        ]
    )

    private static let ids = APISchema.list(.text(0...64), count: 1...100)

    private static let readAt = APISchema.Property.optional(
        "readAt",
        .instant,
        "When the person chose it, if earlier than now: the last choice wins, and what was made after it stays unread."
    )

    private static let upTo = APISchema.Property.optional(
        "upTo",
        .text(0...64),
        "The newest notification that the app knew then: it and what is older is meant, too, whatever the clocks say."
    )

    static let markRead = RouteDescription(
        "markRead",
        "Notes what the person has read, for all of their devices.",
        body: .either([
            .object([
                .required("ids", ids, "These notifications."),
                .optional("subject", .null, "Not beside `ids`."),
                .optional("all", .null, "Not beside `ids`."),
                .optional("read", .boolean, "False for unread again; true when absent."),
                readAt,
            ]),
            .object([
                .required("subject", .text(1...64), "All about one subject, as `GET /notifications` names it."),
                readAt, upTo,
            ]),
            .object([.required("all", .boolean, "True: all there are; false: none."), readAt, upTo]),
        ]),
        answers: [
            .json(
                200,
                "What holds now.",
                .object([
                    .required("changed", .number(), "How many are read, or unread, that were not before."),
                    .required("unknown", .number(0...100), "How many of `ids` nobody knows."),
                    .required("unreadCount", .number(), "How many are unread now, as the badge counts them."),
                    .required("dataVersion", versionNumber, "As in `GET /ping`, with this change in it."),
                ])
            )
        ],
        examples: [
            Example(
                "one",
                "A person has read a test.",
                after: ["sendTest"],
                body: ["ids": ["550e8400-e29b-41d4-a716-446655440099"]],
                answer: ["changed": 1, "unknown": 0, "unreadCount": 0, "dataVersion": 1_858_540_142_592_003]
            ),
            Example(
                "all",
                "A person has read all, of which nothing was new.",
                body: ["all": true],
                answer: ["changed": 0, "unknown": 0, "unreadCount": 0, "dataVersion": 1_858_540_142_592_000]
            ),
        ]
    )

    static let listUnread = RouteDescription(
        "listUnread",
        "Counts what the person has not read on any device: the number on the badge. News of the service does not count.",
        answers: [
            .json(
                200,
                "How much is unread.",
                .object([
                    .required("count", .number(), "In all."),
                    .required("bySubject", .list(unreadSubject, count: 0...200), "The subject with the newest first."),
                    .required("moreSubjects", .number(), "How many subjects are left out here."),
                    .required("dataVersion", versionNumber, "As in `GET /ping`."),
                    .required("notificationVersion", versionNumber, "As in `GET /ping`."),
                ])
            )
        ],
        examples: [
            Example(
                "nothing",
                "A person who has read everything.",
                answer: [
                    "count": 0, "bySubject": [], "moreSubjects": 0, "dataVersion": 1_858_540_142_592_000,
                    "notificationVersion": 1_858_540_142_592_000,
                ]
            )
        ]
    )

    private static let unreadSubject = APISchema.object([
        .required("subject", .text(1...64), "As `GET /notifications` names it."),
        .required("count", .number(), "How many."),
        .required("newestId", .id, "The id of the newest of them."),
        .required("newestAt", .instant, "When that was made."),
        .optional("itemType", .word(["issue", "merge_request"]), "What kind of item it is about."),
        .optional("projectId", .number(), "The item's project."),
        .optional("itemIid", .number(), "The item's number in its project."),
    ])
}
