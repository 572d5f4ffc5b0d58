import Configuration
import JSON

extension RouteDescription {
    static let registerDevice = RouteDescription(
        "registerDevice",
        "Gives the device of the session its push token, or tells that it is still there. A session without a device belongs to it"
            + " from now on. A session has one device: another token takes the place of the former one, as Apple renews them, and"
            + " the answer says so; a device of the other platform is another one, and needs a session of its own.",
        body: .object([
            .required(
                "apnsToken",
                .matching("([0-9A-Fa-f]{2})+", length: 2...400),
                "The device token from APNs: an even number of hexadecimal digits."
            ),
            .required("platform", .word(["ios", "macos"]), "What the device is."),
            .optional("appVersion", .text(0...64), "The app's version, for the person's own list of devices."),
            .optional(
                "environment",
                .word(["production", "sandbox", "development"]),
                "Which of Apple's services made the token, of which two are names of one; when absent what the server assumes, as a rule production."
            ),
            .optional("deviceName", deviceName, "What the person calls it; the former name stays when absent."),
        ]),
        answers: [
            .json(201, "The device is new.", registeredDevice),
            .json(200, "The device was known already.", registeredDevice),
        ],
        errors: [
            .deviceSessionTaken, .deviceLimitReached(limit: NotifierConfiguration().deviceLimit), .sessionInvalid,
        ],
        examples: [
            Example(
                "phone",
                "A phone registers its token.",
                body: [
                    "apnsToken": "a94b25e7f9d8c3b1a0", "platform": "ios", "appVersion": "1.0.0", "deviceName": "Phone",
                ],
                status: 201,
                answer: [
                    "deviceId": "550e8400-e29b-41d4-a716-446655440001",
                    "registered": true,
                    "token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.ZGV2aWNl",
                    "expiresAt": "2026-03-09T09:00:00.000Z",
                ]
            ),
            Example(
                "android",
                "A device that APNs does not reach.",
                body: ["apnsToken": "a94b25e7f9d8c3b1a0", "platform": "android"],
                status: 400,
                answer: [
                    "code": "invalid_field",
                    "message": "\"platform\" is not valid.",
                    "hint": "\"platform\" must be \"ios\" or \"macos\".",
                ]
            ),
        ]
    )

    private static let registeredDevice = APISchema.object([
        .required("deviceId", .id, "The device's id."),
        .required("registered", .boolean, "Always true."),
        .optional(
            "replacedToken",
            .boolean,
            "True when the device had another push token before. What APNs took for that lately is pushed again."
        ),
        .optional("token", .opaque, "The session as one of this device; when it has just become one."),
        .optional("expiresAt", .instant, "When `token` ends."),
    ])

    static let listDevices = RouteDescription(
        "listDevices",
        "Lists the person's devices, oldest first.",
        answers: [
            .json(200, "The devices.", .object([.required("devices", .list(device), "Oldest first.")]))
        ],
        examples: [
            Example(
                "one-phone",
                "A person with one phone.",
                after: ["registerDevice"],
                answer: [
                    "devices": [
                        [
                            "deviceId": "550e8400-e29b-41d4-a716-446655440001",
                            "platform": "ios",
                            "name": "Phone",
                            "appVersion": "1.0.0",
                            "environment": "production",
                            "state": "active",
                            "isCurrent": true,
                            "registeredAt": "2026-03-02T09:00:00.000Z",
                        ]
                    ]
                ]
            )
        ]
    )

    private static let device = APISchema.object([
        .required("deviceId", .id, "The device's id."),
        .required("platform", .word(["ios", "macos"]), "What it is."),
        .optional("name", .text(1...64), "What the person calls it."),
        .optional("appVersion", .text(0...64), "The app's version."),
        .optional("environment", .word(["production", "sandbox"]), "Absent while it has no push token."),
        .required(
            "state",
            .word(["active", "held", "dead", "paired"]),
            "`active`: is pushed to. `held`: APNs refuses its token for now. `dead`: APNs ended its token."
                + " `paired`: signed in without a push token."
        ),
        .required("isCurrent", .boolean, "Whether it is the one that asks."),
        .required("registeredAt", .instant, "When it last registered."),
    ])

    static let removeOwnDevice = RouteDescription(
        "removeOwnDevice",
        "Removes the device that asks: its session ends, and nothing is sent to it any more. This is how an app signs out.",
        answers: [.empty("It is removed.")],
        errors: [.deviceNotFound],
        examples: [
            Example("sign-out", "A person signs out on a phone.", after: ["registerDevice"], status: 204)
        ]
    )

    static let unregisterDevice = RouteDescription(
        "unregisterDevice",
        "Ends pushing to a device by its push token, as when the person switches notifications off. Its session stays.",
        body: .object([
            .required(
                "apnsToken",
                .matching("([0-9A-Fa-f]{2})+", length: 2...400),
                "The device token from APNs: an even number of hexadecimal digits."
            )
        ]),
        answers: [
            .json(
                200,
                "Nothing is pushed to that token for this person any more.",
                .object([.required("unregistered", .boolean, "Whether a device of the person had it.")])
            )
        ],
        examples: [
            Example(
                "switched-off",
                "A person switches notifications off in the phone's settings.",
                after: ["registerDevice"],
                body: ["apnsToken": "a94b25e7f9d8c3b1a0"],
                answer: ["unregistered": true]
            ),
            Example(
                "unknown",
                "A token that no device of the person has.",
                body: ["apnsToken": "ffff"],
                answer: ["unregistered": false]
            ),
        ]
    )

    static let removeDevice = RouteDescription(
        "removeDevice",
        "Removes a device: its session ends, and nothing is sent to it any more.",
        parameters: [.path("id", .id, "The device's id.")],
        answers: [.empty("It is removed.")],
        errors: [.deviceNotFound],
        examples: [
            Example(
                "lost-phone",
                "A person removes a phone.",
                after: ["registerDevice"],
                parameters: ["id": "550e8400-e29b-41d4-a716-446655440001"],
                status: 204
            ),
            Example(
                "unknown",
                "A device that is not the person's.",
                parameters: ["id": "550e8400-e29b-41d4-a716-446655440099"],
                status: 404,
                answer: [
                    "code": "device_not_found",
                    "message": "There is no such device among yours.",
                    "hint": "GET /devices lists them.",
                ]
            ),
        ]
    )
}
