import FoundationEssentials
import NotifierKit

/// What was unread when the server last said so, for when it does not.
struct InboxCache: Codable, Sendable {
    private static let key = "inbox"
    private static let pages = 5

    /// Newest first.
    var notifications: [AppNotification]
    /// The number on the badge, which leaves out news of the service.
    var count: Int
    var fetchedAt: Date

    /// Asks the server, and keeps the answer.
    static func fetch(_ client: NotifierClient, into store: any KeyValueStore, at now: Date) async throws -> InboxCache
    {
        let unread = try await client.unread()
        var found: [AppNotification] = []
        var cursor: String?
        for _ in 0..<pages {
            let page = try await client.history(HistoryQuery(limit: 100, cursor: cursor))
            found += page.notifications.filter { $0.readAt == nil }
            cursor = page.nextCursor
            if cursor == nil || found.count(where: \.counts) >= unread.count { break }
        }
        let inbox = InboxCache(notifications: Array(found.prefix(200)), count: unread.count, fetchedAt: now)
        try await store.update(key) { $0 = WireCoding.encode(inbox) }
        return inbox
    }

    /// What was marked here since is not unread any more, whatever the kit's own inbox held of it; what came after a mark is.
    mutating func apply(_ marks: [NotificationInbox.PendingMark]) {
        for mark in marks where mark.isRead {
            let before = notifications.count(where: \.counts)
            notifications.removeAll { entry in
                mark.isAbout(entry) && (fetchedAt <= mark.chosenAt || entry.sentAt <= mark.chosenAt)
            }
            let left = notifications.count(where: \.counts)
            // With everything goes also what is older than what is listed.
            count = mark.selection == .all && fetchedAt <= mark.chosenAt ? left : max(count - (before - left), left)
        }
    }

    /// What was kept last.
    static func last(in store: any KeyValueStore) async throws -> InboxCache? {
        try await store.value(for: key).flatMap { try? WireCoding.decode(InboxCache.self, $0) }
    }

    static func forget(in store: any KeyValueStore) async throws { try await store.update(key) { $0 = nil } }
}
