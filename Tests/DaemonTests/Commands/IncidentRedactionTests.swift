import Crypto
import Notifier
import Testing

@testable import Daemon

struct IncidentRedactionTests {
    private func makeSecrets(session: String) -> NotifierSecrets {
        NotifierSecrets(apnsKey: nil, encryptionKeys: [], sessionKey: Secret(session))
    }

    @Test(arguments: [
        #"{"message":"leak","x":"glpat-abc"}"#, #"{"message":"leak","x":"\u0067lpat-abc"}"#,
        #"{"message":"leak","x":"-----BEGIN"}"#, #"{"message":"leak","x":"a\/b"}"#,
        #"{"message":"leak","x":"\\\u0065yJ"}"#, #"{"message":"leak","x":"drt_1"}"#,
    ])
    func `a line that may hold a token is left out, however it is written`(line: String) {
        let shown = IncidentRedaction(nil).line(line[...])
        #expect(shown == #"{"kind":"log","message":"<redacted>"}"#)
    }

    @Test(arguments: [
        #"{"message":"told","x":"a \"b\" \\ \n \u0007 ü"}"#, #"{"message":"told","x":"C:\\u0067lpat"}"#,
        #"{"message":"told","wait.ms":3}"#,
    ])
    func `what the server writes is shown`(line: String) {
        #expect(IncidentRedaction(nil).line(line[...]) == #"{"kind":"log","entry":\#(line)}"#)
    }

    @Test func `where the server listens is not told`() {
        let line = #"{"message":"daemon.ready","listen.address":"192.0.2.7","listen.port":8080}"#
        let shown = #"{"message":"daemon.ready","listen.address":"<redacted>","listen.port":8080}"#
        #expect(IncidentRedaction(nil).line(line[...]) == #"{"kind":"log","entry":\#(shown)}"#)
    }

    @Test func `a record of a request with an escape is left out`() {
        let redaction = IncidentRedaction(nil)
        #expect(redaction.request(#"{"kind":"request","route":"/","x":"\u0067lpat-abc"}"#) == nil)
        let sound: Substring = #"{"kind":"request","route":"/api/v4/todos","ms":12}"#
        #expect(redaction.request(sound) == String(sound))
    }

    @Test func `a secret with quotes is found in JSON, too`() {
        let redaction = IncidentRedaction(makeSecrets(session: #"a "quoted" \ secret"#))
        #expect(redaction.text(#"{"x":"a \"quoted\" \\ secret"}"#) == #"{"x":"<redacted>"}"#)
        #expect(redaction.text(#"x a "quoted" \ secret"#) == "x <redacted>")
    }
}
