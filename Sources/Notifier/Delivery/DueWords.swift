import Platform
import SQLite

/// How far off a day is holds for a day: "is due tomorrow" is wrong on the day itself. What waited for its push until after midnight, where its
/// person lives, says it anew when it is claimed.
struct DueWords: Sendable {
    /// The rules of people's zones.
    let zones: any TimeZoneSource

    /// Gives the deliveries of due dates the words that hold now.
    ///
    /// - Throws: What the store throws.
    func renew(_ deliveries: inout [ClaimedDelivery], at now: WallTime, in store: Store) throws {
        var renewed: [NotificationID: [UInt8]] = [:]
        for place in deliveries.indices where deliveries[place].isOfDueDate {
            let delivery = deliveries[place]
            guard var told = try store.toldDueDate(by: delivery.id) else { continue }
            // Claimed together with the delivery of the same to another device.
            if let payload = renewed[told.notification] {
                deliveries[place].payload = payload
                continue
            }
            let settings = try store.settings(of: delivery.account)
            told.text.today = DueDay(settings.dueDatePolicy(zones, leadTime: .zero).zone.date(at: now))
            let row = try NotificationRow(
                NotificationDraft(account: delivery.account, subject: .due(told.text)),
                publicID: delivery.notification,
                isNewMention: false,
                at: now,
                expiresAt: delivery.expiresAt
            )
            guard row.title != told.title else { continue }
            try store.retell(told.notification, row.title, row.payload)
            deliveries[place].payload = row.payload
            renewed[told.notification] = row.payload
        }
    }
}
