import Testing

@testable import Verdict

struct RecordPoolTests {
    private static func content(_ id: String, _ title: String) -> PushContent {
        let keys = ["note/7/\(id)"]
        var content = PushContent(notificationID: id, type: nil, factKeys: keys, isTruncated: false, title: title)
        content.label = PushLabel(type: "activity", actionType: "commented", actor: "Jonas", count: 1)
        content.badge = 3
        return content
    }

    @Test func `what many are told alike is held once, and everybody keeps what is their own`() {
        var pool = RecordPool()
        let contents = ["1", "2", "3"].map { Self.content($0, $0 == "3" ? "Another" : "Jonas commented") }
        let pooled = contents.map { pool.pooled($0) }
        #expect(pooled == contents)
        #expect(pooled[0].message.isSame(as: pooled[1].message))
        #expect(!contents[0].message.isSame(as: contents[1].message))
        #expect(!pooled[0].message.isSame(as: pooled[2].message))
    }

    @Test func `who changes what is shared changes it for nobody else`() {
        var pool = RecordPool()
        let first = pool.pooled(Self.content("1", "Jonas commented"))
        var second = pool.pooled(Self.content("2", "Jonas commented"))
        second.title = "Lena commented"
        second.label?.count = 2
        #expect(first.title == "Jonas commented" && first.label?.count == 1)
        #expect(second.title == "Lena commented" && second.label?.count == 2)
    }
}
