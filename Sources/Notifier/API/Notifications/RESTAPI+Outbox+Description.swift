import JSON

/// What the published document says of the outbox's routes.
extension RouteDescription {
    static let sendTest = RouteDescription(
        "sendTest",
        "Sends a test notification through the same outbox as everything else.",
        body: .object([
            .optional("deviceId", .either([.id, .word(["all"])]), "One device; every active one when absent or `all`.")
        ]),
        isBodyRequired: false,
        answers: [
            .json(
                202,
                "It is queued.",
                .object([
                    .required("queued", .boolean, "Always true."),
                    .required("notificationId", .id, "The notification's id, as the push bears it."),
                    .required("targetDevices", .number(1...1_000), "To how many devices it goes."),
                ])
            )
        ],
        errors: [.deviceNotFound, .noDeviceToPush, .pushNotConfigured, .tooManyTests(limit: 6)],
        examples: [
            Example(
                "all-devices",
                "A person wants to see that pushes arrive.",
                after: ["registerDevice"],
                body: [:],
                status: 202,
                answer: [
                    "queued": true, "notificationId": "550e8400-e29b-41d4-a716-446655440099", "targetDevices": 1,
                ]
            ),
            Example(
                "unknown-device",
                "The device is not this person's.",
                body: ["deviceId": "550e8400-e29b-41d4-a716-446655440011"],
                status: 404
            ),
        ]
    )

    static let receive = RouteDescription(
        "receive",
        "Notes that a device has shown a notification, or that the person opened it. The first report of a kind stands.",
        parameters: [.path("id", .id, "The notification's id.")],
        body: .object([
            .required("type", .word(["delivered", "opened"]), "What happened; who opened has received."),
            .optional("deviceId", .id, "On which device; the session's own when absent."),
            .optional("at", .instant, "When it happened, for reports that come late; bounded by the server's clock."),
        ]),
        answers: [
            .json(
                200,
                "It is noted.",
                .object([
                    .required("acknowledged", .boolean, "Always true."),
                    .required("receivedAt", .instant, "The instant that stands."),
                ])
            )
        ],
        errors: [.notificationNotFound, .deviceNotFound],
        examples: [
            Example(
                "delivered",
                "The app's extension has shown the test.",
                after: ["sendTest"],
                parameters: ["id": "550e8400-e29b-41d4-a716-446655440099"],
                body: ["type": "delivered"],
                answer: ["acknowledged": true, "receivedAt": "2026-03-02T09:00:00.000Z"]
            )
        ]
    )

    static let redrive = RouteDescription(
        "redrive",
        "Queues the deliveries of a notification that were given up again, under the same ids. None of what is read.",
        parameters: [.path("id", .id, "The notification's id.")],
        answers: [
            .json(
                200,
                "What can go again is queued.",
                .object([
                    .required("redriven", .number(), "How many deliveries are queued again."),
                    .required("unreachable", .number(), "How many stay dead, for their device cannot be pushed to."),
                ])
            )
        ],
        errors: [.notificationNotFound, .notificationExpired, .pushNotConfigured],
        examples: [
            Example(
                "nothing-dead",
                "A notification that was not given up stays as it is.",
                after: ["sendTest"],
                parameters: ["id": "550e8400-e29b-41d4-a716-446655440099"],
                answer: ["redriven": 0, "unreachable": 0]
            )
        ]
    )
}
