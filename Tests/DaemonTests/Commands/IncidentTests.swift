import Crypto
import FakeGitLab
import FoundationEssentials
import Glibc
import HTTP
import Testing

@testable import FakeAPNs

/// What `export-incident` writes, over everything the real server has.
@Suite(.timeLimit(.minutes(2))) struct IncidentTests {
    private static let webhookSecret = "webhook-secret-of-the-test"
    private static let applicationSecret = "secret-of-the-application"

    private static func makeWorld() throws -> LiveWorld {
        let application =
            #"{"gitlab": "https://git.secret.example", "clientId": "id-of-app", "redirectUri": "app:/oauth", "#
            + #""secretVariable": "OAUTH_SECRET"}"#
        return try LiveWorld(
            settings: [
                "oauth": "[\(application)]", "logLevel": "\"debug\"",
                "gitlabs": #"["GITLAB_ADDRESS", "https://git.secret.example"]"#,
            ]
        )
    }

    private static let variables = ["WEBHOOK_SECRET": webhookSecret, "OAUTH_SECRET": applicationSecret]

    @Test func `a report tells what was delivered and asked, and holds no secret, name or text`() async throws {
        let world = try Self.makeWorld()
        let file = "\(world.folder)/incident.jsonl"
        var session = ""
        try await world.serve {
            var screen = world.displayed.makeAsyncIterator()
            let server = try world.startServer(Self.variables)
            let port = try await server.port()
            session = try await world.signIn(at: port)
            try world.gitlab.comment(by: "bob", on: LiveWorld.mergeRequest, body: "Words of bob.")
            #expect(await screen.next() == "Words of bob.")
            try await server.wait(for: "delivery.accepted")
            // The log of the server, as journalctl would give it, and what some other program may have put there.
            let log = try world.files.write(
                "\(server.passedText)no JSON\n{\"message\":\"poll.failed\",\"reason\":\"\(LiveWorld.secret)\"}\n"
                    + "{\"message\":\"poll.failed\",\"reason\":\"\(Self.webhookSecret)\"}\n",
                to: "server.log"
            )
            let process = try world.start(
                "export-incident",
                Self.variables,
                arguments: ["--to", file, "--log", log, "--missed", "@ann,team/app!1,2026-03-02T14:10:00Z"]
            )
            let said = await process.rest()
            #expect(await process.end(by: nil) == 0, "\(said)")
            #expect(!said.contains("warning: "), "\(said)")
            #expect(await server.end(by: SIGTERM) == 0)
        }
        #expect(TemporaryFolder.mode(of: file) == 0o600)
        let text = try String(decoding: Data(contentsOf: URL(filePath: file)), as: UTF8.self)
        try expectContent(text)
        for secret in try secrets(of: world) + [session] { #expect(!text.contains(secret), "it holds \(secret)") }
        for personal in [
            "Words of bob", "\"ann\"", "\"bob\"", "team/app", "git.secret.example", "id-of-app", world.folder,
            "127.0.0.1", "localhost", "push.apple.com", LiveWorld.bundleID,
        ] {
            #expect(!text.contains(personal), "it holds \(personal)")
        }
    }

    private func expectContent(_ text: String) throws {
        struct Line: Decodable { var kind: String }
        let kinds = try text.split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8)).kind
        }
        let expected: Set = [
            "incident", "served", "integrity", "table", "schema", "account", "device", "notification", "delivery",
            "request", "log", "item", "watch", "fact", "process", "report", "end",
        ]
        #expect(text.hasSuffix("{\"kind\":\"end\",\"lines\":\(kinds.count - 1)}\n"))
        // A minute of traffic is told when the next one begins, choices are made or not, and somebody waits or does not.
        #expect(Set(kinds).subtracting(["traffic", "choice", "preferences", "clock", "ask"]) == expected)
        #expect(text.contains(#"{"kind":"report","account":1,"item":1,"at":1772460600000000}"#))
        #expect(text.contains(#""lastOutcome":"accepted""#) && text.contains(#""intervalSmall":"1s""#))
        #expect(text.contains(#""variables":["APNS_BUNDLE_ID""#) && text.contains("WEBHOOK_SECRET"))
        #expect(text.contains("http_requests_total"))
        #expect(text.contains(#""service":"gitlab","method":"GET","route":"/api/v4/todos""#))
        #expect(text.contains(#""service":"apns","method":"POST","route":"/3/device/*""#))
    }

    /// Every secret of the run.
    private func secrets(of world: LiveWorld) throws -> [String] {
        let pem = try String(decoding: Data(contentsOf: URL(filePath: "\(world.folder)/key.p8")), as: UTF8.self)
        let token = try #require(world.fleet.token(of: LiveWorld.bundleID, on: LiveWorld.phone)).hex
        return [
            LiveWorld.secret, token, token.uppercased(), Self.webhookSecret, Self.applicationSecret,
            String(repeating: "a5", count: 32), String(repeating: "k", count: 32), "drt_", "eyJ",
        ] + pem.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("-") }
    }

    @Test func `a certificate that cannot be read keeps no secret from being taken out`() async throws {
        let world = try LiveWorld(
            settings: ["listen": #"{"port": 0, "certificate": "FOLDER/chain.pem", "key": "FOLDER/key.pem"}"#]
        )
        let file = "\(world.folder)/incident.jsonl"
        let log = try world.files.write(
            "{\"message\":\"poll.failed\",\"reason\":\"\(Self.webhookSecret)\"}\n{\"message\":\"poll.pace\"}\n",
            to: "server.log"
        )
        let process = try world.start(
            "export-incident",
            ["WEBHOOK_SECRET": Self.webhookSecret],
            arguments: ["--to", file, "--log", log]
        )
        let said = await process.rest()
        #expect(await process.end(by: nil) == 0, "\(said)")
        let text = try String(decoding: Data(contentsOf: URL(filePath: file)), as: UTF8.self)
        #expect(text.contains("poll.pace") && !text.contains(Self.webhookSecret))
        #expect(!text.contains(#""fault":"settings"#))
    }

    @Test(arguments: [("ann", 64), ("@ann,team/app!1,2026-03-02T14:10:00Z", 65)])
    func `what was missed is refused when it says nothing, or nobody knows of it`(missed: String, status: Int32)
        async throws
    {
        let world = try LiveWorld()
        let file = "\(world.folder)/incident.jsonl"
        let process = try world.start("export-incident", [:], arguments: ["--to", file, "--missed", missed])
        #expect(await process.rest().contains("hint: "))
        #expect(await process.end(by: nil) == status)
    }

    @Test func `a database that is none is told apart from one that is not there`() async throws {
        let world = try LiveWorld()
        _ = try world.files.write("no database at all, but longer than the head of one would be", to: "notifier.db")
        let process = try world.start("export-incident", [:], arguments: ["--to", "\(world.folder)/incident.jsonl"])
        let said = await process.rest()
        #expect(await process.end(by: nil) == 0)
        #expect(said.contains("is unreadable; it is damaged, or for root and"), "\(said)")
    }

    @Test(arguments: ["Mar 02 14:10:00 host notifierd[7]: {\"message\":\"poll.pace\"}\n", ""])
    func `a log of which nothing passes is told, not left out in silence`(text: String) async throws {
        let world = try LiveWorld()
        let log = try world.files.write(text, to: "server.log")
        let process = try world.start(
            "export-incident",
            [:],
            arguments: ["--to", "\(world.folder)/incident.jsonl", "--log", log]
        )
        let said = await process.rest()
        #expect(await process.end(by: nil) == 0)
        #expect(said.contains("warning: no line of the log is in it") && said.contains("-o cat"), "\(said)")
    }

    @Test func `a report is written without a database and with settings that are wrong, but never over a file`()
        async throws
    {
        let world = try LiveWorld()
        let file = "\(world.folder)/incident.jsonl"
        let first = try world.start("export-incident", ["SESSION_KEY": ""], arguments: ["--to", file])
        let said = await first.rest()
        #expect(await first.end(by: nil) == 0)
        #expect(said.contains("warning: nobody's news is in it, as the database") && said.contains("is missing"))
        #expect(said.contains("warning: the secrets are not known here"), "\(said)")
        let text = try String(decoding: Data(contentsOf: URL(filePath: file)), as: UTF8.self)
        #expect(text.contains(#""fault":"secret-missing""#) && text.contains(#""fault":"missing""#))
        let second = try world.start("export-incident", [:], arguments: ["--to", file])
        #expect(await second.rest().contains("[cannot-write]"))
        #expect(await second.end(by: nil) == 70)
    }
}
