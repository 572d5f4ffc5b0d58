import Configuration
import Crypto
import FoundationEssentials
import HTTP
import Notifier
import SQLite
import Synchronization

@testable import FakeGitLab
@testable import Platform

/// A clock that stands still unless the test moves it.
private final class BenchClock: TimeSource {
    private let now = Mutex(WallTime(secondsSinceEpoch: 1_772_442_000))

    var wallNow: WallTime { now.withLock { $0 } }
    var monotonicNow: MonotonicInstant { MonotonicInstant(nanoseconds: wallNow.microseconds * 1_000) }

    func sleep(until instant: MonotonicInstant) async throws {}

    func advance(by duration: Duration) { now.withLock { $0 = $0.advanced(by: duration) } }
}

/// Hands requests to the fake GitLab and remembers what was asked.
private final class BenchLink: HTTPClient {
    private let gitlab: FakeGitLab
    private let asked = Mutex<[String]>([])
    private let pending = Mutex<(@Sendable () async -> Void)?>(nil)

    init(_ gitlab: FakeGitLab) { self.gitlab = gitlab }

    var targets: [String] { asked.withLock { $0 } }

    func forget() { asked.withLock { $0 = [] } }

    /// Happens once, while the next answer is under way.
    func meanwhile(_ action: @escaping @Sendable () async -> Void) { pending.withLock { $0 = action } }

    func send(_ request: HTTPRequest, options: HTTPSendOptions) async -> HTTPOutcome {
        asked.withLock { $0.append("\(request.method.rawValue) \(request.target)") }
        let reply = gitlab.respond(to: request, from: HTTPPeer(address: "10.0.0.9", connection: 1))
        let action = pending.withLock { action -> (@Sendable () async -> Void)? in
            defer { action = nil }
            return action
        }
        await action?()
        return .response(reply.response)
    }
}

private struct NoLog: LogSink {
    let minimumLevel = LogLevel.error
    func write(_ entry: LogEntry) {}
}

private final class BenchEntropy: EntropySource {
    private let stream = Mutex(RandomStream(seed: 1))
    func nextUInt64() -> UInt64 { stream.withLock { $0.next() } }
}

/// The notifier's REST API over the fake GitLab, without a world around them: maria's session, and a project she works in.
struct GitLabBench {
    /// As shipped, but that nothing waits for a budget: time stands still here.
    private static let unhurried: NotifierConfiguration = {
        var configuration = NotifierConfiguration()
        configuration.requestsPerHour = 1_000_000
        configuration.gitlabRequestsPerSecond = 10_000
        return configuration
    }()

    let gitlab: FakeGitLab
    private let clock = BenchClock()
    private let link: BenchLink
    private let notifier: Notifier

    static let project = "team/backend"

    init(version: GitLabVersion = GitLabVersion(17, 11), scopes: [TokenScope] = [.readAPI]) throws {
        var configuration = FakeGitLab.Configuration()
        configuration.version = version
        gitlab = FakeGitLab(configuration: configuration, time: clock, seed: 1)
        link = BenchLink(gitlab)
        for name in ["maria", "omar", "ines"] {
            try gitlab.addPerson(NewPerson(username: name))
            try gitlab.addToken("\(name)-token", for: name, scopes: scopes)
        }
        try gitlab.addProject(Self.project, members: ["maria": .developer, "omar": .maintainer, "ines": .developer])
        try gitlab.addProject("team/other", members: ["maria": .developer, "omar": .maintainer])
        let secrets = NotifierSecrets(
            apnsKey: NotifierSecrets.APNsKey(
                pem: try ES256PrivateKey.generate().pem,
                keyID: "KEY1234567",
                teamID: "TEAM123456"
            ),
            encryptionKeys: [.init(version: 1, key: Secret([UInt8](repeating: 7, count: 32)))],
            sessionKey: Secret([UInt8](repeating: 9, count: 32))
        )
        notifier = try Notifier(
            configuration: Self.unhurried,
            secrets: secrets,
            instances: ServedInstances([HTTPOrigin(scheme: "https", host: "gitlab.example.com")]),
            environment: NotifierEnvironment(
                time: clock,
                entropy: BenchEntropy(),
                http: link,
                database: try Database(path: ":memory:"),
                storeExecutor: nil,
                log: NoLog(),
                timeZones: NoTimeZones()
            )
        )
    }

    /// What GitLab was asked since the last look.
    func takeTargets() -> [String] {
        defer { link.forget() }
        return link.targets
    }

    /// Lets something happen while GitLab's next answer is under way.
    func meanwhile(_ action: @escaping @Sendable () async -> Void) { link.meanwhile(action) }

    func advance(by duration: Duration) { clock.advance(by: duration) }

    /// Opens an item a second after what came before it.
    @discardableResult
    func open(
        _ kind: ItemKind,
        _ iid: Int64,
        by author: String,
        in project: String = Self.project,
        assignees: [String] = [],
        reviewers: [String] = []
    ) throws -> ItemReference {
        advance(by: .seconds(1))
        try gitlab.open(
            NewItem(
                project: project,
                kind: kind,
                iid: iid,
                title: "Item \(iid)",
                author: author,
                assignees: assignees,
                reviewers: reviewers
            )
        )
        return ItemReference(project: project, kind: kind, iid: iid)
    }

    func register(_ name: String = "maria") async throws -> String {
        let body = #"{"gitlabUrl": "https://gitlab.example.com", "personalAccessToken": "\#(name)-token"}"#
        let answer = await call(.post, "/auth/register", body, session: nil)
        return try answer.value(Session.self).token
    }

    func call(
        _ method: HTTPMethod,
        _ target: String,
        _ body: String = "",
        session: String?
    ) async -> HTTPResponse {
        var request = HTTPRequest(
            method: method,
            origin: HTTPOrigin(scheme: "https", host: "notifier.example.com"),
            target: target,
            body: Array(body.utf8)
        )
        if let session { request.fields["Authorization"] = "Bearer \(session)" }
        return await notifier.api.handle(request, from: HTTPPeer(address: "192.0.2.1", connection: 1))
    }

    private struct Session: Decodable {
        var token: String
    }

    struct Items: Decodable {
        struct Item: Decodable {
            var iid: Int64
            var type: String
            var title: String
            var projectPath: String?
            var state: String
            var involvement: [String]
            var watched: Bool
            var watchedItemId: String?
            var lastActivityAt: String

            /// In GitLab's notation, within any project.
            var text: String { (type == "issue" ? "#" : "!") + "\(iid)" }
        }

        var items: [Item]
        var nextCursor: String?
    }

    func items(_ query: String = "", session: String) async throws -> Items {
        let answer = await call(.get, "/items" + query, session: session)
        return try answer.value(Items.self)
    }

    func watch(_ item: ItemReference, session: String) async throws -> String {
        struct Response: Decodable { var watchedItemId: String }
        let type = item.kind == .issue ? "issue" : "merge_request"
        let project = try gitlab.id(ofProject: item.project)
        let body = #"{"itemIid": \#(item.iid), "itemType": "\#(type)", "projectId": \#(project)}"#
        return try await call(.post, "/watch", body, session: session).value(Response.self).watchedItemId
    }
}

extension HTTPResponse {
    var bodyText: String { String(decoding: body, as: UTF8.self) }

    /// The answer's object.
    ///
    /// - Throws: `UnexpectedResponse` when it is another.
    func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        do { return try JSONDecoder().decode(type, from: Data(body)) } catch {
            throw UnexpectedResponse(text: "\(status) \(bodyText)")
        }
    }
}

struct UnexpectedResponse: Error {
    var text: String
}
