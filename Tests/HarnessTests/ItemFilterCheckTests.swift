import FoundationEssentials
import NotifierKit
import Testing

@testable import Harness

/// Parts of the list of GitLab's items, against the whole.
struct ItemFilterCheckTests {
    private static func entry(
        _ iid: Int,
        _ type: String = "issue",
        state: String = "opened",
        by involvement: [String] = ["authored"]
    ) throws -> ItemPage.Entry {
        let words = involvement.map { "\"\($0)\"" }.joined(separator: ",")
        let text = """
            {"items": [{"iid": \(iid), "type": "\(type)", "title": "T", "projectId": 7, "state": "\(state)",
              "involvement": [\(words)], "watched": false, "lastActivityAt": "2026-03-02T08:00:00Z"}]}
            """
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(ItemPage.self, from: Data(text.utf8)).items[0]
    }

    private static func difference(
        _ number: Int,
        _ part: [ItemPage.Entry],
        of whole: [ItemPage.Entry],
        areTheirs: Bool = true
    ) -> String? {
        ItemFilterCheck(number: number, project: 7).difference(part, of: whole) { _ in areTheirs }
    }

    @Test func `a part is what the whole has of it`() throws {
        let whole = [try Self.entry(1), try Self.entry(2, "merge_request"), try Self.entry(3, by: ["assigned"])]
        #expect(Self.difference(0, [whole[0], whole[2]], of: whole) == nil, "issues")
        #expect(Self.difference(0, [whole[0]], of: whole)?.contains("does not list 7#3") == true)
        #expect(Self.difference(0, whole, of: whole)?.contains("lists 7!2 among issues") == true)
        #expect(Self.difference(0, [whole[0], whole[0], whole[2]], of: whole)?.contains("twice") == true)
        #expect(Self.difference(0, [whole[0], whole[2]], of: [whole[0]])?.contains("not among all") == true)
        #expect(Self.difference(0, [whole[0], whole[2]], of: [whole[0]], areTheirs: false) == nil, "a mention")
        #expect(Self.difference(3, [whole[0], whole[1]], of: whole) == nil, "authored")
    }

    @Test func `of any state all that is open is listed, and more`() throws {
        let whole = [try Self.entry(1)]
        let closed = try Self.entry(9, state: "closed")
        #expect(Self.difference(6, [whole[0], closed], of: whole) == nil)
        #expect(Self.difference(6, [closed], of: whole)?.contains("does not list 7#1") == true)
        #expect(Self.difference(7, [closed], of: whole) == nil, "closed ones alone")
        #expect(Self.difference(7, whole, of: whole) != nil)
    }
}
