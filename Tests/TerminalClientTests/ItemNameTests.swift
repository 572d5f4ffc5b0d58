import NotifierKit
import Testing

@testable import TerminalClient

/// How a person writes an item.
struct ItemNameTests {
    @Test(arguments: [
        ("team/app!847", "team/app!847"), ("team/sub/app#3", "team/sub/app#3"), ("42!847", "42!847"),
        ("https://gitlab.example.com/team/app/-/merge_requests/847", "team/app!847"),
        ("https://gitlab.example.com/team/app/-/merge_requests/847/diffs#note_7", "team/app!847"),
        ("https://gitlab.example.com/team/app/-/issues/3?a=b", "team/app#3"),
        ("https://gitlab.example.com:8443/team/app/-/work_items/3", "team/app#3"),
    ])
    func `an item is read from its address and its short form`(text: String, name: String) throws {
        #expect(try ItemName(text).description == name)
    }

    @Test(arguments: [
        "", "847", "!847", "app!847", "team/app!0", "team/app!x", "team/app", "/team/app!1", "te am/app!1",
        "team/app!99999999999999999999", "https://gitlab.example.com", "https://gitlab.example.com/-/merge_requests/1",
        "https://gitlab.example.com/team/app/-/commits/1", "https://gitlab.example.com/team/app/-/issues/",
    ])
    func `what names no item is refused`(text: String) {
        let error = #expect(throws: TerminalError.self) { try ItemName(text) }
        #expect(error?.exit == .usage)
    }

    @Test func `a path is compared without case, also below a path of GitLab's own`() throws {
        let name = try ItemName("https://example.com/gitlab/Team/App/-/issues/3")
        #expect(name.isIn(project: 42, path: "team/app"))
        #expect(!name.isIn(project: 42, path: "am/app") && !name.isIn(project: 42, path: nil))
        #expect(try ItemName("42!1").isIn(project: 42, path: nil))
    }
}
