import HTTP

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
        "Nobody with that number is on the deny-list.",
        hint: "GET /noise-filter/actors lists them."
    )

    static func deniedActorLimitReached(limit: Int) -> APIError {
        APIError(409, "actor_limit", "The deny-list is full.", hint: "Remove somebody; \(limit) are allowed.")
    }

    static let revisionAhead = APIError(
        409,
        "revision_ahead",
        "This device knows a later state than the server has.",
        hint: "GET /sync without \"since\" and begin anew, then send the changes again."
    )

    static func changeTooOld(days: Int) -> APIError {
        APIError(
            409,
            "change_too_old",
            "This change was made too long ago.",
            hint: "Changes older than \(days) days are not taken; make it again."
        )
    }

    static let watchLater = APIError(
        503,
        "watch_later",
        "GitLab was asked about as many new items as one envelope may bring.",
        hint: "Send this change again in another envelope.",
        fields: ["Retry-After": "1"]
    )

    static func choiceLimitReached(limit: Int) -> APIError {
        APIError(
            409,
            "choice_limit",
            "Too many choices are remembered.",
            hint: "\(limit) of a kind are allowed; old ones are forgotten in time."
        )
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
