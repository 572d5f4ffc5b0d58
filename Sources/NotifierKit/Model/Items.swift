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
    /// What the item is.
    public var kind: ItemKind
    /// The number that GitLab shows, such as 847 in `!847`.
    public var iid: Int64

    /// A value of these members.
    public init(projectID: Int64, kind: ItemKind, iid: Int64) {
        (self.projectID, self.kind, self.iid) = (projectID, kind, iid)
    }
}

/// An entry of the watch list.
public struct WatchedItem: Sendable, Equatable, Codable {
    /// The entry's id; absent while the server has not heard of it yet.
    public var watchedItemId: String?
    /// The number that GitLab shows.
    public var itemIid: Int64
    /// What the item is.
    public var itemType: ItemKind
    /// GitLab's number of the project.
    public var projectId: Int64
    /// The item's title.
    public var title: String
    /// Such as `team/backend`; nil when the server does not know it.
    public var projectPath: String?
    /// Where it stands in GitLab.
    public var webUrl: String?
    /// Since when GitLab does not show the item; absent while it does.
    public var missingSince: Date?
    /// Since when it is watched.
    public var createdAt: Date
    /// Until when it says nothing; absent when it is not muted.
    public var mutedUntil: Date?
    /// `auto` when the person was tagged there and did not ask.
    public var watchSource: String

    /// A value of these members.
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

    /// A value of these members.
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
    /// Whether the item is watched now.
    public var watching: Bool
    /// Whether the person is subscribed in GitLab now.
    public var gitlabSubscribed: Bool
    /// Whether anything was different before.
    public var changed: Bool
}

/// What an import took.
public struct ImportAnswer: Sendable, Equatable, Codable {
    /// One item that is watched now.
    public struct Entry: Sendable, Equatable, Codable {
        /// The entry's id.
        public var watchedItemId: String
        /// The number that GitLab shows.
        public var itemIid: Int64
        /// What the item is.
        public var itemType: ItemKind
        /// GitLab's number of the project.
        public var projectId: Int64
        /// The item's title.
        public var title: String
    }

    /// How many are watched now that were not before.
    public var imported: Int
    /// Watched already, not subscribed to, or not readable.
    public var skipped: Int
    /// False when there is more: import again.
    public var complete: Bool
    /// Where the next import goes on; nil for the beginning.
    public var nextCursor: String?
    /// One after the other.
    public var items: [Entry]
}

/// Which items of GitLab to list.
public struct ItemQuery: Sendable, Equatable {
    /// Only this project, by GitLab's number.
    public var projectID: Int64?
    /// What the item is.
    public var kind: ItemKind?
    /// `assigned`, `authored`, `mentioned` or `reviewer`; all when absent.
    public var involvement: String?
    /// `opened`, `closed`, `merged` or `all`; `opened` when absent.
    public var state: String?
    /// 1 to 100; 50 when absent.
    public var limit: Int64?
    /// The `nextCursor` of the page before.
    public var cursor: String?

    /// A value of these members.
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
        /// The number that GitLab shows.
        public var iid: Int64
        /// What the item is.
        public var type: ItemKind
        /// The item's title.
        public var title: String
        /// GitLab's number of the project.
        public var projectId: Int64
        /// Such as `team/backend`; nil when the server does not know it.
        public var projectPath: String?
        /// Where it stands in GitLab.
        public var webUrl: String?
        /// GitLab's word, such as `opened`.
        public var state: String
        /// Every way in which the person has to do with it.
        public var involvement: [String]
        /// Whether it is in the watch list.
        public var watched: Bool
        /// The entry's id.
        public var watchedItemId: String?
        /// When it was last updated.
        public var lastActivityAt: Date

        /// Which item it is.
        public var item: ItemReference { ItemReference(projectID: projectId, kind: type, iid: iid) }
    }

    /// One after the other.
    public var items: [Entry]
    /// Leads to the next page; absent on the last.
    public var nextCursor: String?
}
