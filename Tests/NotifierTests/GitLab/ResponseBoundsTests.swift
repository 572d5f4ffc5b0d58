import FoundationEssentials
import Testing

@testable import Notifier

struct ResponseBoundsTests {
    private func admits(_ text: String, _ change: (inout ResponseBounds) -> Void) -> Bool {
        var bounds = ResponseBounds(rows: 3)
        change(&bounds)
        return bounds.admit(Array(text.utf8))
    }

    @Test(arguments: [
        ("", true), ("[]", true), ("[1,2,3]", true), ("[1,2,3,4]", false), (" [ {\"a\":[1,2,3,4]}, {} ,{}] ", true),
        ("[{},{},{},{}]", false), (#"[",,,,",",]",","]"#, true), (#"["\",,,,\\",2,3]"#, true),
        (#"["\\",2,3,4]"#, false),
        // An object has members, not rows, and what is no JSON is the decoder's business.
        (#"{"a":1,"b":2,"c":3,"d":4}"#, true), ("]]],", true), (#"[",,,,"#, true), ("[,,,,", false), (#"["\"#, true),
    ])
    func `rows are counted without being read`(text: String, isAdmitted: Bool) {
        #expect(admits(text) { _ in } == isAdmitted)
    }

    @Test func `depth, values and the bytes of a row have bounds of their own`() {
        #expect(admits("[[[1]]]") { $0.depth = 3 })
        #expect(!admits("[[[1]]]") { $0.depth = 2 })
        // The array, two commas, and three names with an object around each.
        let row = #"{"a":1}"#
        #expect(admits("[\(row),\(row),\(row)]") { $0.values = 9 })
        #expect(!admits("[\(row),\(row),\(row)]") { $0.values = 8 })
        #expect(admits("[[1,2],[3,4]]") { $0.valuesPerRow = 4 })
        #expect(!admits("[[1,2],[3,4,5,6,7]]") { $0.valuesPerRow = 4 })
        #expect(admits("[12,345,67]") { $0.rowBytes = 4 })
        #expect(!admits("[12,34567,8]") { $0.rowBytes = 4 })
        #expect(!admits("[12,3,45678]") { $0.rowBytes = 4 })
    }

    @Test func `what GitLab may give at most is admitted`() {
        let description = String(repeating: "\\u003c", count: 500_000)
        let people = (1...400).map { #"{"id":\#($0),"username":"u","name":"n","state":"active","web_url":"w"}"# }
        let row = #"{"id":1,"description":"\#(description)","assignees":[\#(people.joined(separator: ","))]}"#
        #expect(ResponseBounds(rows: 2).admit(Array("[\(row),\(row)]".utf8)))
    }

    @Test(arguments: [
        ("", ""), ("abcd", "abcd"), ("abcde", "abcd"), ("abcé", "abc"), ("ab😀", "ab"), ("a😀", "a"), ("éé", "éé"),
    ])
    func `texts are cut between characters`(text: String, expected: String) {
        #expect(text.cut(toBytes: 4) == expected)
    }

    @Test func `what is longer than GitLab allows is cut, and addresses are left away`() throws {
        let long = String(repeating: "x", count: 200_000)
        let json = """
            {"id":1,"body":"\(long)","created_at":null,"system":false,\
            "author":{"id":2,"username":"\(long)","name":"\(long)","avatar_url":"\(long)"}}
            """
        let note = try JSONDecoder().decode(NoteRow.self, from: Data(json.utf8))
        #expect(note.body.utf8.count == TextLimit.body)
        #expect(note.author?.name.utf8.count == TextLimit.line && note.author?.username.utf8.count == TextLimit.line)
        #expect(note.author?.avatarURL == nil)
        let labels = (0..<2_000).map { "\"\($0)\(long.prefix(2_000))\"" }.joined(separator: ",")
        let people = (0..<2_000).map { #"{"id":\#($0)}"# }.joined(separator: ",")
        let needed = #""id":1,"iid":1,"state":"opened""#
        let item = try JSONDecoder().decode(
            ItemRow.self,
            from: Data(
                #"{\#(needed),"labels":[\#(labels)],"assignees":[\#(people)],"reviewers":[\#(people)]}"#.utf8
            )
        )
        #expect(item.fingerprint.labels.count == TextLimit.entries)
        #expect(item.fingerprint.labels.allSatisfy { $0.utf8.count == TextLimit.line })
        #expect(
            item.fingerprint.assignees.count == TextLimit.entries
                && item.fingerprint.reviewers.count == TextLimit.entries
        )
    }

    private func decode<Row: Decodable>(_ type: Row.Type = Row.self, _ json: String) throws -> Row {
        try JSONDecoder().decode(Row.self, from: Data(json.utf8))
    }

    @Test func `what surrounds an item is cut, too`() throws {
        let long = String(repeating: "x", count: 200_000)
        let entry = #"{"user":{"id":1,"username":"u","name":"n"}}"#
        let entries = Array(repeating: entry, count: 2_000).joined(separator: ",")
        let approvals = try decode(ApprovalsResponse.self, #"{"approved_by":[\#(entries)]}"#)
        #expect(approvals.entries.count == TextLimit.entries)
        let time = #""created_at":"2026-03-02T09:00:00Z""#
        let event = #"{"id":1,"user":null,\#(time),"action":"add","label":{"name":"\#(long)"}}"#
        #expect(try decode(MetadataEventRow.self, event).name?.utf8.count == TextLimit.line)
        let about = #""author":null,"action_name":"marked","target_type":"Key","target":null"#
        let texts = #""body":"\#(long)","target_url":"\#(long)""#
        let todo = try decode(TodoRow.self, #"{"id":1,\#(about),\#(time),\#(texts)}"#)
        #expect(todo.body.utf8.count == TextLimit.body && todo.targetURL == nil)
        let item = #"{"id":1,"iid":1,"project_id":1,"references":{"full":"\#(long)"}}"#
        #expect(try decode(ListedItem.self, item).projectPath?.utf8.count == TextLimit.line)
        let row = """
            {"id":1,"action_name":"mentioned","target_type":"Issue","target":{"id":1,"iid":1,"project_id":1},\
            "project":{"id":1,"path_with_namespace":"\(long)"}}
            """
        #expect(try decode(ListedItemRow.self, row).item?.projectPath?.utf8.count == TextLimit.line)
        let token = #"{"scopes":["api"],"active":true,"expires_at":"\#(long)"}"#
        #expect(try decode(PersonalAccessToken.self, token).expiresOn == nil)
    }

    @Test func `nobody has a name of such a length`() throws {
        let long = String(repeating: "x", count: 2_000)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(CurrentUser.self, from: Data(#"{"id":1,"username":"\#(long)"}"#.utf8))
        }
    }
}
