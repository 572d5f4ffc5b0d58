import Testing

@testable import Harness
@testable import Verdict

/// What a push tells is read from its payload as the documented wire format has it.
struct PayloadReaderTests {
    private static let payload = #"""
        {"aps":{"alert":{"title":"Still waiting","body":"b"},"sound":"default","category":"GITLAB_ASK","mutable-content":1,
        "thread-id":"7/merge_request/847","interruption-level":"time-sensitive"},"data":{"notificationId":"n1",
        "type":"reminder","itemType":"merge_request","itemId":847,"projectId":7,"isNewMention":true,"batchCount":1,
        "facts":["todo/4"],"askId":"a","step":1,"runId":"night","dutyId":"d"}}
        """#

    @Test func `how a push comes to its reader's notice is read`() throws {
        let content = try #require(PayloadReader.content(of: Array(Self.payload.utf8)))
        let manner = PushManner(
            isAudible: true,
            level: "time-sensitive",
            category: "GITLAB_ASK",
            thread: "7/merge_request/847"
        )
        #expect(content.manner == manner)
        #expect(content.label?.projectID == 7 && content.label?.isNewMention == true && content.label?.hasAsk == true)
        #expect(content.size == Self.payload.utf8.count)
        #expect(content.label?.run == "night" && content.label?.duty == "d")
    }

    @Test func `what a push leaves away is not there`() throws {
        let bare = #"{"aps":{"alert":{"title":"a"}},"data":{"notificationId":"n1","type":"activity"}}"#
        let content = try #require(PayloadReader.content(of: Array(bare.utf8)))
        #expect(content.manner == PushManner(isAudible: false, level: "", category: "", thread: ""))
        #expect(content.label?.projectID == nil && content.label?.hasAsk == false)
    }
}
