import FoundationEssentials
import HTTP
import Platform

/// The part of the app that speaks with the notifier's REST API, from its documented contract alone.
///
/// Isolation: used by the simulation's thread.
final class NotifierAPIClient: @unchecked Sendable {
    // @unchecked: touched only by the thread that runs the simulation.

    private let http: any HTTPClient
    private let time: any TimeSource
    private let projectIDs: [ProjectPath: Int64]
    /// GitLab's numbers of people.
    let userIDs: [Username: Int64]
    private var session: String?
    /// What the person signed in with last: a session ends after some days, and the app then signs in again.
    private var credentials: Registration?

    init(http: any HTTPClient, time: any TimeSource, numbers: GitLabNumbers) {
        self.http = http
        self.time = time
        projectIDs = numbers.projects
        userIDs = numbers.people
    }

    private struct Registration: Encodable {
        var gitlabUrl: String
        var personalAccessToken: String
    }

    private struct Session: Decodable {
        var token: String
    }

    /// Signs in with a GitLab token; true when the server took it.
    func register(gitlabURL: String, token: String) async -> Bool {
        let body = Registration(gitlabUrl: gitlabURL, personalAccessToken: token)
        credentials = body
        session = nil
        return await signIn(body)
    }

    private func signIn(_ body: Registration) async -> Bool {
        guard let answer = await call(.post, "/auth/register", body), let session: Session = decode(answer) else {
            return false
        }
        self.session = session.token
        return true
    }

    /// A sign-in through GitLab that has begun.
    struct OAuthFlow: Decodable {
        var state: String
        var authorizationUrl: String?
        var userCode: String?
        var pollSeconds: Int64?
    }

    /// What became of a sign-in through GitLab.
    enum OAuthProgress { case signedIn, pending, refused }

    private struct OAuthStart: Encodable {
        var gitlabUrl: String
        var grantType: String
    }

    private struct OAuthFinish: Encodable {
        var state: String
        var code: String?
    }

    private struct OAuthAnswer: Decodable {
        var token: String?
    }

    /// Begins a sign-in through GitLab.
    func startOAuth(gitlabURL: String, grantType: String) async -> OAuthFlow? {
        session = nil
        credentials = nil
        let body = OAuthStart(gitlabUrl: gitlabURL, grantType: grantType)
        return await call(.post, "/auth/oauth/start", body).flatMap { decode($0) }
    }

    /// Ends it, when the person has agreed.
    func finishOAuth(state: String, code: String?) async -> OAuthProgress {
        guard let answer = await call(.post, "/auth/oauth/finish", OAuthFinish(state: state, code: code)),
            let body: OAuthAnswer = decode(answer)
        else { return .refused }
        guard let token = body.token else { return .pending }
        session = token
        return .signedIn
    }

    private struct DeviceRegistration: Encodable {
        var apnsToken: String
        var platform: String
        var environment: String
        var appVersion = "1.0.0"
    }

    /// Registers a push token; true when the server took it.
    func registerDevice(token: String, platform: String, environment: String) async -> Bool {
        let body = DeviceRegistration(apnsToken: token, platform: platform, environment: environment)
        return await call(.post, "/devices", body) != nil
    }

    private struct WatchRequest: Encodable {
        var itemIid: Int64
        var itemType: String
        var projectId: Int64
    }

    private struct Watch: Decodable {
        var watchedItemId: String
    }

    /// Watches an item; returns the id of the entry.
    func watch(_ item: ItemReference) async -> String? {
        let body = WatchRequest(
            itemIid: item.iid,
            itemType: item.kind == .issue ? "issue" : "merge_request",
            projectId: projectIDs[item.project] ?? 0
        )
        guard let answer = await call(.post, "/watch", body), let watch: Watch = decode(answer) else { return nil }
        return watch.watchedItemId
    }

    /// Ends a watch; true when the server did.
    func unwatch(_ id: String) async -> Bool {
        await call(.delete, "/watch/\(id)", Optional<WatchRequest>.none) != nil
    }

    /// What the feed has since the notification of that id, newest first; at most 50 pages.
    func feed(since last: String?) async -> [(id: String, facts: [String])]? {
        var news: [(id: String, facts: [String])] = []
        var target = "/notifications?limit=100"
        for _ in 0..<50 {
            guard let body = await call(.get, target, Optional<WatchRequest>.none) else { return nil }
            guard let page = PayloadReader.feed(body) else { return nil }
            for notification in page.notifications {
                if notification.id == last { return news }
                news.append(notification)
            }
            guard let cursor = page.nextCursor else { return news }
            target = "/notifications?limit=100&cursor=\(cursor)"
        }
        return news
    }

    private struct Status: Decodable {
        struct Notifications: Decodable {
            var pendingOutbox: Int
        }
        var notifications: Notifications
    }

    /// How many deliveries the notifier still has to make for the person.
    func pendingDeliveries() async -> Int? {
        guard let answer = await call(.get, "/status", Optional<WatchRequest>.none) else { return nil }
        let status: Status? = decode(answer)
        return status?.notifications.pendingOutbox
    }

    /// Sends a request until it is answered for good; the body of a success, nil for a refusal or when patience ends.
    func call(_ method: HTTPMethod, _ target: String, _ body: (some Encodable)?) async -> [UInt8]? {
        var answer = await send(method, target, body)
        if answer?.status == 401, session != nil, let credentials {
            session = nil
            guard await signIn(credentials) else { return nil }
            answer = await send(method, target, body)
        }
        guard let answer, (200..<300).contains(answer.status) else { return nil }
        return answer.body
    }

    private func send(_ method: HTTPMethod, _ target: String, _ body: (some Encodable)?) async -> HTTPResponse? {
        var request = HTTPRequest(method: method, origin: WorldBuilder.notifierOrigin, target: target)
        if let body {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            guard let data = try? encoder.encode(body) else { return nil }
            request.body = Array(data)
            request.fields.append("Content-Type", "application/json")
        }
        if let session { request.fields.append("Authorization", "Bearer \(session)") }
        var pause = Duration.seconds(2)
        for _ in 0..<Self.attempts {
            if case .response(let response) = await http.send(request, options: HTTPSendOptions()) {
                if response.status < 500, response.status != 429 { return response }
            }
            do { try await time.sleep(for: pause) } catch { return nil }
            pause = min(pause * 2, .seconds(60))
        }
        return nil
    }

    /// Some hours of patience.
    private static let attempts = 200

    private func decode<Value: Decodable>(_ body: [UInt8]) -> Value? {
        try? JSONDecoder().decode(Value.self, from: Data(body))
    }
}
