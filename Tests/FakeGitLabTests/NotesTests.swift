import FakeGitLab
import HTTP
import Platform
import Testing

@Suite("GitLab facts §8.1 notes list")
struct NotesListTests {
    @Test func `a comment has every field of the table with its type`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "Looks good\r\nto me")
        let notes = try fixture.get(fixture.path(fixture.mergeRequest, "/notes"))
        let note = try #require(notes.array.first)
        expectFields(
            note,
            [
                "id": "int", "type": "null", "body": "string", "attachment": "null", "author": "object",
                "created_at": "time", "updated_at": "time", "system": "bool", "noteable_id": "int",
                "noteable_type": "string", "project_id": "int", "resolvable": "bool", "confidential": "bool",
                "internal": "bool", "imported": "bool", "imported_from": "string", "noteable_iid": "int",
                "commands_changes": "object",
            ]
        )
        #expect(note["body"]?.string == "Looks good\r\nto me")
        #expect(note["noteable_type"]?.string == "MergeRequest")
        #expect(note["noteable_iid"]?.integer == 7)
        #expect(note["created_at"]?.string == "2026-03-02T09:00:00.225Z")
        #expect(note["author"]?["username"]?.string == "omar")
    }
}
