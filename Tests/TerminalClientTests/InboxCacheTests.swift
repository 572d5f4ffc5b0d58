import FoundationEssentials
import NotifierKit
import Testing

@testable import TerminalClient

/// What `inbox` lists while the server cannot be asked.
struct InboxCacheTests {
    private static let fetchedAt: Date = .init(timeIntervalSince1970: 1_000)

    /// Three notifications about two subjects, and two older ones that are not listed.
    private static func make() -> InboxCache {
        let subjects = ["42/merge_request/1", "42/issue/2", "42/merge_request/1"]
        let entries = subjects.enumerated().map { place, subject in
            AppNotification(
                id: "n\(place)",
                subject: subject,
                sentAt: fetchedAt - Double(place + 1),
                title: "Ben commented",
                body: ""
            )
        }
        return InboxCache(notifications: entries, count: 5, fetchedAt: fetchedAt)
    }

    /// Of an inbox that holds none of them, as one that was never fetched.
    private static func marks(_ selection: ReadSelection, after seconds: Double) -> [NotificationInbox.PendingMark] {
        var inbox = NotificationInbox()
        _ = inbox.mark(selection, at: fetchedAt + seconds)
        return inbox.pendingMarks
    }

    @Test func `what was marked since is not listed, also where the kit does not hold it`() {
        var all = Self.make()
        all.apply(Self.marks(.all, after: 10))
        #expect(all.notifications.isEmpty && all.count == 0)
        var subject = Self.make()
        subject.apply(Self.marks(.subject("42/merge_request/1"), after: 10))
        #expect(subject.notifications.map(\.id) == ["n1"] && subject.count == 3)
        var ids = Self.make()
        ids.apply(Self.marks(.ids(["n1"]), after: 10))
        #expect(ids.notifications.map(\.id) == ["n0", "n2"] && ids.count == 4)
    }

    @Test func `what came after a mark stays, and so does what is unread again`() {
        var earlier = Self.make()
        earlier.apply(Self.marks(.all, after: -2))
        #expect(earlier.notifications.map(\.id) == ["n0"])
        var again = Self.make()
        again.apply(Self.marks(.unread(["n1"]), after: 10))
        #expect(again.notifications.count == 3 && again.count == 5)
    }
}
