#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What an item of GitLab is.
public enum ItemKind: String, Sendable, Hashable, Codable, CaseIterable {
    case issue
    case mergeRequest = "merge_request"

    /// What stands between project and number: `#` or `!`.
    public var sign: String { self == .issue ? "#" : "!" }
}

/// An item of GitLab.
public struct ItemReference: Sendable, Hashable, Codable {
    /// GitLab's number of the project.
    public var projectID: Int64
    public var kind: ItemKind
    /// The number that GitLab shows, such as 847 in `!847`.
    public var iid: Int64

    public init(projectID: Int64, kind: ItemKind, iid: Int64) {
        (self.projectID, self.kind, self.iid) = (projectID, kind, iid)
    }
}

/// An entry of the watch list.
public struct WatchedItem: Sendable, Equatable, Codable {
    /// The entry's id; absent while the server has not heard of it yet.
    public var watchedItemId: String?
    public var itemIid: Int64
    public var itemType: ItemKind
    public var projectId: Int64
    public var title: String
    public var projectPath: String?
    public var webUrl: String?
    /// Since when GitLab does not show the item; absent while it does.
    public var missingSince: Date?
    public var createdAt: Date
    /// Until when it says nothing; absent when it is not muted.
    public var mutedUntil: Date?
    /// `auto` when the person was tagged there and did not ask.
    public var watchSource: String

    public init(
        watchedItemId: String?,
        item: ItemReference,
        title: String,
        projectPath: String? = nil,
        webUrl: String? = nil,
        createdAt: Date,
        mutedUntil: Date? = nil,
        watchSource: String = "manual"
    ) {
        (self.watchedItemId, itemIid, itemType, projectId) = (watchedItemId, item.iid, item.kind, item.projectID)
        (self.title, self.projectPath, self.webUrl) = (title, projectPath, webUrl)
        (self.createdAt, self.mutedUntil, self.watchSource) = (createdAt, mutedUntil, watchSource)
    }

    /// Which item it is.
    public var item: ItemReference { ItemReference(projectID: projectId, kind: itemType, iid: itemIid) }
}

/// What holds after a request to watch or unwatch.
public struct WatchAnswer: Sendable, Equatable, Codable {
    /// The entry's id; absent when the item is not watched.
    public var watchedItemId: String?
    /// Whether it is watched, which a later choice of another device may have decided.
    public var watching: Bool

    public init(watchedItemId: String?, watching: Bool) {
        (self.watchedItemId, self.watching) = (watchedItemId, watching)
    }
}

/// Whose word holds when watch list and subscription are made to agree.
public enum SyncDirection: String, Sendable, CaseIterable {
    /// GitLab's.
    case pull
    /// The watch list's.
    case push
}

/// What making them agree came to.
public struct SyncAnswer: Sendable, Equatable, Codable {
    public var watching: Bool
    public var gitlabSubscribed: Bool
    /// Whether anything was different before.
    public var changed: Bool
}

/// What an import took.
public struct ImportAnswer: Sendable, Equatable, Codable {
    /// One item that is watched now.
    public struct Entry: Sendable, Equatable, Codable {
        public var watchedItemId: String
        public var itemIid: Int64
        public var itemType: ItemKind
        public var projectId: Int64
        public var title: String
    }

    public var imported: Int
    /// Watched already, not subscribed to, or not readable.
    public var skipped: Int
    /// False when there is more: import again.
    public var complete: Bool
    public var items: [Entry]
}

/// Which items of GitLab to list.
public struct ItemQuery: Sendable, Equatable {
    public var projectID: Int64?
    public var kind: ItemKind?
    /// `assigned`, `authored`, `mentioned` or `review_requested`; all when absent.
    public var involvement: String?
    /// `opened`, `closed`, `merged` or `all`; `opened` when absent.
    public var state: String?
    /// 1 to 100; 50 when absent.
    public var limit: Int64?
    /// The `nextCursor` of the page before.
    public var cursor: String?

    public init(
        projectID: Int64? = nil,
        kind: ItemKind? = nil,
        involvement: String? = nil,
        state: String? = nil,
        limit: Int64? = nil,
        cursor: String? = nil
    ) {
        (self.projectID, self.kind, self.involvement) = (projectID, kind, involvement)
        (self.state, self.limit, self.cursor) = (state, limit, cursor)
    }
}

/// One page of the person's items.
public struct ItemPage: Sendable, Equatable, Codable {
    /// One issue or merge request.
    public struct Entry: Sendable, Equatable, Codable {
        public var iid: Int64
        public var type: ItemKind
        public var title: String
        public var projectId: Int64
        public var projectPath: String?
        public var webUrl: String?
        /// GitLab's word, such as `opened`.
        public var state: String
        public var involvement: [String]
        public var watched: Bool
        public var watchedItemId: String?
        public var lastActivityAt: Date

        /// Which item it is.
        public var item: ItemReference { ItemReference(projectID: projectId, kind: type, iid: iid) }
    }

    public var items: [Entry]
    /// Leads to the next page; absent on the last.
    public var nextCursor: String?
}
