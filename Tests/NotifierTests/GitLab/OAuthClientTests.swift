import Crypto
import HTTP
import Testing

@testable import Notifier

struct OAuthClientTests {
    /// Gives one answer to everything.
    private struct OneResponse: HTTPClient {
        var json: String

        func send(_ request: HTTPRequest, options: HTTPSendOptions) async -> HTTPOutcome {
            .response(makeJSON(200, json))
        }
    }

    private func makeClient(_ json: String) -> OAuthClient {
        let application = NotifierSecrets.OAuthApplication(
            origin: HTTPOrigin(scheme: "https", host: "gitlab.example.com"),
            clientID: "client",
            clientSecret: nil,
            redirectURI: "app://done"
        )
        return OAuthClient(application, http: OneResponse(json: json), requestTimeout: .seconds(30))
    }

    @Test(arguments: [
        ("access", 4_096, true), ("access", 4_097, false), ("refresh", 4_097, false), ("access", 0, false),
    ])
    func `tokens that are stored have a length`(name: String, bytes: Int, isTaken: Bool) async {
        let text = { (token: String) in token == name ? String(repeating: "x", count: bytes) : "short" }
        let client = makeClient(#"{"access_token":"\#(text("access"))","refresh_token":"\#(text("refresh"))"}"#)
        let tokens = try? await client.tokens(code: Secret("code"), verifier: Secret("verifier"))
        #expect((tokens != nil) == isTaken)
    }

    @Test(arguments: ["device_code", "user_code", "verification_uri", "verification_uri_complete"])
    func `what a device shows has a length`(name: String) async {
        for (bytes, isTaken) in [(4_096, true), (4_097, false)] {
            let members = ["device_code", "user_code", "verification_uri", "verification_uri_complete"].map { key in
                #""\#(key)":"\#(key == name ? String(repeating: "x", count: bytes) : "short")""#
            }
            let client = makeClient("{\(members.joined(separator: ",")),\"expires_in\":300}")
            let authorization = try? await client.startDevice()
            #expect((authorization != nil) == isTaken)
        }
    }
}
