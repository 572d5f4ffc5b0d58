import HTTP

/// What the person wants done with a notification cannot be done.
extension APIError {
    static let notificationNotFound = APIError(
        404,
        "notification_not_found",
        "There is no such notification.",
        hint: "GET /notifications lists them; old ones are forgotten."
    )

    static let askNotFound = APIError(
        404,
        "ask_not_found",
        "Nothing with that id waits for you.",
        hint: "GET /asks lists who does; what was dealt with is not there any more."
    )

    static let notificationExpired = APIError(
        409,
        "notification_expired",
        "This notification is too old to be sent again.",
        hint: "It stays in the history: GET /notifications."
    )

    static let noDeviceToPush = APIError(
        409,
        "no_device",
        "No device can be pushed to.",
        hint: "Open the app on a device, so that it registers again."
    )

    static let pushNotConfigured = APIError(
        409,
        "push_not_configured",
        "This server does not push: it has no key for Apple's service, or pushing is switched off.",
        hint: "Whoever runs the server can change that; notifications are in GET /notifications meanwhile."
    )

    static func tooManyTests(limit: Int) -> APIError {
        APIError(
            429,
            "too_many_tests",
            "Too many test notifications.",
            hint: "\(limit) are allowed in a minute. Try again in a moment.",
            fields: ["Retry-After": "60"]
        )
    }
}
