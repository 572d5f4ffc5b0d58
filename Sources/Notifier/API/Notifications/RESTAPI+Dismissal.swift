import Configuration
import HTTP
import Platform

/// `POST /notifications/{id}/watch` and `POST`, `DELETE /notifications/{id}/dismiss`: what a person answers to the news that they
/// were tagged on an item they do not watch.
extension RESTAPI {
    static let dismissalRoutes = [
        APIRoute(.post, "/notifications/{id}/watch", asksGitLab: true, .watchFromNotification) {
            try await $0.watchFromNotification($1)
        },
        APIRoute(.post, "/notifications/{id}/dismiss", asksGitLab: true, .dismissFromNotification) {
            try await $0.dismiss($1)
        },
        APIRoute(.delete, "/notifications/{id}/dismiss", .undismissFromNotification) { try await $0.undismiss($1) },
    ]

    private struct Response: Encodable {
        var dismissed: Bool
    }

    private func watchFromNotification(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account
        let changedAt = try changeTime(of: call)
        let publicID = call.parameter("id")
        let (caller, now) = (try call.known, context.time.wallNow)
        let item = try await context.store.transaction { store in
            let item = try Self.subject(publicID, of: account.id, in: store).item
            try Self.noteReceipt(of: publicID, by: caller, at: now, in: store)
            return item
        }
        let saidAt = try ChangeTime.said(call.request.parameter("changedAt"))
        return try await watch(item, by: caller, call.stamp(changedAt), saidAt: saidAt)
    }

    /// The item tells no more, whether it was watched by then or not.
    private func dismiss(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account
        let changedAt = try changeTime(of: call)
        let publicID = call.parameter("id")
        let stamp = try call.stamp(changedAt)
        let (caller, now) = (try call.known, context.time.wallNow)
        let (choice, unwatched) = try await choose(caller) { store in
            let (item, description) = try Self.subject(publicID, of: account.id, in: store)
            try Self.noteReceipt(of: publicID, by: caller, at: now, in: store)
            var wasWatched = false
            if try store.isLast(stamp, on: item, of: account.id) {
                wasWatched = try store.deleteWatch(item, of: account.id)
                let choice = ItemChoice(choice: .dismissed, stamp)
                try store.setChoice(choice, on: item, description, of: account.id, at: now)
            } else {
                try store.noteEnd(of: item, for: account.id, stamp)
            }
            return (try store.choice(on: item, of: account.id)?.choice, wasWatched ? item : nil)
        }
        if let unwatched {
            context.polling.accountChanged(account.id)
            await mirror(isSubscribed: false, unwatched, account)
        }
        return try answer(choice, .itemDismissed, account)
    }

    /// The item may tag the person again; it is not watched by that.
    private func undismiss(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account
        let changedAt = try changeTime(of: call)
        let publicID = call.parameter("id")
        let stamp = try call.stamp(changedAt)
        let (caller, now) = (try call.known, context.time.wallNow)
        let choice = try await choose(caller) { store in
            let (item, description) = try Self.subject(publicID, of: account.id, in: store)
            let last = try store.choice(on: item, of: account.id)
            guard last?.choice == .dismissed, last?.isSuperseded(by: stamp) == true else { return last?.choice }
            let choice = ItemChoice(choice: .unwatched, stamp)
            try store.setChoice(choice, on: item, description, of: account.id, at: now)
            return choice.choice
        }
        return try answer(choice, .itemUndismissed, account)
    }

    /// Answers with what holds now, which is another device's choice when that was made later.
    private func answer(
        _ choice: ItemChoice.Choice?,
        _ message: LogMessage,
        _ account: Account
    ) throws -> HTTPResponse {
        context.log.write(message, [("account.id", .number(account.id.rawValue))])
        return try .json(200, Response(dismissed: choice == .dismissed))
    }

    /// Who answers a notification has it on that device, whether or not it has said so: it does not go to the device's next push token.
    private static func noteReceipt(
        of publicID: String,
        by caller: APICall.Caller,
        at now: WallTime,
        in store: Store
    ) throws {
        guard let device = try store.receiver(caller).device,
            let notification = try store.notification(publicID: publicID, of: caller.account.id)
        else { return }
        let instant = bounded(now, from: notification.createdAt, to: now)
        _ = try store.record(.delivered, of: notification.id, on: device, at: instant)
    }

    private func changeTime(of call: APICall) throws(APIError) -> WallTime {
        try ChangeTime.read(call.request.parameter("changedAt"), at: context.time.wallNow)
    }

    /// The item that a notification of the account is about.
    private static func subject(
        _ publicID: String,
        of account: AccountID,
        in store: Store
    ) throws -> (item: ItemReference, description: WatchDescription?) {
        guard let found = try store.notificationSubject(publicID, of: account) else {
            throw APIError.notificationUnknown
        }
        guard let item = found.item else { throw APIError.notificationWithoutItem }
        return (item, found.description)
    }
}

extension RouteDescription {
    private static let parameters: [Parameter] = [
        .path("id", .id, "The notification's id, from the push or the history."),
        .query("changedAt", .instant, "When the person chose it, if earlier than now: the last choice wins."),
    ]
    private static let dismissal = APISchema.object([
        .required("dismissed", .boolean, "Whether the item is dismissed now.")
    ])
    private static let refusals: [APIError] = [.notificationUnknown, .notificationWithoutItem]

    fileprivate static let watchFromNotification = RouteDescription(
        "watchFromNotification",
        "Watches the item that a notification is about, from now on.",
        parameters: parameters,
        answers: [
            .json(201, "It is watched.", watched), .json(200, "What holds, when nothing had to change.", watched),
        ],
        errors: refusals + [
            .itemNotFound, .gitLabNotFound, .watchLimitReached(limit: NotifierConfiguration().watchLimit),
        ],
        examples: [unknown("watch")]
    )

    fileprivate static let dismissFromNotification = RouteDescription(
        "dismissFromNotification",
        "Lets the item that a notification is about tell no more, until it is watched or the dismissal is taken back.",
        parameters: parameters,
        answers: [.json(200, "What holds now, which is another device's choice if that was made later.", dismissal)],
        errors: refusals,
        examples: [unknown("dismiss")]
    )

    fileprivate static let undismissFromNotification = RouteDescription(
        "undismissFromNotification",
        "Takes the dismissal of a notification's item back.",
        parameters: parameters,
        answers: [.json(200, "What holds now, which is another device's choice if that was made later.", dismissal)],
        errors: refusals,
        examples: [unknown("undismiss")]
    )

    private static func unknown(_ act: String) -> Example {
        Example(
            "\(act)-unknown",
            "The notification is not the person's, or has left the history.",
            parameters: ["id": "550e8400-e29b-41d4-a716-446655440099"],
            status: 404
        )
    }
}
