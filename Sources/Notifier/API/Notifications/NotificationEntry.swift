import JSON

/// A notification as the API shows it.
struct NotificationEntry: Encodable, Sendable {
    /// Its way to one device.
    struct Delivery: Encodable, Sendable {
        var deviceId: String
        var state: String
        var attempts: Int
        var outcome: String?
        /// When APNs accepted it.
        var sentAt: String?
        /// When the device said so; devices do not always.
        var deliveredAt: String?
        var openedAt: String?

        init(_ trace: DeliveryTrace) {
            deviceId = trace.device
            state = trace.state
            attempts = trace.attempts
            outcome = trace.outcome
            sentAt = trace.sentAt.map(ISO8601.text)
            deliveredAt = trace.deliveredAt.map(ISO8601.text)
            openedAt = trace.openedAt.map(ISO8601.text)
        }
    }

    var id: String
    /// Absent when it is the notification's own id.
    var collapseId: String?
    var type: String
    var actionType: String?
    var subject: String
    var sentAt: String
    var source: String?
    var sourceId: Int64?
    var itemType: String?
    var projectId: Int64?
    var itemIid: Int64?
    var title: String
    /// The item's title, as a rule.
    var subtitle: String?
    var body: String
    var webUrl: String?
    /// Keys of every fact it covers, also those that did not fit into the push.
    var facts: [String]
    /// Absent while it is unread.
    var readAt: String?
    /// Whether the app that asks has said that it has it.
    var acknowledged: Bool
    /// What was pushed or would have been, for an app that shows it itself.
    var payload: VerbatimJSON?
    /// Absent where the payload stands: the app asks for news, and not what became of it elsewhere.
    var deliveries: [Delivery]?

    init(_ row: HistoryRow, isAcknowledged: Bool) {
        id = row.publicID
        collapseId = row.collapseID == row.publicID ? nil : row.collapseID
        type = row.kind
        actionType = row.actionType
        subject = row.subject
        sentAt = ISO8601.text(row.createdAt)
        source = row.source
        sourceId = row.sourceID
        itemType = row.itemKind
        projectId = row.projectID
        itemIid = row.itemIID
        title = row.title
        body = row.body
        webUrl = row.webURL
        facts = row.factKeys
        readAt = row.readAt.map(ISO8601.text)
        subtitle = row.subtitle
        acknowledged = isAcknowledged
    }
}

extension NotificationEntry {
    /// The entry with its payload. One that is no JSON, which the outbox does not make, is left out: title and text are beside it.
    init(_ pulled: PulledRow, isAcknowledged: Bool) {
        self.init(pulled.row, isAcknowledged: isAcknowledged)
        var reader = JSONReader(bytes: pulled.payload)
        payload = (try? reader.read().value).map(VerbatimJSON.init)
    }
}

/// The app that asks, as acknowledgements know it.
struct NotificationReceiver: Sendable {
    var session: SessionID
    /// What it runs on; nil while that has no push token.
    var device: DeviceID?
}

extension Store {
    /// The app whose session asks.
    func receiver(_ caller: APICall.Caller) throws -> NotificationReceiver {
        let own = caller.session.device
        let row = try own.flatMap { try self.device(publicID: $0.publicID, of: caller.account.id) }
        return NotificationReceiver(session: caller.session.id, device: row?.id)
    }

    /// Whether that app, or the device it runs on, has said that it has the notification.
    func isAcknowledged(_ notification: NotificationID, _ receiver: NotificationReceiver) throws -> Bool {
        try isAcknowledged(notification, in: receiver.session, on: receiver.device)
    }
}
