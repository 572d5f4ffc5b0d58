import JSON

extension RouteDescription {
    static let startOAuth = RouteDescription(
        "startOAuth",
        "Begins a sign-in through GitLab: in a browser, or with a code that the person types in elsewhere.",
        body: .object([
            .required("gitlabUrl", instance, "The instance; of a path at most the first slash."),
            .optional(
                "grantType",
                .word(["authorization_code", "device_code"]),
                "How the person agrees: in a browser on this device, the default, or elsewhere."
            ),
        ]),
        answers: [
            .json(
                201,
                "The person is to agree now.",
                .object([
                    .required("state", .opaque, "Names this sign-in; works once."),
                    .required("grantType", .word(["authorization_code", "device_code"]), "As it was asked for."),
                    .optional("authorizationUrl", .opaque, "Where the browser goes."),
                    .optional("userCode", .text(), "What the person types in."),
                    .optional("verificationUrl", .url, "Where they type it in."),
                    .optional("verificationUrlComplete", .url, "The same with the code filled in."),
                    .optional("pollSeconds", .number(), "How long to wait between two requests to finish."),
                    .required("expiresAt", .instant, "Until when the person may agree."),
                ])
            )
        ],
        errors: [.oauthNotOffered, .oauthMisconfigured(code: "invalid_client"), .oauthCodeRefused, .oauthDenied],
        examples: [
            Example(
                "browser",
                "A person will agree in the browser.",
                body: ["gitlabUrl": "https://gitlab.example.com"],
                status: 201,
                answer: [
                    "state": "c3RhdGUgb2YgdGhpcnR5LXR3byByYW5kb20gYnl0ZXM",
                    "grantType": "authorization_code",
                    "authorizationUrl": "https://gitlab.example.com/oauth/authorize?client_id=notifier",
                    "expiresAt": "2026-03-02T09:10:00.000Z",
                ]
            )
        ]
    )

    static let finishOAuth = RouteDescription(
        "finishOAuth",
        "Ends a sign-in through GitLab: connects the person, or gives their account another grant.",
        body: .object([
            .required("state", .text(1...128), "The state of the sign-in."),
            .optional("code", .text(1...1_024), "What GitLab sent the browser back with; not for `device_code`."),
        ]),
        answers: [
            .json(201, "The account is new.", registeredSession),
            .json(200, "The account was known already.", registeredSession),
            .json(
                202,
                "The person has not agreed yet.",
                .object([
                    .required("status", .word(["pending"]), "Always the same."),
                    .required("retryAfterSeconds", .number(), "When to ask again."),
                ])
            ),
        ],
        errors: [
            .oauthStateInvalid, .oauthCodeRefused, .oauthDenied, .oauthMisconfigured(code: "invalid_client"),
            .gitLabNotFound, .changedMeanwhile, .requestBudgetSpent(retryAfter: .seconds(60)),
        ],
        examples: [
            Example(
                "over",
                "A sign-in that is over, or never began.",
                body: ["state": "c3RhdGUgb2YgYW4gb2xkIHNpZ24taW4", "code": "a-code-of-GitLab"],
                status: 400,
                answer: [
                    "code": "oauth_state_invalid",
                    "message": "This sign-in is unknown, over, or used already.",
                    "hint": "Start again with POST /auth/oauth/start.",
                ]
            )
        ]
    )
}
