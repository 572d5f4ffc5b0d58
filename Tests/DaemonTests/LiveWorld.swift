import Crypto
import FakeAPNs
import FakeGitLab
import FoundationEssentials
import Glibc
import HTTP
import Live
import Platform
import Testing

/// The fakes on sockets of the loopback interface, a folder for the server's files, and a client for its API.
final class LiveWorld: Sendable {
    static let phone = DeviceID(rawValue: "ann/phone")
    static let bundleID = "com.example.app"
    static let mergeRequest = FakeGitLab::ItemReference(project: "team/app", kind: .mergeRequest, iid: 1)
    private static let secret = "glpat-of-ann"

    let gitlab: FakeGitLab
    let fleet: DeviceFleet
    /// Bodies of the alerts that the phone displays, as they come.
    let displayed: AsyncStream<String>
    let folder: String
    private let apnsKey: ES256PrivateKey
    private let gitlabServer: HTTPServer
    private let apnsServer: HTTP2Server
    private let client: CurlClient
    private let projectID: Int64

    init() throws {
        var template = Array("/tmp/daemon-tests-XXXXXX".utf8CString)
        guard let path = mkdtemp(&template) else { throw DaemonProcess.Failure(sentence: "no folder") }
        folder = String(cString: path)
        gitlab = FakeGitLab(time: LiveTime(), seed: 1)
        projectID = try Self.populate(gitlab)
        fleet = DeviceFleet(time: LiveTime(), scheduler: LiveScheduler(label: "devices"), seed: 1)
        fleet.addDevice(Self.phone)
        fleet.installApp(Self.bundleID, on: Self.phone)
        let (stream, continuation) = AsyncStream<String>.makeStream()
        displayed = stream
        fleet.observe { event in
            if event.kind == .displayed { continuation.yield(Self.body(event.push.payload)) }
        }
        apnsKey = try ES256PrivateKey.generate()
        let apns = FakeAPNs(fleet: fleet, time: LiveTime(), seed: 1)
        apns.register(ProviderKey(keyID: "TESTKEY001", teamID: "TESTTEAM01", publicKey: apnsKey.publicKey))
        gitlabServer = try HTTPServer(HTTPServerConfiguration(), responder: gitlab)
        let authority = try ThrowawayAuthority(name: "tests")
        apnsServer = try Self.serve(apns, by: authority)
        var configuration = CurlClient.Configuration()
        configuration.usesSystemProxy = false
        client = CurlClient(configuration)
        try write(try apnsKey.pem.exposedText, to: "key.p8")
        try write(try authority.certificatePEM, to: "authority.pem")
        try write(settings, to: "notifierd.json")
    }

    deinit {
        for name in ["key.p8", "authority.pem", "notifierd.json", "notifier.db", "notifier.db-wal", "notifier.db-shm"] {
            unlink("\(folder)/\(name)")
        }
        rmdir(folder)
    }

    /// Runs `body` while the fakes answer.
    func serve(_ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.gitlabServer.run() }
            group.addTask { await self.apnsServer.run() }
            defer { group.cancelAll() }
            try await body()
        }
    }

    func startServer() throws -> DaemonProcess {
        try DaemonProcess(
            ["run", "--config", "\(folder)/notifierd.json"],
            environment: [
                "APNS_KEY_PATH=\(folder)/key.p8", "APNS_KEY_ID=TESTKEY001", "APNS_TEAM_ID=TESTTEAM01",
                "APNS_BUNDLE_ID=\(Self.bundleID)", "ENCRYPTION_KEY_CURRENT=\(String(repeating: "a5", count: 32))",
                "SESSION_KEY=\(String(repeating: "k", count: 32))",
            ]
        )
    }

    // MARK: The app

    /// Signs Ann in, registers her phone, and watches the merge request.
    func signIn(at port: UInt16) async throws {
        struct Session: Decodable { var token: String }
        let registration = try await call(
            "/auth/register",
            #"{"gitlabUrl":"http://127.0.0.1:\#(gitlabServer.port)","personalAccessToken":"\#(Self.secret)"}"#,
            at: port
        )
        let session = try JSONDecoder().decode(Session.self, from: Data(registration.body)).token
        let token = try #require(fleet.token(of: Self.bundleID, on: Self.phone))
        _ = try await call("/devices", #"{"apnsToken":"\#(token.hex)","platform":"ios"}"#, at: port, session: session)
        _ = try await call(
            "/watch",
            #"{"itemIid":1,"itemType":"merge_request","projectId":\#(projectID)}"#,
            at: port,
            session: session
        )
    }

    func get(_ path: String, at port: UInt16) async -> HTTPResponse? {
        let request = HTTPRequest(method: .get, origin: origin(port), target: path)
        guard case .response(let response) = await client.send(request, options: HTTPSendOptions()) else { return nil }
        return response
    }

    private func call(
        _ path: String,
        _ body: String,
        at port: UInt16,
        session: String? = nil
    ) async throws -> HTTPResponse {
        var request = HTTPRequest(method: .post, origin: origin(port), target: path, body: Array(body.utf8))
        if let session { request.fields["Authorization"] = "Bearer \(session)" }
        let outcome = await client.send(request, options: HTTPSendOptions())
        guard case .response(let response) = outcome, (200...201).contains(response.status) else {
            throw DaemonProcess.Failure(sentence: "\(path): \(outcome)")
        }
        return response
    }

    private func origin(_ port: UInt16) -> HTTPOrigin {
        HTTPOrigin(scheme: "http", host: "127.0.0.1", port: port)
    }

    // MARK: Building

    private static func serve(_ apns: FakeAPNs, by authority: ThrowawayAuthority) throws -> HTTP2Server {
        let issued = try authority.issue(names: ["localhost"], addresses: [])
        var configuration = HTTP2ServerConfiguration()
        configuration.identity = HTTPServerConfiguration.Identity(
            certificateChainPEM: issued.certificatePEM,
            keyPEM: issued.keyPEM
        )
        return try HTTP2Server(configuration, responder: apns)
    }

    private static func populate(_ gitlab: FakeGitLab) throws -> Int64 {
        try gitlab.addPerson(NewPerson(username: "ann"))
        try gitlab.addPerson(NewPerson(username: "bob"))
        let id = try gitlab.addProject("team/app", members: ["ann": .developer, "bob": .developer])
        try gitlab.addItem(NewItem(project: "team/app", kind: .mergeRequest, iid: 1, title: "One", author: "ann"))
        try gitlab.addToken(secret, for: "ann")
        return id
    }

    private var settings: String {
        """
        {
          "listen": { "port": 0 }, "database": "\(folder)/notifier.db",
          "authorities": "\(folder)/authority.pem",
          "notifier": {
            "productionAPNs": "https://localhost:\(apnsServer.port)", "changeDetection": "perItem",
            "intervalSmall": "1s", "jitterPercent": 0, "leaseDuration": "2s", "sendTimeout": "1s"
          }
        }
        """
    }

    private func write(_ text: String, to name: String) throws {
        guard let file = fopen("\(folder)/\(name)", "w") else { throw DaemonProcess.Failure(sentence: "no file") }
        fputs(text, file)
        fclose(file)
    }

    private static func body(_ payload: [UInt8]) -> String {
        struct Payload: Decodable {
            struct APS: Decodable { var alert: Alert }
            struct Alert: Decodable { var body: String }
            var aps: APS
        }
        return (try? JSONDecoder().decode(Payload.self, from: Data(payload)).aps.alert.body) ?? ""
    }
}
