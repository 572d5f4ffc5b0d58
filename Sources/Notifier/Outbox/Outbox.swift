import Configuration
import Platform

/// Turns drafts into rows: a notification, and a delivery for each active device. Sends nothing.
struct Outbox: Sendable {
    private let entropy: any EntropySource
    private let expiration: Duration
    private let isPushing: Bool

    /// - Parameters:
    ///   - entropy: makes the ids that are fixed before the first attempt.
    ///   - expiration: how long the news is useful.
    ///   - isPushing: whether there are deliveries at all.
    init(entropy: any EntropySource, expiration: Duration, isPushing: Bool = true) {
        self.entropy = entropy
        self.expiration = expiration
        self.isPushing = isPushing
    }

    /// With what the operator chose.
    init(entropy: any EntropySource, _ configuration: NotifierConfiguration) {
        self.init(entropy: entropy, expiration: configuration.expiration, isPushing: configuration.pushEnabled)
    }

    /// What became of a draft.
    struct Enqueued: Equatable, Sendable {
        var id: NotificationID
        var publicID: String
        /// One per active device; none when the account has no device, which catches up when it registers one, or where nothing is pushed.
        var deliveries: Int
    }

    /// Adds the notification to the caller's open transaction. Afterwards, when that has committed, send the delivery's wake signal.
    ///
    /// The collapse id and every `apns-id` are chosen here and reused by each attempt (APNs facts §11, §17 item 6).
    ///
    /// - Parameters:
    ///   - draft: what it tells.
    ///   - devices: the devices it goes to; nil for every active one of the account.
    ///   - now: when it is made.
    ///   - dueAt: when it is pushed; nil for at once.
    ///   - store: the open transaction.
    /// - Returns: its ids, and to how many devices it goes.
    /// - Throws: `SQLiteError`.
    @discardableResult
    func enqueue(
        _ draft: NotificationDraft,
        to devices: [DeviceID]? = nil,
        at now: WallTime,
        dueAt: WallTime? = nil,
        in store: Store
    ) throws -> Enqueued {
        let publicID = entropy.uuidString()
        let row = try NotificationRow(
            draft,
            publicID: publicID,
            isNewMention: isNewMention(draft, in: store),
            badge: badge(of: draft, in: store),
            at: now,
            expiresAt: max(Self.freshness(of: draft, at: now), dueAt ?? now).advanced(by: expiration)
        )
        let id = try store.insert(row)
        let devices = isPushing ? try devices ?? store.activeDevices(of: draft.account) : []
        for device in devices {
            try store.insertDelivery(of: id, to: device, apnsID: entropy.uuidString(), at: now, dueAt: dueAt)
        }
        return Enqueued(id: id, publicID: publicID, deliveries: devices.count)
    }

    /// A clock that is further behind than this is none to go by.
    private static let longestLag: Duration = .days(30)

    /// From when on the news is useful: from now, or from when it happened by GitLab's clock where ours is behind that. Else APNs would
    /// take news of a machine that is a day behind and throw it away as expired (APNs facts §3).
    private static func freshness(of draft: NotificationDraft, at now: WallTime) -> WallTime {
        let newest: WallTime?
        switch draft.subject {
        case .activity(let facts): newest = facts.map(\.occurredAt).max()
        case .digest(let digest): newest = digest.facts.map(\.occurredAt).max()
        default: newest = nil
        }
        return min(max(now, newest ?? now), now.advanced(by: longestLag))
    }

    /// The unread count with this notification in it; nil for news about the service, or how a run ended, which leaves the number as it is
    /// (APNs facts §4: badges are absolute).
    private func badge(of draft: NotificationDraft, in store: Store) throws -> Int? {
        guard draft.subject.countsAsUnread else { return nil }
        return try store.unreadCount(of: draft.account) + 1
    }

    /// True for a mention, an assignment or a review request on what the person does not watch.
    private func isNewMention(_ draft: NotificationDraft, in store: Store) throws -> Bool {
        guard case .activity(let facts) = draft.subject else { return false }
        guard let item = facts.first(where: \.action.isTagging)?.item else { return false }
        return try !store.isWatched(item, by: draft.account)
    }
}
