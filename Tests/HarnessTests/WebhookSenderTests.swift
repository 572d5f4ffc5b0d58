import HTTP
import Testing

@testable import Harness

/// What a webhook with a guessed secret comes to.
@Suite struct WebhookSenderTests {
    @Test(arguments: [200, 202, 404, 500])
    func `a guess that is taken, or looked at, is wrong`(status: Int) {
        let complaint = WebhookSender.complaint(aboutGuess: .response(HTTPResponse(status: status)))
        #expect(complaint == "a webhook with a guessed secret was answered \(status), and not 401")
    }

    @Test(arguments: [401, 429, 503])
    func `a guess that is refused is no matter`(status: Int) {
        #expect(WebhookSender.complaint(aboutGuess: .response(HTTPResponse(status: status))) == nil)
    }

    @Test func `a guess without an answer says nothing`() {
        #expect(WebhookSender.complaint(aboutGuess: .notSent(.connectionRefused)) == nil)
    }
}
