import Testing

@testable import Notifier

/// FR3: a missing scope is named, with what to do about it.
struct ScopeTests {
    @Test(arguments: ["read_api", "api"])
    func `GitLab's refusal names the scope that the question needs`(scope: String) {
        let error = APIError(.forbidden(.scope), notFound: .itemNotFound, scope: scope)
        #expect(error.code == "gitlab_scope_missing")
        #expect(error.message.contains("`\(scope)`"))
        #expect(error.hint.contains("Make a token with the scope \(scope)"))
    }

    @Test func `what the token has is named beside what it lacks`() {
        let error = APIError.gitLabScopeMissing(found: ["read_user", "openid"], missing: ["api"])
        #expect(error.hint.hasPrefix("It has only: read_user, openid."))
        #expect(error.hint.contains("sign in through GitLab"))
    }
}
