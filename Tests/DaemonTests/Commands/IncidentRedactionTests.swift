import Crypto
import Notifier
import Testing

@testable import Daemon

struct IncidentRedactionTests {
    private func makeSecrets(session: String) -> NotifierSecrets {
        NotifierSecrets(apnsKey: nil, encryptionKeys: [], sessionKey: Secret(session))
    }

    @Test(arguments: [
        #"{"message":"poll.failed","reason":"glpat-abc"}"#, #"{"message":"poll.failed","x":"\u0067lpat-abc"}"#,
        #"{"message":"poll.failed","x":"-----BEGIN"}"#, #"{"message":"poll.failed","x":"a\/b"}"#,
        #"{"message":"poll.failed","x":"\\\u0065yJ"}"#, #"{"message":"poll.failed","x":"drt_1"}"#,
        #"{"message":"Maria said","x":"hello"}"#, #"{"message":"team/backend at 192.0.2.7"}"#,
    ])
    func `a line that may hold a token is left out, however it is written, and one that no table has`(line: String) {
        let shown = IncidentRedaction(nil).line(line[...])
        #expect(shown == #"{"kind":"log","message":"<redacted>"}"#)
    }

    @Test(arguments: [
        #"{"time":"2026-11-27T19:04:07.412Z","level":"info","message":"poll.cycle","account.id":1,"wait.ms":3}"#,
        #"{"message":"fact.notified","account.id":1,"fact.key":"note/1/121","facts":"todo/4,due/1/issue/2/1"}"#,
        #"{"message":"scan.failed","error":"unreachable.responseTooLarge"}"#,
        #"{"message":"poll.store_failed","error":"The disk is full."}"#,
        #"{"message":"retention.failed","error":"The unique rule of the schema refused a row (watches.id)."}"#,
        #"{"message":"capability.found","gitlab.version":"17.11.0-ee","capability.missing":"approvals todos"}"#,
    ])
    func `what the server writes is shown`(line: String) {
        #expect(IncidentRedaction(nil).line(line[...]) == #"{"kind":"log","entry":\#(line)}"#)
    }

    /// A line of the log, and what of it is shown.
    private static let addresses = [
        (
            #"{"message":"daemon.ready","listen.address":"192.0.2.7","listen.port":8080}"#,
            #"{"message":"daemon.ready","listen.address":"<redacted>","listen.port":8080}"#
        ),
        (
            #"{"message":"daemon.reload_failed","error.code":"settings-invalid","error":"/home/maria is no file"}"#,
            #"{"message":"daemon.reload_failed","error.code":"settings-invalid","error":"<redacted>"}"#
        ),
        (
            #"{"message":"daemon.reload_failed","error":"\"oauth\" names https://git.example.com"}"#,
            #"{"message":"daemon.reload_failed","error":"<redacted>"}"#
        ),
        (
            #"{"message":"signal.taken","signal.id":"deploy-of-maria","fact.key":"signal/7/settled/deploy-of-maria"}"#,
            #"{"message":"signal.taken","signal.id":"<redacted>","fact.key":"<redacted>"}"#
        ),
        (
            #"{"message":"poll.cycle","name":"Maria","wait.ms":"soon"}"#,
            #"{"message":"poll.cycle","wait.ms":"<redacted>"}"#
        ),
        (#"{"message":"poll.failed","error":{"host":"a"}}"#, #"{"message":"poll.failed","error":"<redacted>"}"#),
    ]

    @Test(arguments: addresses) func `addresses, paths and names are not told`(line: String, shown: String) {
        #expect(IncidentRedaction(nil).line(line[...]) == #"{"kind":"log","entry":\#(shown)}"#)
    }

    @Test func `the messages that are shown are those of the tables`() throws {
        var written: Set<String> = []
        for path in LiveSourceTree.files(in: "Sources/Notifier/Logging") {
            for line in try LiveSourceTree.text(at: path).split(separator: "\n") where line.contains("= LogMessage(.") {
                written.insert(String(line.split(separator: "\"", omittingEmptySubsequences: false)[1]))
            }
        }
        for path in LiveSourceTree.files(in: "Sources/Daemon/Service") {
            let parts = try LiveSourceTree.text(at: path).split(separator: "\"")
            written.formUnion(parts.filter { $0.hasPrefix("daemon.") }.map(String.init))
        }
        #expect(written.count > 100)
        #expect(IncidentLog.messages.subtracting(written).sorted() == [])
        #expect(written.subtracting(IncidentLog.messages).sorted() == [])
    }

    @Test func `the fields that are known are those that are written`() throws {
        var written: Set<String> = []
        for path in LiveSourceTree.files(in: "Sources/Notifier") + LiveSourceTree.files(in: "Sources/Daemon") {
            let pieces = try LiveSourceTree.text(at: path).split(separator: "\"", omittingEmptySubsequences: false)
            for (name, rest) in zip(pieces, pieces.dropFirst()) where rest.hasPrefix(", .") {
                // Those without a dot look like members of the API.
                let isName = name.utf8.allSatisfy { (0x61...0x7A).contains($0) || "._".utf8.contains($0) }
                if isName, name.dropFirst().contains(".") { written.insert(String(name)) }
            }
        }
        #expect(written.count > 40)
        #expect(written.filter { !IncidentLog.isKnown($0) }.sorted() == [])
    }

    @Test(
        arguments: [
            ("0041", 0x41), ("00e9", 0xE9), ("FFFF", 0xFFFF), ("+041", nil), ("-041", nil), ("041", nil), ("", nil),
            (" 041", nil),
        ] as [(String, UInt16?)]
    )
    func `an escape is four digits, of which none is a sign`(digits: String, code: UInt16?) {
        #expect(IncidentRedaction.code(of: Substring(digits).utf8) == code)
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

    @Test func `an instant without a zone is told apart from what says nothing`() {
        let source = DaemonInputs.Source(path: nil, environment: [:])
        let error = #expect(throws: DaemonError.self) {
            _ = try IncidentCommand(source: source, log: nil, missed: "@ann,team/app!1,2026-03-02T14:10:00")
        }
        #expect(error?.message.contains("says no zone") == true)
    }

    @Test(arguments: [
        ("ann,team/app!1,2026-03-02T14:10:00Z", "\"ann\" in --missed is no person"),
        ("@ann,team/app,2026-03-02T14:10:00Z", "\"team/app\" in --missed is no item"),
        ("@ann,team/app!1,14:10", "\"14:10\" in --missed is no instant"), ("ann", "separated by commas"),
    ])
    func `of what was missed the part is named that is wrong`(missed: String, sentence: String) {
        let source = DaemonInputs.Source(path: nil, environment: [:])
        let error = #expect(throws: DaemonError.self) {
            _ = try IncidentCommand(source: source, log: nil, missed: missed)
        }
        #expect(error?.code == .usage && error?.message.contains(sentence) == true)
    }

    @Test func `of a log that is too long the end is read`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write((0..<100_000).map { "line \($0)\n" }.joined(), to: "log")
        let end = String(decoding: try LiveFile.readEnd(path, limitBytes: 1_000), as: UTF8.self)
        #expect(end.utf8.count == 1_000 && end.hasSuffix("line 99998\nline 99999\n"))
        #expect(try LiveFile.readEnd(path, limitBytes: 10_000_000).count > 1_000_000)
    }
}
