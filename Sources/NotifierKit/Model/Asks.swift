#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// That somebody waits for the person.
public struct Ask: Sendable, Equatable, Codable, Identifiable {
    /// As a reminder bears it, in `data.askId`.
    public var askId: String
    /// `review_requested`, `approval_required`, `addressed`, or `approval_needed` of a program; a newer server may have more words.
    public var kind: String
    /// The title of its first notification.
    public var title: String
    /// The title of the item, or what a program says that it is about; absent with a server from before it told.
    public var itemTitle: String?
    /// What it is about, as notifications name it.
    public var subject: String
    /// What the item is.
    public var itemType: ItemKind?
    /// GitLab's number of the project.
    public var projectId: Int64?
    /// The number that GitLab shows.
    public var itemIid: Int64?
    /// Where the item stands in GitLab.
    public var webUrl: String?
    /// When it was found.
    public var raisedAt: Date
    /// When the first device had it; absent before that.
    public var toldAt: Date?
    /// When the person is told again; absent when they are not.
    public var remindAt: Date?

    /// The same as ``askId``.
    public var id: String { askId }

    /// Which item it is about; nil for anything else.
    public var item: ItemReference? {
        guard let itemType, let projectId, let itemIid else { return nil }
        return ItemReference(projectID: projectId, kind: itemType, iid: itemIid)
    }
}

/// What a person says of an ask.
public enum SettleAction: String, Sendable, CaseIterable {
    /// It is dealt with.
    case done
    /// Not before an hour from now.
    case later
}

/// What became of it.
public struct SettleAnswer: Sendable, Equatable, Codable {
    /// Whether it is over.
    public var settled: Bool
    /// Not before that the person is told again.
    public var remindAt: Date?
}
