import Crypto
import FakeAPNs
import Notifier
import Platform
import SQLite
import ScenarioFixtures
import Simulation
import Testing

@testable import FakeGitLab
@testable import Harness
@testable import Scenarios
@testable import Verdict

/// A run in which every kind of secret is in use, and every place that others may see is searched for each of them.
struct SecrecyTests {
    /// A text to look for. A failure names it and does not show it.
    private struct Needle {
        var name: String
        var text: String
    }

    /// What stands in one place that others may see.
    private struct Haystack {
        var place: String
        var text: String
        /// A text that stands there for certain: a search that cannot find it finds nothing.
        var certain: String
    }

    /// Outages, refusals, a new token, a new phone and restarts: whatever might tell of a secret has a reason to.
    private static let timeline = """
        {"every": "3m", "from": "2m", "until": "2h50m", "action": "comment", "by": "@ben", "on": "team/backend!1",
         "mention": "@maria"},
        {"at": "20m", "fault": "gitlab-outage", "mode": "502-html", "for": "6m"},
        {"at": "40m", "action": "expire-token", "by": "@maria"},
        {"at": "55m", "action": "replace-token", "by": "@maria"},
        {"at": "1h10m", "fault": "apns-outage", "mode": "503", "for": "5m"},
        {"at": "1h30m", "action": "device-replace", "by": "@maria", "device": "phone"},
        {"at": "1h40m", "fault": "crash", "downFor": "30s"},
        {"at": "2h", "fault": "restart", "downFor": "30s"}
        """

    @Test func `no secret stands where others can read it`() throws {
        let scenario = try makeScenario(duration: "\"3h\"", timeline: Self.timeline)
        let options = RunOptions(trace: .everything, metricsEvery: .seconds(60))
        let world = try SimulatedWorld(scenario.plan(seed: 3), options)
        let firstPhone = world.people[0].devices[0].token.hex
        try world.play()

        let devices = [firstPhone, world.people[0].devices[0].token.hex]
        try Self.search(world, for: Self.needles(of: world, devices: devices), certainly: "auth.expired")
    }

    @Test func `no secret of a sign-in through GitLab, or of a webhook, stands where others can read it`() throws {
        let text = makeScenarioText(
            duration: "\"5h\"",
            people:
                #", {"username": "@nora", "name": "Nora", "notified": {"devices": [{"name": "mac", "platform": "macos"}],"#
                + #" "signIn": "oauth", "watches": ["team/backend!1"]}}"#,
            timeline: Self.timeline
        )
        .replacing(#""world": {"#, with: #""world": {"gitlab": {"webhooks": true},"#)
        .replacing(
            #"{"username": "@maria", "role""#,
            with: #"{"username": "@nora", "role": "developer"}, {"username": "@maria", "role""#
        )
        let scenario = try ScenarioReader.read(Array(text.utf8), file: "made.json")
        let options = RunOptions(trace: .everything, metricsEvery: .seconds(60))
        let world = try SimulatedWorld(scenario.plan(seed: 3), options)
        try world.play()
        let secrets = world.secrets.notifier
        let tokens = world.gitlab.issuedTokens(after: 0)
        // Signed in, and renewed every two hours.
        try #require(tokens.count >= 3)
        var needles = tokens.map { Needle(name: "access token of GitLab", text: $0.secret) }
        needles += tokens.map { Needle(name: "refresh token of GitLab", text: $0.refresh) }
        needles.append(Needle(name: "secret of the webhooks", text: try #require(secrets.webhookSecret).exposedText))
        for application in secrets.oauthApplications {
            guard let secret = application.clientSecret else { continue }
            needles.append(Needle(name: "secret of the application", text: secret.exposedText))
        }
        try Self.search(world, for: needles, certainly: "grant.renewed")
    }

    /// Ends the world, and looks for the needles in all that it leaves to others; `message` stands in its log for certain.
    private static func search(_ world: SimulatedWorld, for needles: [Needle], certainly message: String) throws {
        let database = try #require(world.notifier as? SimulatedNotifier).inspectDisk()
        let tables = try Self.text(of: database)
        let pushes = try database.rows("SELECT CAST(payload AS TEXT) FROM notifications") { $0.text(0) }
        let outcome = world.outcome()
        let log = outcome.traceLines.filter { $0.contains(#""event":"log""#) }
        let haystacks = [
            Haystack(place: "database", text: tables, certain: "maria"),
            Haystack(place: "pushes", text: pushes.joined(separator: "\n"), certain: "notificationId"),
            Haystack(place: "log", text: log.joined(separator: "\n"), certain: message),
            Haystack(place: "trace", text: outcome.traceLines.joined(separator: "\n"), certain: "/api/v4/todos"),
            Haystack(
                place: "metrics",
                text: outcome.metricsLines.joined(separator: "\n"),
                certain: "gitlab_auth_failures"
            ),
        ]
        for haystack in haystacks {
            #expect(haystack.text.contains(haystack.certain), "there is little to search in the \(haystack.place)")
            for needle in needles where haystack.text.contains(needle.text) {
                Issue.record("the \(haystack.place) shows the \(needle.name)")
            }
        }
        #expect(!outcome.record.violations.contains { $0.invariant == .secretLeaked })
    }

    private static func needles(of world: SimulatedWorld, devices: [String]) throws -> [Needle] {
        let secrets = world.secrets.notifier
        let maria = world.people[0]
        try #require(maria.tokenGeneration == 1 && Set(devices).count == 2)
        var needles = [
            Needle(name: "session key", text: secrets.sessionKey.exposedText),
            Needle(name: "text that marks a secret", text: WorldSecrets.marker),
            // Every JSON Web Token begins so: sessions of the REST API, provider tokens of APNs.
            Needle(name: "beginning of a web token", text: "eyJ"),
        ]
        for generation in 0...1 {
            let token = WorldSecrets.gitlabToken(of: maria.username, generation: generation)
            needles.append(Needle(name: "GitLab token \(generation)", text: token))
        }
        for key in secrets.encryptionKeys {
            needles.append(Needle(name: "encryption key", text: hexadecimal(key.key.exposedBytes)))
            needles.append(Needle(name: "encryption key", text: Base64URL.encode(key.key.exposedBytes)))
        }
        for line in (secrets.apnsKey?.pem.exposedText ?? "").split(separator: "\n") where !line.hasPrefix("-") {
            needles.append(Needle(name: "APNs key", text: String(line)))
        }
        for device in devices { needles.append(Needle(name: "device token", text: device)) }
        return needles
    }

    /// Every value of every table: texts and numbers as they are, bytes both as text and in hexadecimal digits.
    private static func text(of database: Database) throws -> String {
        let tables = try database.rows("SELECT name FROM sqlite_schema WHERE type = 'table'") { $0.text(0) }
        var lines: [String] = []
        for table in tables {
            let columns = try database.rows("SELECT name FROM pragma_table_info(?)", table) { $0.text(0) }
            for column in columns {
                let values = SQL(
                    text: """
                        SELECT coalesce(CAST(\(column) AS TEXT), ''),
                            CASE typeof(\(column)) WHEN 'blob' THEN lower(hex(\(column))) ELSE '' END FROM \(table)
                        """
                )
                lines += try database.rows(values) { "\($0.text(0)) \($0.text(1))" }
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
