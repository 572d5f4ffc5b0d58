import Crypto
import FakeGitLab
import FoundationEssentials
import Glibc
import HTTP
import Platform
import Testing

@testable import FakeAPNs
@testable import Live

/// The fakes on sockets of the loopback interface, a folder for the server's files, and a client for its API.
final class LiveWorld: Sendable {
    static let phone = DeviceID(rawValue: "ann/phone")
    static let bundleID = "com.example.app"
    static let mergeRequest = FakeGitLab::ItemReference(project: "team/app", kind: .mergeRequest, iid: 1)
    static let secret = "glpat-of-ann"
    /// What a server needs, by the names of its variables, with `FOLDER` for the folder of its files.
    private static let variables = [
        "APNS_KEY_PATH": "FOLDER/key.p8", "APNS_KEY_ID": "TESTKEY001", "APNS_TEAM_ID": "TESTTEAM01",
        "APNS_BUNDLE_ID": bundleID, "ENCRYPTION_KEY_CURRENT": String(repeating: "a5", count: 32),
        "SESSION_KEY": String(repeating: "k", count: 32),
    ]
    /// Variables by which a server has no key to push with.
    static let withoutKey = ["APNS_KEY_PATH": "", "APNS_KEY_ID": "", "APNS_TEAM_ID": ""]

    let gitlab: FakeGitLab
    let fleet: DeviceFleet
    /// Bodies of the alerts that the phone displays, as they come.
    let displayed: AsyncStream<String>
    let files: TemporaryFolder
    /// What is between the server and the fake APNs.
    let gate: HoldingHandler
    private let apnsKey: ES256PrivateKey
    private let gitlabServer: HTTPServer
    private let apnsServer: HTTP2Server
    private let client: CurlClient
    private let projectID: Int64

    /// The next body that the phone displays and that is not `shown`: a server that was killed may push once more, under the same
    /// collapse id, what it had pushed and not recorded.
    func next(after shown: String) async -> String? {
        for await body in displayed where body != shown { return body }
        return nil
    }

    /// - Parameters:
    ///   - settings: further keys of the settings file, as JSON, with `FOLDER` for the folder and `GITLAB_ADDRESS` for the fake GitLab.
    ///   - notifier: further keys below `notifier`.
    /// - Throws: when the system gives no folder, file or socket.
    init(settings: [String: String] = [:], notifier: [String: String] = [:]) throws {
        files = try TemporaryFolder()
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
        gate = HoldingHandler(apns)
        let authority = try ThrowawayAuthority(name: "tests")
        apnsServer = try Self.serve(gate, by: authority)
        var configuration = CurlClient.Configuration()
        configuration.usesSystemProxy = false
        client = CurlClient(configuration)
        try files.write(try apnsKey.pem.exposedText, to: "key.p8")
        try files.write(try authority.certificatePEM, to: "authority.pem")
        try write(settings, notifier)
    }

    var folder: String { files.path }

    /// Where the fake GitLab is.
    var gitLabAddress: String { "http://127.0.0.1:\(gitlabServer.port)" }

    /// Runs `body` while the fakes answer.
    func serve(_ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.gitlabServer.run() }
            group.addTask { await self.apnsServer.run() }
            defer { group.cancelAll() }
            try await body()
        }
    }

    /// Starts the server, with `variables` in place of those it needs.
    func startServer(_ variables: [String: String] = [:]) throws -> DaemonProcess {
        try start("run", variables)
    }

    /// Starts any command on the server's files.
    func start(_ command: String, _ variables: [String: String] = [:], arguments: [String] = []) throws -> DaemonProcess
    {
        try DaemonProcess(
            [command, "--config", "\(folder)/notifierd.json"] + arguments,
            environment: Self.variables.merging(variables) { $1 }
                .map { "\($0.key)=\($0.value.replacing("FOLDER", with: folder))" }
        )
    }

    // MARK: The app

    /// Signs Ann in, registers her phone, and watches the merge request; returns her session.
    @discardableResult
    func signIn(at port: UInt16) async throws -> String {
        struct Session: Decodable { var token: String }
        let registration = try await call(
            "/auth/register",
            #"{"gitlabUrl":"\#(gitLabAddress)","personalAccessToken":"\#(Self.secret)"}"#,
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
        return session
    }

    /// What the server answers; nil when it does not.
    func get(_ path: String, at port: UInt16, session: String? = nil) async -> HTTPResponse? {
        await answer(HTTPRequest(method: .get, origin: origin(port), target: path), session)
    }

    /// What the server answers; nil when it does not.
    func post(
        _ path: String,
        _ body: String,
        at port: UInt16,
        session: String? = nil,
        fields: [String: String] = [:]
    ) async -> HTTPResponse? {
        var request = HTTPRequest(method: .post, origin: origin(port), target: path, body: Array(body.utf8))
        for (name, value) in fields { request.fields[name] = value }
        return await answer(request, session)
    }

    private func answer(_ request: HTTPRequest, _ session: String?) async -> HTTPResponse? {
        var request = request
        if let session { request.fields["Authorization"] = "Bearer \(session)" }
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

    private static func serve(_ gate: HoldingHandler, by authority: ThrowawayAuthority) throws -> HTTP2Server {
        let issued = try authority.issue(names: ["localhost"], addresses: [])
        var configuration = HTTP2ServerConfiguration()
        configuration.identity = HTTPServerConfiguration.Identity(
            certificateChainPEM: issued.certificatePEM,
            keyPEM: issued.keyPEM
        )
        return try HTTP2Server(configuration) { await gate.reply(to: $0, from: $1) }
    }

    private static func populate(_ gitlab: FakeGitLab) throws -> Int64 {
        try gitlab.addPerson(NewPerson(username: "ann"))
        try gitlab.addPerson(NewPerson(username: "bob"))
        let id = try gitlab.addProject("team/app", members: ["ann": .developer, "bob": .developer])
        try gitlab.addItem(NewItem(project: "team/app", kind: .mergeRequest, iid: 1, title: "One", author: "ann"))
        try gitlab.addToken(secret, for: "ann")
        return id
    }

    private func write(_ settings: [String: String], _ notifier: [String: String]) throws {
        let ours = [
            "productionAPNs": "\"https://localhost:\(apnsServer.port)\"", "changeDetection": "\"perItem\"",
            "intervalSmall": "\"1s\"", "jitterPercent": "0", "leaseDuration": "\"2s\"", "sendTimeout": "\"1s\"",
        ]
        let all = [
            "listen": #"{"port": 0}"#, "database": "\"\(folder)/notifier.db\"",
            "authorities": "\"\(folder)/authority.pem\"", "gitlabs": #"["GITLAB_ADDRESS"]"#,
            "notifier": Self.object(ours.merging(notifier) { $1 }),
        ]
        let text = Self.object(all.merging(settings) { $1 }).replacing("FOLDER", with: folder)
            .replacing("GITLAB_ADDRESS", with: gitLabAddress)
        try files.write(text, to: "notifierd.json")
    }

    private static func object(_ values: [String: String]) -> String {
        "{" + values.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ") + "}"
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
