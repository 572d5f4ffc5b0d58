import Testing

@testable import Harness

/// What is read of the words in an app's lists.
struct FeedWordsTests {
    @Test func `an entry is known by its title, its text and its address`() {
        let body = """
            { "notifications": [
                { "id": "n1", "type": "activity", "title": "Tom commented on MR !1", "body": "Why?", "facts": ["note/1/2"],
                  "webUrl": "https://gitlab.example/team/backend/-/merge_requests/1#note_2" },
                { "id": "n2", "type": "activity", "title": "Tom merged MR !1" }
            ] }
            """
        let words = PayloadReader.feed(Array(body.utf8))?.words ?? []
        #expect(words.map(\.notificationID) == ["n1", "n2"])
        #expect(words.map(\.title) == ["Tom commented on MR !1", "Tom merged MR !1"])
        #expect(words.map(\.body) == ["Why?", ""])
        #expect(words.map(\.address) == ["https://gitlab.example/team/backend/-/merge_requests/1#note_2", nil])
    }
}
