import Testing

@testable import Harness

/// What an app has to be told of a sign-in that comes to no end.
struct RefusedSignInsTests {
    @Test(
        arguments: [
            (201, "", .begun), (422, "oauth_not_offered", .notOffered), (202, "", .pending),
            (422, "oauth_denied", .denied), (422, "oauth_code_refused", .refused), (400, "oauth_state_invalid", .over),
        ] as [(Int, String, RefusedSignIns.Expected)]
    )
    func `what is answered so is right`(status: Int, code: String, expected: RefusedSignIns.Expected) {
        #expect(expected.complaint(about: status, code, to: "a sign-in") == nil)
        #expect(expected.complaint(about: 429, "rate_limited", to: "a sign-in") == nil, "it may be asked again")
        for status in [502, 503] { #expect(expected.complaint(about: status, nil, to: "a sign-in") == nil) }
        for status in [500, 501, 504, 599] {
            #expect(expected.complaint(about: status, nil, to: "a sign-in") != nil, "\(status) is described for nobody")
        }
    }

    @Test func `another answer is told`() {
        let complaint = RefusedSignIns.Expected.denied.complaint(about: 200, nil, to: "a sign-in that was refused")
        #expect(complaint?.contains("a sign-in that was refused") == true)
        let refusal = RefusedSignIns.Expected.begun.complaint(about: 422, "oauth_not_offered", to: "a sign-in")
        #expect(refusal?.contains("oauth_not_offered") == true, "GitLab offers it")
        #expect(RefusedSignIns.Expected.denied.complaint(about: 422, "oauth_code_refused", to: "a sign-in") != nil)
        #expect(RefusedSignIns.Expected.pending.complaint(about: 400, "oauth_state_invalid", to: "a sign-in") != nil)
    }
}
