import Duties
import HTTP
import JSON
import Platform

/// `GET /asks` and `POST /asks/{id}/settle`: who waits for the person, and how that ends by their own word.
extension RESTAPI {
    static let askRoutes = [
        APIRoute(.get, "/asks", .listAsks) { try await $0.listAsks($1) },
        APIRoute(.post, "/asks/{id}/settle", .settleAsk) { try await $0.settleAsk($1) },
    ]

    private struct List: Encodable {
        struct Entry: Encodable {
            var askId: String
            var kind: String
            var title: String
            var itemTitle: String?
            var subject: String
            var itemType: String?
            var projectId: Int64?
            var itemIid: Int64?
            var webUrl: String?
            var raisedAt: String
            /// When the first device had it.
            var toldAt: String?
            /// When the person is told again.
            var remindAt: String?
        }

        var asks: [Entry]
    }

    private static let listLimit = 200

    private func listAsks(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account.id
        let asks = try await context.store.read { try $0.openAsks(of: account, limit: Self.listLimit) }
        let entries = asks.map { ask, next in
            List.Entry(
                askId: ask.publicID,
                kind: ask.kind.rawValue,
                title: ask.title,
                itemTitle: ask.itemTitle.isEmpty ? nil : ask.itemTitle,
                subject: ask.subject,
                itemType: ask.item?.kind.rawValue,
                projectId: ask.item?.project.rawValue,
                itemIid: ask.item?.iid,
                webUrl: ask.webURL,
                raisedAt: ISO8601.text(ask.raisedAt),
                toldAt: ask.toldAt.map(ISO8601.text),
                remindAt: next.map(ISO8601.text)
            )
        }
        return try .json(200, List(asks: entries))
    }

    private struct Request: Decodable {
        var action: String
    }

    private struct Response: Encodable {
        var settled: Bool
        var remindAt: String?
    }

    private func settleAsk(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account.id
        let action = try call.request.decodeBody(Request.self).action
        guard action == "done" || action == "later" else {
            throw APIError.invalidField("action", expected: "\"done\" or \"later\"")
        }
        let publicID = call.parameter("id")
        let now = context.time.wallNow
        let later = now.advanced(by: ReminderPolicy.later)
        // Nil for what is not open; otherwise whether the person is told again.
        let (isRemindedAgain, told): (Bool?, DutyTeller.Told) = try await context.store.transaction { store in
            guard action == "done" else {
                let isWanted = try store.settings(of: account).areRemindersOn
                return (try store.snooze(publicID, of: account, until: later).map { $0 && isWanted }, [])
            }
            let turn = try store.turn(askedBy: publicID, of: account)
            guard try store.settleAsks(.id(publicID), of: account, by: .done, at: now) > 0 else { return (nil, []) }
            return (false, try turn.map { try complete($0, account, at: now, in: store) } ?? [])
        }
        guard let isRemindedAgain else { throw APIError.askNotFound }
        report(told, at: now)
        context.log.write(
            action == "done" ? .askSettled : .askPostponed,
            [("account.id", .number(account.rawValue)), ("ask.id", .text(publicID))]
        )
        let remindAt = isRemindedAgain ? ISO8601.text(later) : nil
        return try .json(200, Response(settled: action == "done", remindAt: remindAt))
    }

    /// Who says that a turn which is asked for is done, has done it.
    private func complete(_ turn: EntityID, _ account: AccountID, at now: WallTime, in store: Store) throws
        -> DutyTeller.Told
    {
        let teller = dutyTeller
        let wish = DutyEventWish(
            id: try DutyInput.id(nil, "completionId", context),
            occurrence: turn,
            at: now.secondsSinceEpoch,
            what: .end(.done, note: "")
        )
        do {
            let outcome = try teller.book.record(wish, by: account, at: now, in: store).outcome
            return try teller.tell(outcome, by: account, at: now, in: store)
        } catch let error as DutyError {
            throw APIError(error)
        }
    }
}

extension RouteDescription {
    fileprivate static let listAsks = RouteDescription(
        "listAsks",
        "Lists who waits for the person: reviews, approvals, answers and turns that nobody has dealt with yet, the oldest first.",
        answers: [
            .json(200, "What is open.", .object([.required("asks", .list(ask, count: 0...200), "The oldest first.")]))
        ],
        examples: [Example("nobody", "Nobody waits for a person who has just registered.", answer: ["asks": []])]
    )

    private static let ask = APISchema.object([
        .required("askId", .id, "The ask's id, as a reminder bears it."),
        .required("kind", .word(Ask.Kind.allCases.map(\.rawValue)), "What for."),
        .required("title", .text(), "The title of its first notification."),
        .optional("itemTitle", .text(), "The title of the item or the duty, or what a program says that it is about."),
        .required("subject", .text(1...64), "As `GET /notifications` names it."),
        .optional("itemType", .word(["issue", "merge_request"]), "What kind of item it is about."),
        .optional("projectId", .number(), "The item's project."),
        .optional("itemIid", .number(), "The item's number in its project."),
        .optional("webUrl", .url, "Where it stands in GitLab."),
        .required("raisedAt", .instant, "When it was found."),
        .optional("toldAt", .instant, "When the first device had it; absent before that."),
        .optional("remindAt", .instant, "When the person is told again; absent when they are not."),
    ])

    fileprivate static let settleAsk = RouteDescription(
        "settleAsk",
        "Ends an ask by the person's own word, or lets its next reminder wait for an hour. In GitLab nothing changes; a turn of a duty is done by it.",
        parameters: [.path("id", .id, "The ask's id.")],
        body: .object([.required("action", .word(["done", "later"]), "`later`: not before an hour from now.")]),
        answers: [
            .json(
                200,
                "It is noted.",
                .object([
                    .required("settled", .boolean, "Whether it is over."),
                    .optional(
                        "remindAt",
                        .instant,
                        "Not before that the person is told again; absent when they are not."
                    ),
                ])
            )
        ],
        errors: [.askNotFound, .eventLimitReached(limit: DutyPolicy.eventLimit)],
        examples: [
            Example(
                "unknown",
                "Nobody waits for the person by that id.",
                parameters: ["id": "550e8400-e29b-41d4-a716-446655440099"],
                body: ["action": "done"],
                status: 404,
                answer: [
                    "code": "ask_not_found", "message": "Nothing with that id waits for you.",
                    "hint": "GET /asks lists who does; what was dealt with is not there any more.",
                ]
            )
        ]
    )
}
