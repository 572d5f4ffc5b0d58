#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What the person was told: by pull, as history, and what they answer to it.
extension NotifierClient {
    private struct Versions: Decodable, Sendable {
        var dataVersion: UInt64
        var notificationVersion: UInt64
        var serverVersion: String
    }

    /// Whether anything is new.
    ///
    /// - Parameter known: the last answer, which is given again when nothing has changed since.
    /// - Returns: what the server says now.
    /// - Throws: why it said nothing.
    public func ping(known: Ping? = nil) async throws(NotifierError) -> Ping {
        let fields = known?.entityTag.map { [HeaderField("If-None-Match", $0)] } ?? []
        let response = try await authorized(.ping, Operation.ping.target([], []), nil, fields: fields)
        if response.status == 304, let known { return known }
        let versions: Versions = try Self.decode(response)
        return Ping(
            dataVersion: versions.dataVersion,
            notificationVersion: versions.notificationVersion,
            serverVersion: versions.serverVersion,
            entityTag: response.field("ETag")
        )
    }

    /// What came after the notification of that id, oldest first; everything that is kept for nil.
    public func notifications(after id: String?, limit: Int = 100) async throws(NotifierError) -> NotificationPage {
        // An empty `after` is a question of its own.
        try await value(.listNotifications, query: [QueryItem("after", id ?? ""), QueryItem("limit", Int64(limit))])
    }

    /// One page of the history, newest first.
    public func history(_ query: HistoryQuery = HistoryQuery()) async throws(NotifierError) -> HistoryPage {
        try await value(
            .listNotifications,
            query: [
                QueryItem("limit", query.limit), QueryItem("since", query.since.map(WireCoding.instant)),
                QueryItem("until", query.until.map(WireCoding.instant)),
                QueryItem("projectId", query.projectID ?? query.item?.projectID),
                QueryItem("itemType", query.item?.kind.rawValue), QueryItem("itemIid", query.item?.iid),
                QueryItem("cursor", query.cursor),
            ]
        )
    }

    /// How much is unread, and of what.
    public func unread() async throws(NotifierError) -> UnreadCount {
        try await value(.listUnread)
    }

    private struct Acknowledgement: Encodable, Sendable {
        var notificationIds: [String]
    }

    private struct AcknowledgementAnswer: Decodable, Sendable {
        var unknown: Int
    }

    /// Says that this device has shown these, 1 to 100 of them: a push of them that still waits for it is not sent any more.
    ///
    /// - Returns: how many of them the server does not know.
    @discardableResult
    public func acknowledge(_ ids: [String]) async throws(NotifierError) -> Int {
        let answer: AcknowledgementAnswer = try await value(
            .acknowledge,
            body: Acknowledgement(notificationIds: ids)
        )
        return answer.unknown
    }

    private struct ReadRequest: Encodable, Sendable {
        var ids: [String]?
        var subject: String?
        var all: Bool?
        var read: Bool?
        var readAt: Date?
        var upTo: String?
    }

    /// Marks notifications as read on all of the person's devices.
    ///
    /// - Parameters:
    ///   - selection: which.
    ///   - chosenAt: when the person did, if that was earlier. A subject, or all, reaches what was made until then, and `upTo`.
    ///   - newest: the newest notification that this device knew then: a subject, or all, reaches it whatever the two clocks say.
    /// - Returns: what it came to.
    /// - Throws: why it could not be sent, or was refused.
    @discardableResult
    public func markRead(
        _ selection: ReadSelection,
        chosenAt: Date? = nil,
        upTo newest: String? = nil
    ) async throws(NotifierError) -> ReadAnswer {
        var body = ReadRequest(readAt: chosenAt)
        switch selection {
        case .ids(let ids): body.ids = ids
        case .unread(let ids): (body.ids, body.read) = (ids, false)
        case .subject(let subject): (body.subject, body.upTo) = (subject, newest)
        case .all: (body.all, body.upTo) = (true, newest)
        }
        return try await value(.markRead, body: body)
    }

    private struct Receipt: Encodable, Sendable {
        var type: String
        var at: Date?
    }

    /// Says that this device has shown a notification, or that the person opened it there, which also marks it as read.
    public func confirm(
        _ id: String,
        _ event: ReceiptEvent,
        at instant: Date? = nil
    ) async throws(NotifierError) {
        try await done(.receive, id, body: Receipt(type: event.rawValue, at: instant))
    }

    private struct TestRequest: Encodable, Sendable {
        var deviceId: String?
    }

    /// Sends a test through the same outbox as everything else: to one device, or to all.
    public func sendTest(to device: String? = nil) async throws(NotifierError) -> TestAnswer {
        try await value(.sendTest, body: TestRequest(deviceId: device))
    }

    /// Lets deliveries of a notification that were given up go again.
    public func redrive(_ id: String) async throws(NotifierError) -> RedriveAnswer {
        try await value(.redrive, id)
    }

    /// Watches the item of a notification; `chosenAt` as for any watch.
    public func watch(notification id: String, chosenAt: Date? = nil) async throws(NotifierError) -> WatchAnswer {
        try await value(
            .watchFromNotification,
            id,
            query: [QueryItem("changedAt", chosenAt.map(WireCoding.instant))]
        )
    }

    private struct DismissAnswer: Decodable, Sendable {
        var dismissed: Bool
    }

    /// Keeps the item of a notification silent for good.
    ///
    /// - Returns: whether that holds; false when a later choice of another device stands.
    @discardableResult
    public func dismiss(notification id: String, chosenAt: Date? = nil) async throws(NotifierError) -> Bool {
        let query = [QueryItem("changedAt", chosenAt.map(WireCoding.instant))]
        let answer: DismissAnswer = try await value(.dismissFromNotification, id, query: query)
        return answer.dismissed
    }

    /// Takes a dismissal back; whether the item is dismissed all the same is the answer.
    @discardableResult
    public func undismiss(notification id: String, chosenAt: Date? = nil) async throws(NotifierError) -> Bool {
        let query = [QueryItem("changedAt", chosenAt.map(WireCoding.instant))]
        let answer: DismissAnswer = try await value(.undismissFromNotification, id, query: query)
        return answer.dismissed
    }
}
