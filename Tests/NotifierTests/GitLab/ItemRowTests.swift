import FoundationEssentials
import Platform
import Testing

@testable import Notifier

struct ItemRowTests {
    private func decode(_ json: String) throws -> ItemRow {
        try JSONDecoder().decode(ItemRow.self, from: Data(json.utf8))
    }

    @Test func `a row tells its number and all that is compared`() throws {
        let row = try decode(MiniGitLab.Row.item(3, updated: "2027-01-15T09:00:00.250+01:00", comments: 2).json)
        #expect(row.id == 53 && row.iid == 3)
        #expect(
            row.fingerprint
                == ItemFingerprint(
                    updatedAt: WallTime(microseconds: 1_800_000_000_250_000),
                    commentCount: 2,
                    state: "opened",
                    head: "abc",
                    labels: ["bug"],
                    milestone: 4,
                    assignees: [8]
                )
        )
    }

    @Test func `what is missing, null or unknown does no harm`() throws {
        let bare = try decode(#"{"id":1,"iid":2,"milestone":null,"labels":null,"state":"locked","merge_when":{}}"#)
        #expect(bare.fingerprint == ItemFingerprint(state: "locked"))
        #expect(bare.fingerprint.isOpen)
        #expect(throws: DecodingError.self) { try decode(#"{"id":1}"#) }
    }

    @Test(arguments: [
        (#""user_notes_count":1"#, false), (#""state":"closed""#, false),
        (#""updated_at":"2027-01-15T08:00:00.001Z""#, false),
        (#""labels":["a"]"#, false), (#""sha":"b""#, false), (#""draft":true"#, false),
        (#""milestone":{"id":1}"#, false),
        (#""assignees":[{"id":1}]"#, false), (#""reviewers":[{"id":1}]"#, false), (#""upvotes":1"#, true),
        (#""merge_status":"checking""#, true),
    ])
    func `only what may be news makes a difference`(field: String, isSame: Bool) throws {
        let start = #"{"id":1,"iid":2"#
        #expect((try decode("\(start)}").fingerprint == decode("\(start),\(field)}").fingerprint) == isSame)
    }

    @Test func `times are written as GitLab reads them`() {
        #expect(ISO8601.text(WallTime(microseconds: 1_800_000_000_250_999)) == "2027-01-15T08:00:00.250Z")
        #expect(ISO8601.text(WallTime(microseconds: 0)) == "1970-01-01T00:00:00.000Z")
    }
}
