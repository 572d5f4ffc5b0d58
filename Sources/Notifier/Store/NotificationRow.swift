import Platform

/// One row of the outbox, complete with the bytes to send.
struct NotificationRow: Equatable {
    var publicID: String
    var account: AccountID
    var kind: String
    var category: NotificationCategory
    var item: ItemReference?
    var source: FactSource?
    var sourceID: Int64?
    /// The code of the newest action; nil for news about the service, and for digests.
    var actionType: String?
    var title: String
    /// The item's title, as a rule.
    var subtitle: String?
    var body: String
    var webURL: String?
    /// Every covered fact's key, oldest first.
    var factKeys: [String]
    var payload: [UInt8]
    var threadID: String
    var createdAt: WallTime
    var expiresAt: WallTime

    /// The same for every attempt and device, so that a repeated send replaces instead of doubling (APNs facts §9, §11). A reminder has that of
    /// the notification whose place it takes.
    var collapseID: String
}
