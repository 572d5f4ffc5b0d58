import Configuration
import Crypto
import HTTP
import Notifier
import Platform
import SimulatedStorage
import Simulation
import Synchronization

@testable import Daemon
@testable import SQLite

/// The whole notifier over a database in memory, one person of whom it knows, and a GitLab that answers what it is told to.
final class FuzzedNotifier: Sendable {
    private static let name = "notifier"
    /// What seals its secrets.
    static let encryptionKeys = [
        NotifierSecrets.EncryptionKey(version: 1, key: Secret([UInt8](repeating: 7, count: 32)))
    ]
    static let origin = HTTPOrigin(scheme: "https", host: "gitlab.example.com")

    let notifier: Notifier
    let log = CollectedLog()
    private let world: SharedWorld
    private let disk = SimulatedDisk()
    private let gitLab: ScriptedGitLab

    /// Answers come from `script`, or from a GitLab in which nothing happens where it gives none.
    ///
    /// - Parameters:
    ///   - path: a database file, of which it gets what it holds.
    ///   - script: nil for the answers of that quiet GitLab.
    /// - Throws: `SQLiteError` for rows that break a rule of their tables, and what the notifier throws.
    init(
        copyOf path: String? = nil,
        script: @escaping @Sendable (HTTPRequest) -> HTTPResponse? = { _ in nil }
    ) throws {
        let world = VirtualWorld()
        gitLab = ScriptedGitLab(script)
        var configuration = NotifierConfiguration()
        configuration.requestsPerMinute = 1_000_000
        if let path { try disk.openDatabase(named: Self.name).take(path) }
        notifier = try Notifier(
            configuration: configuration,
            secrets: Self.secrets(),
            instances: ServedInstances([Self.origin]),
            environment: NotifierEnvironment(
                time: world.node.clock,
                entropy: world.node.entropy,
                http: gitLab,
                database: disk.openDatabase(named: Self.name),
                storeExecutor: world.node.serialExecutor,
                log: log,
                timeZones: OneZone()
            )
        )
        self.world = SharedWorld(world)
    }

    /// Ends everything and gives the memory back.
    func discard() {
        world.value.simulation.discard()
        disk.discard()
    }

    /// Writes a copy of its database to a file that is not there yet.
    func copyDatabase(to path: String) throws {
        try disk.openDatabase(named: Self.name).execute("VACUUM INTO ?", "file:\(path)?vfs=unix")
    }

    /// What the API answers, for which `limit` of virtual time may pass; nil when it does not.
    func answer(_ request: HTTPRequest) -> HTTPResponse? {
        let api = ForwardedHandler(handler: notifier.api)
        return world.value.finish { await api.handle(request, from: HTTPPeer(address: "192.0.2.1", connection: 1)) }
    }

    /// Registers the person with a phone, who watches a merge request; the session of the phone.
    func signIn() -> String? {
        let registration =
            #"{"gitlabUrl": "https://gitlab.example.com", "personalAccessToken": "glpat-anna"}"#
        guard let session = post("/auth/register", registration, nil).flatMap(Self.token) else { return nil }
        let device = post("/devices", #"{"apnsToken": "aa11", "platform": "ios"}"#, session).flatMap(Self.token)
        _ = post("/watch", #"{"itemIid": 847, "itemType": "merge_request", "projectId": 42}"#, session)
        return device ?? session
    }

    /// Lets a program in; its token.
    func letProgramIn(_ session: String) -> String? {
        post("/signals/tokens", #"{"name": "agent"}"#, session).flatMap(Self.token)
    }

    /// From now on the script answers.
    func beginScript() { gitLab.beginScript() }

    /// Lets the notifier poll and push for a while.
    func run(for time: Duration) {
        let notifier = notifier
        world.value.node.start { try? await notifier.run() }
        world.value.simulation.run(for: time)
    }

    private func post(_ target: String, _ body: String, _ session: String?) -> HTTPResponse? {
        var request = HTTPRequest(method: .post, origin: Self.origin, target: target, body: Array(body.utf8))
        if let session { request.fields["Authorization"] = "Bearer \(session)" }
        return answer(request)
    }

    private static func token(_ response: HTTPResponse) -> String? {
        let text = String(decoding: response.body, as: UTF8.self)
        return text.split(separator: #""token":""#).last?.split(separator: "\"").first.map(String.init)
    }

    private static func secrets() throws -> NotifierSecrets {
        NotifierSecrets(
            apnsKey: NotifierSecrets.APNsKey(pem: try signingKey.get(), keyID: "KEY1234567", teamID: "TEAM123456"),
            encryptionKeys: encryptionKeys,
            sessionKey: Secret([UInt8](repeating: 9, count: 32)),
            webhookSecret: Secret("the-secret-of-the-webhook")
        )
    }

    /// Made once: it takes longer than all the rest.
    private static let signingKey = Result { try ES256PrivateKey.generate().pem }
}

/// A world that tasks may refer to.
///
/// Unchecked: own thread: only the one that feeds the bytes touches it.
private final class SharedWorld: @unchecked Sendable {
    let value: VirtualWorld
    init(_ value: VirtualWorld) { self.value = value }
}

/// Counts what must not be written.
final class CollectedLog: LogSink {
    private let failures = Mutex<[String]>([])

    var minimumLevel: LogLevel { .debug }

    /// Messages of requests that failed by a mistake of the program, with their fields.
    var internalFailures: [String] { failures.withLock { $0 } }

    func write(_ entry: LogEntry) {
        guard entry.message.description == "api.request_failed" else { return }
        failures.withLock { $0.append("\(entry.fields)") }
    }
}

/// Berlin, whatever is asked for.
private struct OneZone: TimeZoneSource {
    func zoneFile(_ identifier: String) -> [UInt8]? {
        var block = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
        for count: UInt8 in [0, 0, 0, 0, 1, 4] { block += [0, 0, 0, count] }
        block += [0, 0, 0, 0, 0, 0] + Array("LMT\0".utf8)
        return block + block + Array("\nCET-1CEST,M3.5.0,M10.5.0/3\n".utf8)
    }
}

extension Database {
    /// Makes the tables of the file at `path`, and copies every row, by the rules of those tables.
    fileprivate func take(_ path: String) throws {
        // Beside a database in memory another is taken for one, too, unless it says otherwise.
        try execute("ATTACH ? AS source", "file:\(path)?vfs=unix")
        try executeScript("PRAGMA foreign_keys = OFF")
        let own = "sql IS NOT NULL AND name NOT LIKE 'sqlite%'"
        let objects = try rows(
            SQL(text: "SELECT type, name, sql FROM source.sqlite_schema WHERE \(own) ORDER BY rowid"),
            bindings: []
        ) {
            (type: $0.text(0), name: $0.text(1), sql: $0.text(2))
        }
        for object in objects { try executeScript(SQL(text: object.sql)) }
        for object in objects where object.type == "table" {
            try executeScript(SQL(text: "INSERT INTO main.\"\(object.name)\" SELECT * FROM source.\"\(object.name)\""))
        }
        try executeScript("DETACH source; PRAGMA foreign_keys = ON")
    }
}
