import FoundationEssentials
import Testing

@testable import NotifierKit

/// What a newer server tells of and this program does not know.
struct PassedOverTests {
    private func read<Value: Decodable>(_ text: String) throws -> Value {
        try WireCoding.decode(Value.self, Data(text.utf8))
    }

    private static func watch(_ iid: Int, _ kind: String) -> String {
        """
        {"watchedItemId":"w\(iid)","projectId":42,"itemType":"\(kind)","itemIid":\(iid),"title":"T",\
        "createdAt":"2026-03-02T09:00:00Z","watchSource":"manual"}
        """
    }

    @Test func `an item of another kind keeps nothing else of a page back`() throws {
        let page: SyncPage = try read(
            """
            {"revision":7,"changes":{"watches":[\(Self.watch(1, "issue")),\(Self.watch(2, "epic")),null,3,\
            \(Self.watch(4, "merge_request"))],"choices":\
            [{"projectId":42,"itemType":"epic","itemIid":2,"choice":"watched"}],\
            "deniedActors":[],"readMarks":[{"notificationId":"n1","read":true}],"settings":{"quietHours":"none"}},\
            "deleted":[{"entity":"watch","projectId":42,"itemType":"epic","itemIid":9},{"entity":"mood"}],\
            "hasMore":false,"reset":false}
            """
        )
        #expect(page.changes.watches.map(\.itemIid) == [1, 4])
        #expect(page.changes.choices.isEmpty && page.changes.readMarks.count == 1 && page.changes.settings == nil)
        #expect(page.deleted == [.other])
    }

    @Test func `news of an item of another kind is news, which leads nowhere in the app`() throws {
        let page: NotificationPage = try read(
            """
            {"notifications":[{"id":"n1","type":"activity","sentAt":"2026-03-02T09:00:00Z","title":"T","body":"B",\
            "itemType":"epic","projectId":42,"itemIid":2,"facts":["note/1"]},{"id":"n2"}],\
            "hasMore":false,"reset":false,"notificationVersion":1}
            """
        )
        #expect(page.notifications.map(\.id) == ["n1"])
        #expect(page.notifications.first?.item == nil && page.notifications.first?.facts == ["note/1"])
    }

    @Test func `a page of nothing readable is left behind`() throws {
        let page: NotificationPage = try read(
            #"{"notifications":[{"id":"n8"},{"id":"n9"},7],"hasMore":true,"reset":false,"notificationVersion":1}"#
        )
        var inbox = NotificationInbox()
        inbox.takeBaseline([])
        #expect(inbox.take(page, onScreen: []).news.isEmpty && inbox.lastSeenID == "n9")
    }

    @Test func `what is no list at all is no answer`() {
        let texts = [#"{"notifications":{},"nextCursor":null}"#, #"{"nextCursor":"x"}"#, #"{"notifications":null}"#]
        for text in texts {
            #expect(throws: DecodingError.self) { let _: HistoryPage = try read(text) }
        }
    }
}
