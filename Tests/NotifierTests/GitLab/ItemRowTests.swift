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

    @Test func `a row tells what the item is called and where it is`() throws {
        let row = try decode(MiniGitLab.Row.item(3, updated: "", title: "Mend it", path: "team/app").json)
        #expect(row.title == "Mend it" && row.webURL == "https://x/team/app" && row.projectPath == "team/app")
        let needed = #""id":1,"iid":2,"state":"opened","assignees":[]"#
        let bare = try decode(#"{\#(needed),"title":null,"web_url":[],"references":{"full":3}}"#)
        #expect(bare.title == nil && bare.webURL == nil && bare.projectPath == nil)
    }

    /// Its age is counted by a clock that counts no more than 292 years.
    @Test(arguments: [
        ("0000-01-01T00:00:00Z", false), ("1969-12-31T23:59:59.999Z", false), ("1970-01-01T00:00:00Z", true),
        ("2199-12-31T23:59:59.999Z", true), ("2200-01-01T00:00:00Z", false), ("9999-12-31T23:59:59Z", false),
    ])
    func `a time of a year with which nobody can reckon is none`(text: String, isRead: Bool) throws {
        let row = try decode(MiniGitLab.Row.item(3, updated: text).json)
        #expect((row.fingerprint.updatedAt != nil) == isRead)
    }

    @Test func `what is missing, null or unknown does no harm`() throws {
        let needed = #""id":1,"iid":2,"state":"locked""#
        let bare = try decode(#"{\#(needed),"milestone":null,"labels":null,"assignees":null,"merge_when":{}}"#)
        #expect(bare.fingerprint == ItemFingerprint(state: "locked"))
        #expect(bare.fingerprint.isOpen)
        #expect(throws: DecodingError.self) { try decode(#"{"id":1,"state":"opened","assignees":[]}"#) }
    }

    /// Whoever has to have it done would be told that it is theirs no more.
    @Test(arguments: [
        #""state":"opened""#, #""state":"opened","assignees":"ben""#, #""state":"opened","assignees":[{"id":"7"}]"#,
        #""assignees":[{"id":7}]"#, #""state":1,"assignees":[{"id":7}]"#,
    ])
    func `a row that does not say whose it is, or whether it is open, is none`(fields: String) {
        #expect(throws: DecodingError.self) { try decode(#"{"id":1,"iid":2,\#(fields)}"#) }
    }

    @Test(arguments: [
        (#""user_notes_count":1"#, false), (#""state":"closed""#, false),
        (#""updated_at":"2027-01-15T08:00:00.001Z""#, false),
        (#""labels":["a"]"#, false), (#""sha":"b""#, false), (#""draft":true"#, false),
        (#""milestone":{"id":1}"#, false), (#""due_date":"2026-03-30""#, false), (#""due_date":"soon""#, true),
        (#""milestone":{"id":null,"due_date":"2026-03-30"}"#, true),
        (#""assignees":[{"id":1}]"#, false), (#""reviewers":[{"id":1}]"#, false), (#""upvotes":1"#, true),
        (#""merge_status":"checking""#, true),
    ])
    func `only what may be news makes a difference`(field: String, isSame: Bool) throws {
        let needed = [#""id":1"#, #""iid":2"#, #""state":"opened""#, #""assignees":[]"#]
        let others = needed.filter { !field.hasPrefix($0.prefix(8)) }
        let bare = try decode("{\(needed.joined(separator: ","))}")
        let row = try decode("{\((others + [field]).joined(separator: ","))}")
        #expect((bare.fingerprint == row.fingerprint) == isSame)
    }

    @Test(arguments: [
        (#""due_date":"2026-03-30","milestone":{"id":1,"due_date":"2026-04-30"}"#, "2026-03-30"),
        (#""due_date":null,"milestone":{"id":1,"due_date":"2026-04-30"}"#, "2026-04-30"),
        (#""due_date":"2026-02-30","milestone":{"id":1,"due_date":"04/30/2026"}"#, nil),
        (#""due_date":20260330,"milestone":{"id":1,"due_date":[1]}"#, nil),
        (#""due_date":"2026-03-30","state":"closed""#, nil), (#""due_date":"2026-03-30","state":"merged""#, nil),
    ])
    func `what is due for somebody is open and theirs, by its own day or else its milestone's`(
        fields: String,
        day: String?
    ) throws {
        let state = fields.contains(#""state""#) ? "" : #""state":"opened","#
        let row = try decode(#"{"id":1,"iid":2,\#(state)"assignees":[{"id":7},{"id":8}],\#(fields)}"#).fingerprint
        #expect(row.dueOn(for: 7)?.text == day && row.dueOn(for: 8)?.text == day)
        #expect(row.dueOn(for: 9) == nil)
    }

    @Test func `days are written as GitLab reads them, and counted`() throws {
        for text in ["1970-01-01", "2024-02-29", "2026-12-31", "9999-12-31"] { #expect(DueDay(text)?.text == text) }
        for text in ["", "2026-3-30", "2026-02-29", "2026-13-01", "1969-12-31", "2026-03-30T", "२026-03-30"] {
            #expect(DueDay(text) == nil, "\(text)")
        }
        let day = try #require(DueDay("2024-03-01"))
        #expect(day.days(since: try #require(DueDay("2024-02-28"))) == 2)
        #expect(day.days(since: try #require(DueDay("2024-03-31"))) == -30)
    }

    @Test func `times are written as GitLab reads them`() {
        #expect(ISO8601.text(WallTime(microseconds: 1_800_000_000_250_999)) == "2027-01-15T08:00:00.250Z")
        #expect(ISO8601.text(WallTime(microseconds: 0)) == "1970-01-01T00:00:00.000Z")
    }
}
