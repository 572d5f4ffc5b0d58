import FoundationEssentials
import Testing

@testable import NotifierKit

/// What a device knows of the person's notifications, rule by rule.
struct InboxTests {
    /// After a first fetch that found nothing.
    private static func make() -> NotificationInbox {
        var inbox = NotificationInbox()
        inbox.takeBaseline([])
        return inbox
    }

    @Test func `what was there before this device came is listed and not shown`() {
        var inbox = NotificationInbox()
        inbox.takeBaseline([.make(3), .make(2, readAt: .start), .make(1)])
        #expect(inbox.all.map(\.id) == ["n3", "n2", "n1"])
        #expect(inbox.unread.map(\.id) == ["n3", "n1"] && inbox.lastSeenID == "n3")
        let result1 = inbox.take(.make(4...4), onScreen: [])
        #expect(result1.news.map(\.id) == ["n4"])
    }

    @Test func `news is shown once, oldest first`() {
        var inbox = Self.make()
        let news = inbox.take(.make(1...3), onScreen: []).news
        #expect(news.map(\.id) == ["n1", "n2", "n3"] && inbox.lastSeenID == "n3")
        for notification in news { inbox.noteShown(notification.id) }
        let result2 = inbox.take(.make(1...3, reset: true), onScreen: [])
        #expect(result2 == NotificationInbox.Taken())
    }

    @Test func `what a push has shown, or was read elsewhere, or acknowledged, is not shown by pull`() {
        var inbox = Self.make()
        var page = NotificationPage.make(1...4)
        page.notifications[1].readAt = .start
        page.notifications[2].acknowledged = true
        let result3 = inbox.take(page, onScreen: [.pushed("n1")])
        #expect(result3.news.map(\.id) == ["n4"])
        #expect(inbox.unacknowledged == ["n1"])
        inbox.noteShown("n5")
        let result4 = inbox.take(.make(5...5), onScreen: [])
        #expect(result4.news.isEmpty)
    }

    @Test(arguments: [
        // Both are new: in their order, so that the reminder ends up in the place.
        ([], [1, 2, 3], [1, 2, 3]),
        // The reminder was pushed, the first one was lost on the way: it does not take the place back.
        ([(1, 3)], [1, 2, 3], [2]),
        // Also when the reminder is on a later page.
        ([(1, 3)], [1, 2], [2]),
        // The first one stands there: the reminder is news.
        ([(1, 1)], [1, 2, 3], [2, 3]),
        // An earlier reminder stands there: the next one is news.
        ([(1, 3)], [3, 4], [4]), ([(1, 3)], [4], [4]),
    ])
    func `of one place on screen the newest stays`(
        _ onScreen: [(place: Int, shows: Int)],
        _ page: [Int],
        _ news: [Int]
    ) {
        var inbox = Self.make()
        // What is on no page here was on an earlier one.
        if page == [4] { _ = inbox.take(.make(1...3), onScreen: []) }
        var made = NotificationPage.make(page)
        for index in made.notifications.indices where page[index] > 2 { made.notifications[index].collapseId = "n1" }
        let shown = onScreen.map { DeliveredNotification(identifier: "n\($0.place)", notificationID: "n\($0.shows)") }
        #expect(inbox.take(made, onScreen: shown).news.map(\.id) == news.map { "n\($0)" })
        #expect(inbox.lastSeenID == page.last.map { "n\($0)" })
    }

    @Test func `a reminder that was swept away is not followed by what it reminded of`() {
        var inbox = Self.make()
        inbox.noteShown("n3")
        var page = NotificationPage.make(1...3)
        page.notifications[2].collapseId = "n1"
        #expect(inbox.take(page, onScreen: []).news.map(\.id) == ["n2"])
        #expect(inbox.hasShown("n1"))
    }

    @Test func `beyond a hundred the oldest read goes, never an unread one before it`() {
        var inbox = Self.make()
        _ = inbox.take(.make(1...100), onScreen: [])
        _ = inbox.mark(.ids(["n50", "n60"]), at: .start)
        _ = inbox.take(.make(101...102), onScreen: [])
        #expect(inbox.entries.count == 100)
        #expect(!inbox.entries.contains { ["n50", "n60"].contains($0.id) })
        #expect(inbox.unread.count == 100)
        // With nothing read left, the oldest goes.
        _ = inbox.take(.make(103...103), onScreen: [])
        #expect(inbox.entries.count == 100 && inbox.entries.first?.id == "n2")
    }

    @Test func `everything that it keeps is bounded`() throws {
        var inbox = Self.make()
        for number in 1...3_000 {
            _ = inbox.take(.make(number...number), onScreen: [])
            inbox.noteShown("n\(number)")
            _ = inbox.mark(.ids(["n\(number)"]), at: .at(Double(number)))
        }
        #expect(inbox.entries.count == 100 && inbox.unacknowledged.count == 100 && inbox.pendingMarks.count == 100)
        #expect(WireCoding.encode(inbox).count < 100_000)
    }

    @Test func `what was dropped long ago is not shown when a page begins anew`() {
        var inbox = Self.make()
        for notification in inbox.take(.make(1...300), onScreen: []).news { inbox.noteShown(notification.id) }
        #expect(inbox.entries.first?.id == "n201")
        let result5 = inbox.take(.make(1...301, reset: true), onScreen: [])
        #expect(result5.news.map(\.id) == ["n301"])
    }

    @Test func `what was there before is no news either when a page begins anew`() {
        var inbox = NotificationInbox()
        inbox.takeBaseline([.make(2), .make(1)])
        let news = inbox.take(.make(1...3, reset: true), onScreen: []).news
        #expect(news.map(\.id) == ["n3"])
        // A push of it, late as it may be, has not been shown yet.
        #expect(!inbox.hasShown("n2"))
    }

    @Test func `what the server has forgotten is forgotten when all pages of a reading that began anew are there`() {
        var inbox = Self.make()
        _ = inbox.take(.make(1...6), onScreen: [])
        var first = NotificationPage.make(1...2, reset: true)
        first.hasMore = true
        let begun = inbox.take(first, onScreen: [])
        #expect(begun.forgotten.isEmpty && inbox.entries.count == 6, "the next page may have them")
        let ended = inbox.take(.make(3...4), onScreen: [])
        #expect(ended.forgotten == ["n5", "n6"] && inbox.entries.map(\.id) == ["n1", "n2", "n3", "n4"])
        // A page that goes on says nothing of what is not on it.
        #expect(inbox.take(.make(7...7), onScreen: []).forgotten.isEmpty && inbox.unreadCount == 5)
    }

    @Test func `marks of other devices are taken, and what they read goes from the screen`() {
        var inbox = Self.make()
        _ = inbox.take(.make(1...3), onScreen: [])
        let history: [AppNotification] = [.make(3), .make(2, readAt: .at(50)), .make(1, readAt: .at(60))]
        let result6 = inbox.takeMarks(history)
        #expect(result6 == ["n2", "n1"])
        #expect(inbox.unread.map(\.id) == ["n3"])
        let result7 = inbox.takeMarks([.make(1)])
        #expect(result7.isEmpty)
        #expect(inbox.unread.map(\.id) == ["n3", "n1"])
    }

    @Test func `a mark shows at once, and an older word of the server does not undo it`() {
        var inbox = Self.make()
        _ = inbox.take(.make(1...3), onScreen: [])
        let result8 = inbox.mark(.subject("42/merge_request/847"), at: .at(9))
        #expect(result8 == ["n1", "n2", "n3"])
        let result9 = inbox.takeMarks([.make(1)])
        #expect(result9.isEmpty && inbox.unread.isEmpty)
        _ = inbox.take(.make(1...1, reset: true), onScreen: [])
        #expect(inbox.unread.isEmpty)
    }

    @Test(arguments: [ReadSelection.ids(["n1"]), .unread(["n1"]), .subject("42/merge_request/847"), .all])
    func `a refused mark leaves everything as it was`(selection: ReadSelection) throws {
        var inbox = Self.make()
        _ = inbox.take(.make(1...3), onScreen: [])
        if case .unread = selection {
            _ = inbox.mark(.ids(["n1"]), at: .at(4))
            inbox.settle(try #require(inbox.pendingMarks.first))
        }
        let before = inbox.unread.map(\.id)
        _ = inbox.mark(selection, at: .at(9))
        #expect(inbox.unread.map(\.id) != before)
        inbox.revert(try #require(inbox.pendingMarks.first))
        #expect(inbox.unread.map(\.id) == before && inbox.pendingMarks.isEmpty)
    }

    @Test func `subjects with something unread are named once`() {
        var inbox = Self.make()
        _ = inbox.take(.make(1...2), onScreen: [])
        inbox.takeBaseline([])
        _ = inbox.take(
            NotificationPage(notifications: [.make(3, subject: "digest")], notificationVersion: 1),
            onScreen: []
        )
        #expect(inbox.subjectsWithNotifications == ["42/merge_request/847", "digest"])
        _ = inbox.mark(.subject("digest"), at: .start)
        #expect(inbox.subjectsWithNotifications == ["42/merge_request/847"])
    }

    @Test func `it is the same after it was written and read`() throws {
        var inbox = Self.make()
        _ = inbox.take(.make(1...3), onScreen: [.pushed("n2")])
        _ = inbox.mark(.ids(["n1"]), at: .at(9))
        #expect(try WireCoding.decode(NotificationInbox.self, WireCoding.encode(inbox)) == inbox)
    }

    @Test func `what the server has taken counts no more, although it has not counted since`() {
        var inbox = Self.make()
        _ = inbox.take(.make(1...3), onScreen: [])
        inbox.noteCount(150)
        _ = inbox.mark(.ids(["n1", "n2"]), at: .start)
        #expect(inbox.badge == 148)
        inbox.settle(inbox.pendingMarks[0])
        #expect(inbox.badge == 148)
        _ = inbox.mark(.all, at: .start)
        inbox.settle(inbox.pendingMarks[0])
        #expect(inbox.badge == 0)
        inbox.noteCount(1)
        _ = inbox.mark(.unread(["n1"]), at: .start)
        inbox.settle(inbox.pendingMarks[0])
        #expect(inbox.badge == 2)
    }
}
