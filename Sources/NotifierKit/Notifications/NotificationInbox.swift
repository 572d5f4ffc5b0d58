#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What this device knows of the person's notifications: a value, with every rule of it.
///
/// Bounded: ``capacity`` notifications, read ones giving way before unread ones, and as many ids and marks as stand beside each field.
public struct NotificationInbox: Sendable, Equatable, Codable {
    /// How many notifications are kept.
    public static let capacity = 100
    /// How many ids of what was shown, and of what is known, are remembered; a page that begins anew may repeat what was dropped long ago.
    static let idCapacity = 1_000
    /// How many marks wait for the network.
    static let markCapacity = 100

    /// A mark that the server has not taken yet.
    public struct PendingMark: Sendable, Equatable, Codable {
        /// What is marked, and how.
        public internal(set) var selection: ReadSelection
        /// By the device's clock.
        public internal(set) var chosenAt: Date
        /// What the mark changed on this device, so that it can be taken back.
        var changed: [String]
        /// How many more of those kept here count on the badge since; negative for what was read. Absent in what a former version kept.
        var difference: Int?
        /// The newest notification that this device knew then. Absent where it knew none, and in what a former version kept.
        var upTo: String?

        /// What is marked by its id.
        public var ids: [String] {
            switch selection {
            case .ids(let ids): ids
            default: changed
            }
        }

        /// Whether it is marked as read, and not as unread again.
        public var isRead: Bool { if case .unread = selection { false } else { true } }

        /// Whether that notification is marked, as far as it was made by then, also where this inbox does not hold it.
        public func isAbout(_ notification: AppNotification) -> Bool { notification.isSelected(by: selection) }
    }

    /// Oldest first.
    public private(set) var entries: [AppNotification] = []
    /// The newest notification that was fetched; the next fetch begins behind it.
    public private(set) var lastSeenID: String?
    /// False before the first fetch: what was there before this device came is listed, and not shown as news.
    public private(set) var hasBaseline = false
    /// Ids that this device has shown, by whichever way they came, oldest first.
    private var shownIDs: [String] = []
    /// Ids that are no news any more, shown or not, oldest first.
    private var knownIDs: [String] = []
    /// Those of them that the server has not heard of, oldest first.
    public private(set) var unacknowledged: [String] = []
    /// After a page that began anew: ids of what is kept here and was not on a page since. The server has forgotten what is left in the end.
    private var unconfirmed: [String]?
    /// Marks that wait, oldest first.
    public private(set) var pendingMarks: [PendingMark] = []
    /// The number of unread notifications as the server counted them last; nil before it has.
    private var countAtServer: Int?

    /// Begins empty.
    public init() {}

    /// Newest first.
    public var all: [AppNotification] { entries.reversed() }

    /// Newest first.
    public var unread: [AppNotification] { entries.reversed().filter { $0.readAt == nil } }

    /// How many of those kept here count on the badge. The server counts all there are.
    public var unreadCount: Int { entries.count { $0.readAt == nil && $0.counts } }

    /// The number for the icon: what the server counted last, of all there are, and over it what was marked here and it has not heard of.
    public var badge: Int {
        guard let countAtServer else { return unreadCount }
        // Nothing that is older than the mark is unread, however much was not kept here.
        if pendingMarks.contains(where: { $0.selection == .all }) { return unreadCount }
        return max(countAtServer + pendingMarks.reduce(0) { $0 + ($1.difference ?? 0) }, unreadCount)
    }

    /// The server has counted what is unread.
    public mutating func noteCount(_ count: Int) { countAtServer = count }

    /// What there is something unread of, in the order of the alphabet.
    public var subjectsWithNotifications: [String] {
        Set(entries.filter { $0.readAt == nil }.compactMap(\.subject)).sorted()
    }

    /// What a push has brought since the last fetch, the latest of it; otherwise what was fetched last.
    private var newestKnownID: String? { shownIDs.last { !knownIDs.contains($0) } ?? lastSeenID }

    /// Whether this device has shown it.
    public func hasShown(_ id: String) -> Bool { shownIDs.contains(id) }

    // MARK: Fetching

    /// Takes what was there before this device came: newest first, as the history gives it.
    public mutating func takeBaseline(_ history: [AppNotification]) {
        guard !hasBaseline else { return }
        hasBaseline = true
        for notification in history.reversed() {
            insert(notification)
            Self.append(notification.id, to: &knownIDs)
        }
        lastSeenID = history.first?.id
        trim()
    }

    /// What a page changes on this device.
    public struct Taken: Sendable, Equatable {
        /// What this device has to show, oldest first. The inbox is told by ``noteShown(_:)`` once it has.
        public var news: [AppNotification] = []
        /// Ids of what the server has forgotten, to be taken off the screen.
        public var forgotten: [String] = []
    }

    /// Takes a page of what is new. One that begins anew, since the server does not know this device's place, lists with those that follow
    /// all that the server keeps: it has gone back to a backup, or has cleared up, and what it lists no more is not kept here either.
    ///
    /// - Parameters:
    ///   - page: what the server answered.
    ///   - onScreen: what the system shows already, by a push.
    /// - Returns: what is to be shown, and what no more.
    public mutating func take(_ page: NotificationPage, onScreen: [DeliveredNotification]) -> Taken {
        let replaced = replaced(in: page, onScreen)
        var news: [AppNotification] = []
        if page.reset { unconfirmed = entries.map(\.id) }
        for notification in page.notifications {
            insert(notification)
            let isNews = !knownIDs.contains(notification.id) && !hasShown(notification.id)
            Self.append(notification.id, to: &knownIDs)
            let isOnScreen = onScreen.contains { $0.notificationID == notification.id }
            if isOnScreen || replaced.contains(notification.id) {
                noteShown(notification.id)
            } else if isNews, notification.readAt == nil, notification.acknowledged != true {
                news.append(notification)
            }
        }
        lastSeenID = page.lastID ?? lastSeenID
        let forgotten = forget(behind: page)
        trim()
        return Taken(news: news, forgotten: forgotten)
    }

    /// What this device does not show any more, since a later notification of the same place on screen was shown already, or still is.
    private func replaced(in page: NotificationPage, _ onScreen: [DeliveredNotification]) -> Set<String> {
        let listed = Set(page.notifications.map(\.id))
        // What is on screen, not known yet and not on this page is on a later one.
        let behind = onScreen.filter { !knownIDs.contains($0.notificationID) && !listed.contains($0.notificationID) }
        var later = Set(behind.map(\.identifier))
        var replaced: Set<String> = []
        for notification in page.notifications.reversed() {
            let isOnScreen = onScreen.contains { $0.notificationID == notification.id }
            if !isOnScreen, later.contains(notification.screenIdentifier) { replaced.insert(notification.id) }
            if isOnScreen || hasShown(notification.id) { later.insert(notification.screenIdentifier) }
        }
        return replaced
    }

    /// Drops, at the end of a reading that began anew, what was not on its pages.
    private mutating func forget(behind page: NotificationPage) -> [String] {
        guard let before = unconfirmed else { return [] }
        let listed = Set(page.notifications.map(\.id))
        let missing = before.filter { !listed.contains($0) }
        guard !page.hasMore else {
            unconfirmed = missing
            return []
        }
        unconfirmed = nil
        let forgotten = Set(missing)
        entries.removeAll { forgotten.contains($0.id) }
        return missing
    }

    /// Takes what the server says of those that are known: what was read on another device.
    ///
    /// - Returns: ids that are read now and were not, to be taken off the screen.
    public mutating func takeMarks(_ history: [AppNotification]) -> [String] {
        var read: [String] = []
        for notification in history {
            guard let index = entries.firstIndex(where: { $0.id == notification.id }),
                !pendingMarks.contains(where: { $0.changed.contains(notification.id) })
            else { continue }
            if entries[index].readAt == nil, notification.readAt != nil { read.append(notification.id) }
            entries[index].readAt = notification.readAt
        }
        return read
    }

    /// The server has forgotten these, as it does after some weeks.
    public mutating func forget(_ ids: [String]) {
        guard !ids.isEmpty else { return }
        let forgotten = Set(ids)
        entries.removeAll { forgotten.contains($0.id) }
    }

    /// This device shows it now, by push or by pull.
    public mutating func noteShown(_ id: String) {
        guard !hasShown(id) else { return }
        Self.append(id, to: &shownIDs)
        unacknowledged.append(id)
        if unacknowledged.count > Self.capacity { unacknowledged.removeFirst(unacknowledged.count - Self.capacity) }
    }

    /// The server has heard that these were shown.
    public mutating func noteAcknowledged(_ ids: [String]) {
        let told = Set(ids)
        unacknowledged.removeAll { told.contains($0) }
    }

    // MARK: Marking

    /// Marks at once, before the server has heard of it.
    ///
    /// - Returns: ids that are read now and were not.
    public mutating func mark(_ selection: ReadSelection, at instant: Date) -> [String] {
        let isRead = if case .unread = selection { false } else { true }
        var changed: [String] = []
        var difference = 0
        for index in entries.indices where entries[index].isSelected(by: selection) {
            guard (entries[index].readAt != nil) != isRead else { continue }
            entries[index].readAt = isRead ? instant : nil
            changed.append(entries[index].id)
            if entries[index].counts { difference += isRead ? -1 : 1 }
        }
        pendingMarks.append(
            PendingMark(
                selection: selection,
                chosenAt: instant,
                changed: changed,
                difference: difference,
                upTo: newestKnownID
            )
        )
        // Beyond it the oldest are forgotten: the server then shows them as it has them.
        if pendingMarks.count > Self.markCapacity { pendingMarks.removeFirst(pendingMarks.count - Self.markCapacity) }
        return isRead ? changed : []
    }

    /// The server has taken the mark: what it counted before is another number now, until it counts anew.
    public mutating func settle(_ mark: PendingMark) {
        guard let index = pendingMarks.firstIndex(of: mark) else { return }
        pendingMarks.remove(at: index)
        guard let count = countAtServer else { return }
        countAtServer = mark.selection == .all ? unreadCount : max(count + (mark.difference ?? 0), 0)
    }

    /// The server will not have the mark: what it changed is as before.
    public mutating func revert(_ mark: PendingMark) {
        guard let index = pendingMarks.firstIndex(of: mark) else { return }
        pendingMarks.remove(at: index)
        let wasRead = if case .unread = mark.selection { true } else { false }
        let changed = Set(mark.changed)
        for index in entries.indices where changed.contains(entries[index].id) {
            entries[index].readAt = wasRead ? mark.chosenAt : nil
        }
    }

    // MARK: Keeping

    private static func append(_ id: String, to ids: inout [String]) {
        guard !ids.contains(id) else { return }
        ids.append(id)
        if ids.count > idCapacity { ids.removeFirst(ids.count - idCapacity) }
    }

    private mutating func insert(_ notification: AppNotification) {
        var kept = notification
        // What it looks like as a push is needed once, and is the larger part of it.
        kept.payload = nil
        kept.facts = nil
        guard let index = entries.firstIndex(where: { $0.id == kept.id }) else {
            entries.append(kept)
            return
        }
        guard !pendingMarks.contains(where: { $0.changed.contains(kept.id) }) else { return }
        entries[index] = kept
    }

    /// Drops the oldest that is read; only where none is, the oldest.
    private mutating func trim() {
        while entries.count > Self.capacity {
            entries.remove(at: entries.firstIndex { $0.readAt != nil } ?? 0)
        }
    }
}

extension AppNotification {
    fileprivate func isSelected(by selection: ReadSelection) -> Bool {
        switch selection {
        case .ids(let ids), .unread(let ids): ids.contains(id)
        case .subject(let subject): self.subject == subject
        case .all: true
        }
    }
}
