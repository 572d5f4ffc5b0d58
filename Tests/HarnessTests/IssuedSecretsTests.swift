import Testing

@testable import Harness

/// What the notifier gives to apps and programs, and where it must not stand.
@Suite struct IssuedSecretsTests {
    private let program = IssuedSecrets.Secret(
        text: "sgt_c2lnbmFsIHRva2VuIG9mIDMyIHJhbmRvbSBieXRlcy4",
        kind: "the token of a program"
    )
    private let code = IssuedSecrets.Secret(text: "K7M2QX", kind: "a pairing code")

    private func kind(in text: String, _ secrets: IssuedSecrets, except given: [IssuedSecrets.Secret] = []) -> String? {
        secrets.kind(in: Array(text.utf8), except: given)
    }

    @Test func `what was given is found wherever it stands as a word of its own`() {
        var secrets = IssuedSecrets()
        #expect(kind(in: code.text, secrets) == nil, "nobody was given it")
        secrets.learn(program)
        secrets.learn(code)
        #expect(kind(in: #"{"name":"agent","was":"\#(program.text)"}"#, secrets) == program.kind)
        #expect(kind(in: "the code is \(code.text).", secrets) == code.kind)
        #expect(kind(in: code.text, secrets) == code.kind)
        #expect(kind(in: "", secrets) == nil)
    }

    @Test func `a code in the middle of something else is there by chance`() {
        var secrets = IssuedSecrets()
        secrets.learn(code)
        for text in ["AK7M2QX", "K7M2QXA", "0-K7M2QX", "K7M2Q", "k7m2qx"] { #expect(kind(in: text, secrets) == nil) }
    }

    @Test func `a code that may be a number is not looked for`() {
        var secrets = IssuedSecrets()
        secrets.learn(IssuedSecrets.Secret(text: "234567", kind: "a pairing code"))
        #expect(kind(in: "project 234567", secrets) == nil)
    }

    @Test func `what an answer gives is no leak there, and is one in any other`() {
        let token = "eyJhbGciOiJIUzI1NiJ9.e30.ZGV2aWNlIHNpZ25hdHVyZSBvZiB0aGlydHktdHdvIGI"
        let body = #"{"token":"\#(token)","refreshToken":"drt_ZXhhbXBsZSByZWZyZXNoIHRva2VuIG9mIDMyIGJ5dGVz"}"#
        let given = IssuedSecrets.given(in: Array(body.utf8), to: "POST", "/pair/exchange")
        #expect(given.map(\.kind) == ["an access token", "a refresh token"])
        var secrets = IssuedSecrets()
        for secret in given { secrets.learn(secret) }
        #expect(kind(in: body, secrets, except: given) == nil)
        #expect(kind(in: #"{"last":"\#(token)"}"#, secrets) == "an access token")
    }

    @Test func `each route gives what its description says`() {
        func given(_ member: String, _ method: String, _ path: Substring) -> [String] {
            IssuedSecrets.given(in: Array(#"{"\#(member)":"K7M2QX"}"#.utf8), to: method, path).map(\.text)
        }
        #expect(given("pairingCode", "POST", "/pair/start") == ["K7M2QX"])
        #expect(given("invitationCode", "POST", "/duties/3f/invitations") == ["K7M2QX"])
        #expect(given("token", "POST", "/signals/tokens") == ["K7M2QX"])
        #expect(given("token", "GET", "/signals/tokens").isEmpty)
        #expect(given("token", "POST", "/sync").isEmpty)
        #expect(IssuedSecrets.given(in: [], to: "POST", "/pair/start").isEmpty)
    }

    @Test func `an entry of the log is found out also where the code is told only afterwards`() {
        var secrets = IssuedSecrets()
        let before = secrets.kind(inLog: "made \(code.text)", of: "pairing.started")
        let entry = secrets.learn(code)
        let after = secrets.kind(inLog: "took \(code.text)", of: "device.paired")
        let other = secrets.learn(program)
        #expect(before == nil && entry == "pairing.started" && after == code.kind && other == nil)
    }
}
