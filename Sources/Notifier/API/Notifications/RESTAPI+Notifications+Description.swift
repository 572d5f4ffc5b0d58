import JSON

/// What the published document says of the history.
extension RouteDescription {
    static let listNotifications = RouteDescription(
        "listNotifications",
        "Lists the notifications of the last weeks, newest first; with `after`, what is new since then, oldest first.",
        parameters: [
            .query("limit", .number(1...100), "How many at most; 20 when absent."),
            .query("since", .instant, "Only those made at this instant or later."),
            .query("until", .instant, "Only those made before this instant."),
            .query("projectId", .number(1...Int64.max), "Only those about an item of this project."),
            .query("itemType", .word(["issue", "merge_request"]), "Only this kind of item; needs `projectId`."),
            .query("itemIid", .number(1...Int64.max), "Only this item; needs `projectId` and `itemType`."),
            .query("cursor", .opaque, "The `nextCursor` of an earlier answer, for the page behind it."),
            .query(
                "after",
                .text(0...36),
                "The id of the newest notification that the app knows, or nothing for one that knows none: what was made after it, oldest"
                    + " first. Beside it only `limit` may stand."
            ),
        ],
        answers: [
            .json(
                200,
                "One page of the history, or of what is new.",
                .object([
                    .required("notifications", .list(notification, count: 0...100), "In the order that was asked for."),
                    .optional(
                        "nextCursor",
                        .opaque,
                        "Leads to the next, older page; absent on the last, and with `after`."
                    ),
                    .optional("hasMore", .boolean, "Whether there is more after the last of these; only with `after`."),
                    .optional(
                        "reset",
                        .boolean,
                        "Whether `after` is not known, so that this begins with the oldest that is kept; only with `after`."
                    ),
                    .optional(
                        "notificationVersion",
                        .number(),
                        "As in `GET /ping`: with this page the app knows all up to here, unless there is more; only with `after`."
                    ),
                ])
            )
        ],
        examples: [
            Example(
                "nothing-yet",
                "A person who has just registered has no history.",
                parameters: ["limit": "50"],
                answer: ["notifications": []]
            ),
            Example(
                "caught-up",
                "An app asks for what came after the test, which is nothing.",
                after: ["sendTest"],
                parameters: ["after": "550e8400-e29b-41d4-a716-446655440099"],
                answer: [
                    "notifications": [], "hasMore": false, "reset": false, "notificationVersion": 1_858_540_142_592_001,
                ]
            ),
        ]
    )

    private static let delivery = APISchema.object([
        .required("deviceId", .id, "The device."),
        .required("state", .word(["queued", "claimed", "accepted", "acknowledged", "dead"]), "Where it stands."),
        .required("attempts", .number(), "How often it was tried."),
        .optional("outcome", .text(), "Why the last attempt ended as it did; absent before the first."),
        .optional("sentAt", .instant, "When APNs accepted it."),
        .optional("deliveredAt", .instant, "When the device showed it, if the device said so."),
        .optional("openedAt", .instant, "When the person opened it, if the device said so."),
    ])

    private static let notification = APISchema.object([
        .required("id", .id, "The notification's id, as the push bears it."),
        .optional(
            "collapseId",
            .id,
            "The `apns-collapse-id` of its push: it takes the place of what stands on screen under it. Absent when it is `id`."
        ),
        .required(
            "type",
            .word([
                "activity", "digest", "auth_expired", "token_expiring", "service_trouble", "service_recovered", "test",
                "reminder", "signal", "announcement", "due", "duty", "watch_list_full",
            ]),
            "What it is about."
        ),
        .optional(
            "actionType",
            .text(1...64),
            "The newest action it tells of, as in the push; absent for news of the service."
        ),
        .required("subject", .text(1...64), "What groups it with others on a device: the `thread-id` of the push."),
        .required("sentAt", .instant, "When it was made."),
        .optional(
            "source",
            .word(["todo", "note", "activity", "event", "signal", "duty"]),
            "Where it was read, or that a program said it, or that it is about a duty; absent for news of the service."
        ),
        .optional("sourceId", .number(), "The row's id in its source."),
        .optional("itemType", .word(["issue", "merge_request"]), "What kind of item it is about."),
        .optional("projectId", .number(), "The item's project."),
        .optional("itemIid", .number(), "The item's number in its project."),
        .required("title", .text(), "The first line."),
        .optional(
            "subtitle",
            .text(),
            "The second line: the item's title, or which program spoke; absent where there is none."
        ),
        .required("body", .text(), "The text below."),
        .optional("webUrl", .url, "Where the item stands in GitLab."),
        .required("facts", .list(.text(), count: 0...10_000), "The keys of all it covers."),
        .optional("readAt", .instant, "When the person opened it; absent while it is unread."),
        .required("acknowledged", .boolean, "Whether the app that asks has said that it has it."),
        .optional(
            "payload",
            .anyObject,
            "What was pushed or would have been, to show it without a push; only with `after`."
        ),
        .optional("deliveries", .list(delivery), "Its way to each device; absent with `after`."),
    ])
}
