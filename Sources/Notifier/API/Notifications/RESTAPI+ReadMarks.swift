import HTTP
import Platform

/// `POST /notifications/read` and `GET /notifications/unread`: what the person has read, on whichever device.
extension RESTAPI {
    static let readMarkRoutes = [
        APIRoute(.post, "/notifications/read", .markRead) { try await $0.markRead($1) },
        APIRoute(.get, "/notifications/unread", .listUnread) { try await $0.listUnread($1) },
    ]

    // MARK: Reading

    private struct Request: Decodable {
        var ids: NotificationIDs?
        var subject: String?
        var all: Bool?
        /// Read as long as nothing else is said.
        var read: Bool?
        var readAt: String?
        /// The newest that whoever says so knew then.
        var upTo: String?
    }

    /// What a choice is about.
    private enum Choice: Sendable {
        case notifications([String], isRead: Bool)
        /// What had been made by then, and whatever the clocks say as far as `upTo`.
        case everything(Store.ReadScope, upTo: String?)

        init(_ request: Request) throws(APIError) {
            let isRead = request.read ?? true
            if let newest = request.upTo, newest.unicodeScalars.count > 64 {
                throw .invalidField("upTo", expected: "the id of a notification")
            }
            switch (request.ids, request.subject, request.all == true) {
            case (let ids?, nil, false): self = .notifications(try ids.checked("ids"), isRead: isRead)
            case (nil, let subject?, false):
                guard (1...64).contains(subject.unicodeScalars.count) else {
                    throw .invalidField("subject", expected: "the subject of a notification")
                }
                self = .everything(.subject(subject), upTo: request.upTo)
            case (nil, nil, true): self = .everything(.all, upTo: request.upTo)
            case (nil, nil, false) where request.all != nil: self = .notifications([], isRead: true)
            default: throw .invalidField("ids", expected: "present when \"subject\" and \"all\" are not, and only then")
            }
            guard isRead || request.ids != nil else {
                throw .invalidField("read", expected: "true without \"ids\"")
            }
        }
    }

    private struct Response: Encodable {
        var changed: Int
        var unknown: Int
        var unreadCount: Int
        var dataVersion: Int64
    }

    private func markRead(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account.id
        let request = try call.request.decodeBody(Request.self)
        let choice = try Choice(request)
        // Before the clock: what there is was made by what it shows, unless it was ahead.
        let last = try await context.store.read { try $0.lastNotification(of: account) }
        let now = context.time.wallNow
        let chosenAt = min(try Self.instant(request.readAt, "readAt") ?? now, now)
        let stamp = try call.stamp(chosenAt)
        let answer = try await choose(call.known) { store in
            let (changed, unknown) = try Self.carryOut(choice, of: account, upTo: last, stamp, at: now, in: store)
            return Response(
                changed: changed,
                unknown: unknown,
                unreadCount: try store.unreadCount(of: account),
                dataVersion: try store.versions(of: account)?.data ?? 0
            )
        }
        if answer.changed > 0 {
            context.log.write(
                .readMarksChanged,
                [("account.id", .number(account.rawValue)), ("notifications", .count(answer.changed))]
            )
        }
        return try .json(200, answer)
    }

    /// How many are another way now, and how many nobody knows.
    private static func carryOut(
        _ choice: Choice,
        of account: AccountID,
        upTo last: NotificationID?,
        _ stamp: ChangeStamp,
        at now: WallTime,
        in store: Store
    ) throws -> (changed: Int, unknown: Int) {
        switch choice {
        case .everything(let scope, let newest):
            guard let last else { return (0, 0) }
            let known = try newest.flatMap { try store.notification(publicID: $0, of: account)?.id }
            let changed = try store.markRead(
                scope,
                of: account,
                upTo: last,
                known: known,
                chosenAt: stamp.at,
                by: stamp.by,
                at: now
            )
            return (changed, 0)
        case .notifications(let ids, let isRead):
            let known = try ids.compactMap { try store.notification(publicID: $0, of: account) }
            let changed = try known.count { notification in
                // Nobody read it before it was made; a device's clock may say so.
                let instant = bounded(stamp.at, from: notification.createdAt, to: now)
                try store.endFormerMark(of: notification.id, at: now)
                return try store.setRead(isRead, notification.id, chosenAt: instant, by: stamp.by)
            }
            return (changed, ids.count - known.count)
        }
    }

    // MARK: Unread

    private struct Unread: Encodable {
        struct Subject: Encodable {
            var subject: String
            var count: Int
            var newestId: String
            var newestAt: String
            var itemType: String?
            var projectId: Int64?
            var itemIid: Int64?
        }

        var count: Int
        var bySubject: [Subject]
        var moreSubjects: Int
        var dataVersion: Int64
        var notificationVersion: Int64
    }

    private static let subjectLimit = 200

    private func listUnread(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account.id
        let answer = try await context.store.read { store in
            let subjects = try store.unreadSubjects(of: account, limit: Self.subjectLimit)
            let versions = try store.versions(of: account)
            return Unread(
                count: try store.unreadCount(of: account),
                bySubject: subjects.first.map { subject in
                    Unread.Subject(
                        subject: subject.subject,
                        count: subject.count,
                        newestId: subject.newest.publicID,
                        newestAt: ISO8601.text(subject.newest.createdAt),
                        itemType: subject.newest.itemKind,
                        projectId: subject.newest.projectID,
                        itemIid: subject.newest.itemIID
                    )
                },
                moreSubjects: subjects.total - subjects.first.count,
                dataVersion: versions?.data ?? 0,
                notificationVersion: versions?.notifications ?? 0
            )
        }
        return try .json(200, answer)
    }
}
