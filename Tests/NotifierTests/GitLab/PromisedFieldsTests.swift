import FoundationEssentials
import Testing

@testable import Notifier

/// What every GitLab writes in its rows (``LenientDecoding``): a row that lacks it must not be known without having been told.
struct PromisedFieldsTests {
    private typealias Member = (key: String, value: String)

    private static let user = #"{"id":9,"username":"ben","name":"Ben"}"#
    private static let time = #""2027-01-15T08:00:00.000Z""#

    /// Each of `members` has to be there, with a value of its type; null is no other type.
    private func check<Row: Decodable>(_ row: Row.Type, _ members: [Member]) throws {
        let write = { (members: [Member]) in
            Data("{\(members.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ","))}".utf8)
        }
        let decoder = JSONDecoder()
        _ = try decoder.decode(row, from: write(members + [("new", "[{}]")]))
        for (index, member) in members.enumerated() {
            var changed = members
            changed.remove(at: index)
            #expect(throws: DecodingError.self, "\(row) without \(member.key)") {
                try decoder.decode(row, from: write(changed))
            }
            changed.append((member.key, "[7]"))
            #expect(throws: DecodingError.self, "\(row) with another \(member.key)") {
                try decoder.decode(row, from: write(changed))
            }
            guard member.key != "id" else { continue }
            changed[changed.count - 1].value = "null"
            _ = try decoder.decode(row, from: write(changed))
        }
    }

    @Test func `of events of an item`() throws {
        let head: [Member] = [("id", "1"), ("user", Self.user), ("created_at", Self.time)]
        try check(StateEventRow.self, head + [("state", #""closed""#)])
        try check(MetadataEventRow.self, head + [("action", #""add""#)])
        try check(PipelineRow.self, [("id", "1"), ("status", #""failed""#), ("updated_at", Self.time)])
    }

    @Test func `of to-do items`() throws {
        try check(
            TodoRow.self,
            [
                ("id", "1"), ("author", Self.user), ("action_name", #""mentioned""#), ("target_type", #""Issue""#),
                ("target", #"{"iid":3}"#), ("created_at", Self.time),
            ]
        )
    }

    @Test func `of items and what is to be done about them, or a list would seem to be whole without them`() throws {
        let decoder = JSONDecoder()
        let item = #""id":50,"iid":3,"project_id":1"#
        let todo = { (target: String) in Data(#"{"id":1,"action_name":"mentioned",\#(target)}"#.utf8) }
        for sound in [#""target_type":"Issue","target":{\#(item)}"#, #""target_type":"Issue","target":null"#] {
            _ = try decoder.decode(ListedItemRow.self, from: todo(sound))
        }
        let other = #""target_type":"Design","target":{"id":1}"#
        let ofGroup = #""target_type":"Issue","target":{"id":50,"iid":3,"project_id":null}"#
        for none in [other, ofGroup] { #expect(try decoder.decode(ListedItemRow.self, from: todo(none)).item == nil) }
        let unnamed = Data(#"{"id":1,"action_name":null,"target_type":"Design","target":null}"#.utf8)
        #expect(try decoder.decode(ListedItemRow.self, from: unnamed).isMention == false)
        for broken in [#""target":{\#(item)}"#, #""target_type":"Issue","target":7"#, #""target_type":"Issue""#] {
            #expect(throws: DecodingError.self) { try decoder.decode(ListedItemRow.self, from: todo(broken)) }
        }
        #expect(try decoder.decode(ListedItemRow.self, from: Data("{\(item)}".utf8)).item?.iid == 3)
        #expect(throws: DecodingError.self) {
            try decoder.decode(ListedItemRow.self, from: Data(#"{"id":50,"project_id":1}"#.utf8))
        }
    }

    @Test func `of the feed, with the comment that an event carries`() throws {
        let head: [Member] = [("id", "1"), ("action_name", #""commented on""#), ("created_at", Self.time)]
        try check(EventRow.self, head)
        let decode = { (note: String) in
            let members = head.map { #""\#($0.key)":\#($0.value)"# } + [#""note":\#(note)"#]
            return try JSONDecoder().decode(EventRow.self, from: Data("{\(members.joined(separator: ","))}".utf8))
        }
        let rest = #""author":\#(Self.user),"created_at":\#(Self.time),"system":false"#
        #expect(try decode(#"{"id":5,"body":"Hm",\#(rest)}"#).comment?.note.body == "Hm")
        #expect(try decode("null").comment == nil)
        #expect(throws: DecodingError.self) { try decode(#"{"id":5,\#(rest)}"#) }
    }
}
