/// What the person wants to change about their lists cannot be.
extension APIError {
    static let watchNotFound = APIError(
        404,
        "watch_not_found",
        "This watch list has no such entry.",
        hint: "GET /watch lists the entries."
    )

    static let deviceNotFound = APIError(
        404,
        "device_not_found",
        "There is no such device among yours.",
        hint: "GET /devices lists them."
    )

    static func watchLimitReached(limit: Int) -> APIError {
        APIError(409, "watch_limit", "The watch list is full.", hint: "Remove an entry; \(limit) are allowed.")
    }

    static func deviceLimitReached(limit: Int) -> APIError {
        APIError(409, "device_limit", "Too many devices are registered.", hint: "\(limit) are allowed.")
    }

    static let deniedActorNotFound = APIError(
        404,
        "actor_not_found",
        "Nobody of that number is on the deny-list.",
        hint: "GET /noise-filter/actors lists them."
    )

    static func deniedActorLimitReached(limit: Int) -> APIError {
        APIError(409, "actor_limit", "The deny-list is full.", hint: "Remove somebody; \(limit) are allowed.")
    }

    static let notificationUnknown = APIError(
        404,
        "notification_not_found",
        "There is no such notification.",
        hint: "GET /notifications lists them; old ones are forgotten."
    )

    static let notificationWithoutItem = APIError(
        409,
        "notification_without_item",
        "This notification is about no single item.",
        hint: "Watch or dismiss goes with news of one issue or merge request."
    )
}
