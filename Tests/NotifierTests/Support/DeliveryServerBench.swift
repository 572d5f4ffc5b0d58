import Configuration
import Crypto
import FoundationEssentials
import HTTP
import Platform
import SimulatedStorage
import Testing

@testable import Notifier
@testable import SQLite

/// Sends each request to the double that stands for its origin.
struct RoutingClient: HTTPClient {
    let gitlab: MiniGitLab
    let apns: ScriptedServer

    func send(_ request: HTTPRequest, options: HTTPSendOptions) async -> HTTPOutcome {
        request.origin.host.hasSuffix("push.apple.com")
            ? await apns.send(request, options: options) : await gitlab.send(request, options: options)
    }
}

/// The whole server over a small GitLab, a scripted APNs, and time that the test moves.
struct ServerBench {
    let world = DeliveryWorld()
    let gitlab = MiniGitLab()
    let apns: ScriptedServer
    let log = RecordingLog()
    let secrets: NotifierSecrets
    let notifier: Notifier
    private let disk: SimulatedDisk

    static let served = ServedInstances([HTTPOrigin(scheme: "https", host: "gitlab.example.com")])
    static let notes = "/api/v4/projects/42/merge_requests/847/notes"
    static let events = "/api/v4/projects/42/merge_requests/847/resource_state_events"
    static let watchBody = #"{"itemIid": 847, "itemType": "merge_request", "projectId": 42}"#

    /// As shipped, but for the limits on requests: tests of other things may send as many as they like.
    static let unhurried: NotifierConfiguration = {
        var configuration = NotifierConfiguration()
        configuration.requestsPerMinute = 1_000_000
        configuration.gitlabRequestsPerSecond = 10_000
        return configuration
    }()

    init(
        _ configuration: NotifierConfiguration = unhurried,
        webhookSecret: Secret? = Secret("the-secret-of-the-webhook"),
        instances: ServedInstances = served,
        continuing former: ServerBench? = nil,
        file: String? = nil,
        secrets known: NotifierSecrets? = nil
    ) throws {
        disk = former?.disk ?? SimulatedDisk()
        apns = ScriptedServer(time: world)
        var secrets = try known ?? makeSecrets()
        secrets.webhookSecret = webhookSecret
        secrets.oauthApplications = [makeApplication()]
        self.secrets = secrets
        for list in ["todos", "issues", "merge_requests"] { gitlab.set([], at: "/api/v4/\(list)") }
        gitlab.set([.note(1, at: "2026-03-02T08:59:59.000Z")], at: Self.notes)
        gitlab.set([], at: Self.events)
        gitlab.trouble(Self.singleObjects())
        notifier = try Notifier(
            configuration: configuration,
            secrets: secrets,
            instances: instances,
            environment: NotifierEnvironment(
                time: world,
                entropy: SeededEntropy(),
                http: RoutingClient(gitlab: gitlab, apns: apns),
                database: file.map { try Database(path: $0) } ?? disk.openDatabase(named: "notifier"),
                storeExecutor: nil,
                log: log,
                timeZones: FixedZones()
            )
        )
    }

    /// Answers the questions that have no list: who, with which scopes, which version, which item.
    static func singleObjects(scopes: String = #""read_api""#) -> @Sendable (HTTPRequest) -> HTTPOutcome? {
        { request in
            switch String(request.path) {
            case "/api/v4/user":
                let id = request.fields["PRIVATE-TOKEN"]?.hasSuffix("bert") == true ? 8 : 7
                return .response(makeJSON(200, #"{"id":\#(id),"username":"user\#(id)","name":"User"}"#))
            case "/api/v4/personal_access_tokens/self":
                return .response(makeJSON(200, #"{"scopes":[\#(scopes)],"active":true,"expires_at":"2027-01-01"}"#))
            case "/api/v4/metadata": return .response(makeJSON(200, #"{"version":"17.11.2"}"#))
            case "/api/v4/projects/42/merge_requests/847":
                return .response(
                    makeJSON(
                        200,
                        """
                        {"iid":847,"project_id":42,"title":"Auth refactor","state":"opened",\
                        "web_url":"https://gitlab.example.com/team/backend/-/merge_requests/847",\
                        "references":{"full":"team/backend!847"}}
                        """
                    )
                )
            default: return nil
            }
        }
    }

    /// One request to the API, answered at this instant.
    func call(
        _ method: HTTPMethod,
        _ target: String,
        _ body: String = "",
        session: String? = nil,
        from address: String = "192.0.2.1"
    ) throws -> HTTPResponse {
        var request = HTTPRequest(
            method: method,
            origin: HTTPOrigin(scheme: "https", host: "notifier.example.com"),
            target: target,
            body: Array(body.utf8)
        )
        if let session { request.fields["Authorization"] = "Bearer \(session)" }
        return try send(request, from: address)
    }

    func send(_ request: HTTPRequest, from address: String = "192.0.2.1") throws -> HTTPResponse {
        let peer = HTTPPeer(address: address, connection: 1)
        let (sent, api) = (request, notifier.api)
        return try #require(try world.finish { await api.handle(sent, from: peer) })
    }

    /// Lets the server poll and push for a while.
    func run(for time: Duration) {
        let notifier = notifier
        world.start { try await notifier.run() }
        world.advance(by: time)
    }

    /// Everything in every table, as SQL literals; blobs in hexadecimal.
    func dump() throws -> String {
        let database = try disk.openDatabase(named: "notifier")
        let tables = try database.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        ) { $0.text(0) }
        return try tables.map { table in
            let columns = try database.rows("SELECT name FROM pragma_table_info(?)", table) { "quote(\($0.text(0)))" }
            let line = columns.joined(separator: " || ', ' || ")
            let rows = try database.rows(SQL(text: "SELECT \(line) FROM \(table)"), bindings: []) { $0.text(0) }
            return ([table] + rows).joined(separator: "\n")
        }
        .joined(separator: "\n")
    }

    /// Changes the database below the server.
    func change(_ statement: SQL) throws {
        #expect(try disk.openDatabase(named: "notifier").execute(statement) > 0, "something was to be changed")
    }

    /// Lets the disk answer with `fault`; with nil it works again.
    func meet(_ fault: DiskFault?) { disk.meet(fault) }

    /// Another program's connection to the database.
    func openBeside() throws -> Database { try disk.openDatabase(named: "notifier") }

    /// Damages the database below the server: a table's first page lies beyond the end of the file.
    func spoilReading() throws {
        let database = try disk.openDatabase(named: "notifier")
        let version = try database.first("PRAGMA schema_version") { $0.int(0) } ?? 0
        try database.executeScript(
            SQL(
                text: """
                    PRAGMA writable_schema = ON;
                    UPDATE sqlite_schema SET rootpage = 4000000 WHERE name = 'deliveries';
                    PRAGMA schema_version = \(version + 1);
                    """
            )
        )
    }

    /// A connection of one's own to what the server keeps.
    func openDatabase() throws -> Database { try disk.openDatabase(named: "notifier") }

    /// Makes the database useless to the server that runs on it.
    func breakDatabase() throws {
        let database = try disk.openDatabase(named: "notifier")
        try database.executeScript("DROP TABLE schema_migrations;")
    }

    /// Registers a person; returns their session.
    func register(_ token: String = "glpat-anna") throws -> String {
        let body = #"{"gitlabUrl": "https://gitlab.example.com", "personalAccessToken": "\#(token)"}"#
        let response = try call(.post, "/auth/register", body)
        return try #require(response.text("token"), "\(response.status) \(response.bodyText)")
    }

    func registerDevice(_ token: String = "aa11", _ session: String, platform: String = "ios") throws -> HTTPResponse {
        try call(.post, "/devices", #"{"apnsToken": "\#(token)", "platform": "\#(platform)"}"#, session: session)
    }
}

extension HTTPResponse {
    var bodyText: String { String(decoding: body, as: UTF8.self) }

    /// A text of the answer's object.
    func text(_ key: String) -> String? {
        try? JSONDecoder().decode([String: AnyText].self, from: Data(body))[key]?.text
    }

    private struct AnyText: Decodable {
        var text: String?

        init(from decoder: any Decoder) throws {
            text = try? decoder.singleValueContainer().decode(String.self)
        }
    }
}

/// The answer is that error.
func expectError(
    _ response: HTTPResponse,
    _ status: Int,
    _ code: String,
    _ location: SourceLocation = #_sourceLocation
) {
    #expect(response.status == status, "\(response.bodyText)", sourceLocation: location)
    #expect(response.text("code") == code, "\(response.bodyText)", sourceLocation: location)
}
