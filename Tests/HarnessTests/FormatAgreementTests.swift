import Testing

@testable import FakeGitLab
@testable import Harness
@testable import Scenarios

/// What the format refuses or skips by rules of its own, because it does not know the fake, and what the fake does.
struct FormatAgreementTests {
    @Test func `an item takes as many comments in a plan as on the fake GitLab`() {
        #expect(PlannedItem.commentLimit == FakeGitLab.Configuration().notesPerItemLimit)
    }

    @Test(arguments: GitLabWorld.Version.allCases)
    func `devices sign in where the fake lets them`(version: GitLabWorld.Version) throws {
        let fake = try #require(GitLabVersion(version.rawValue))
        #expect(version.offersDeviceSignIn == fake.hasDeviceGrant)
    }

    @Test(arguments: ["/todos", "GET /todos", "/projects/*/issues/**", "/**", "PUT /projects/*/merge_requests/*/merge"])
    func `the fake reads every route that the format takes`(route: String) throws {
        #expect(RouteNotation.isSound(route))
        #expect(try RoutePattern(route).description == route)
    }

    @Test(arguments: ["", " ", "todos", "GET", "GET todos", "GET /todos now", "get /todos", "FETCH /todos"])
    func `what the fake refuses, or would never find, is not a route`(route: String) {
        #expect(!RouteNotation.isSound(route))
    }
}
