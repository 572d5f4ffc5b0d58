import FoundationEssentials
import HTTP
import Platform
import Scenarios

/// The part of the app that speaks with the notifier's REST API, from its documented contract alone.
///
/// Unchecked: simulation thread.
final class NotifierAPIClient: @unchecked Sendable {
    private let http: any HTTPClient
    private let time: any TimeSource
    let projectIDs: [ProjectPath: Int64]
    private let onRefresh: () -> Void
    /// GitLab's numbers of people.
    let userIDs: [Username: Int64]
    private var session: String?
    /// Gives the session new tokens once its own has ended. The GitLab token is sent once and not kept.
    private var refreshToken: String?
    private var isRefreshing = false

    init(
        http: any HTTPClient,
        time: any TimeSource,
        numbers: GitLabNumbers,
        onRefresh: @escaping () -> Void
    ) {
        self.http = http
        self.time = time
        projectIDs = numbers.projects
        userIDs = numbers.people
        self.onRefresh = onRefresh
    }

    /// Whether the app has a session, as far as it knows.
    var isSignedIn: Bool { session != nil }

    /// The app is set up anew: it knows no session.
    func forget() {
        session = nil
        refreshToken = nil
    }

    private struct Registration: Encodable {
        var gitlabUrl: String
        var personalAccessToken: String
    }

    private struct Session: Decodable {
        var token: String
        var refreshToken: String
        var deviceId: String?
    }

    private func take(_ session: Session) {
        self.session = session.token
        refreshToken = session.refreshToken
    }

    /// Signs in with a GitLab token; true when the server took it.
    func register(gitlabURL: String, token: String) async -> Bool {
        let body = Registration(gitlabUrl: gitlabURL, personalAccessToken: token)
        session = nil
        guard let answer = await call(.post, "/auth/register", body), let session: Session = decode(answer) else {
            return false
        }
        take(session)
        return true
    }

    private struct PairingCode: Decodable {
        var pairingCode: String
    }

    /// A code for another device; nil when the server gives none.
    func startPairing() async -> String? {
        guard let answer = await call(.post, "/pair/start", Optional<Registration>.none) else { return nil }
        let code: PairingCode? = decode(answer)
        return code?.pairingCode
    }

    private struct Exchange: Encodable {
        var pairingCode: String
        var platform: String
        var deviceName: String
    }

    /// Signs in with a code; returns the device's id, or nil when the code is not taken.
    func exchange(_ code: String, platform: String, name: String) async -> String? {
        let body = Exchange(pairingCode: code, platform: platform, deviceName: name)
        guard let answer = await call(.post, "/pair/exchange", body), let session: Session = decode(answer) else {
            return nil
        }
        take(session)
        return session.deviceId
    }

    private struct Refresh: Encodable {
        var refreshToken: String
    }

    /// New tokens in place of the ended one; false when the session is over, or nobody answered. What two parts of the app want at once
    /// is done once: the second token of a pair would look stolen.
    private func refresh(_ ended: String?, attempts: Int) async -> Bool {
        while isRefreshing {
            do { try await time.sleep(for: .milliseconds(200)) } catch { return false }
        }
        guard session == ended, let token = refreshToken else { return isSignedIn }
        isRefreshing = true
        defer { isRefreshing = false }
        guard let answer = await send(.post, "/auth/refresh", Refresh(refreshToken: token), attempts) else {
            return false
        }
        guard answer.status == 200, let session: Session = decode(answer.body) else {
            forget()
            return false
        }
        take(session)
        onRefresh()
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

    /// Begins a sign-in through GitLab.
    func startOAuth(gitlabURL: String, grantType: String) async -> OAuthFlow? {
        session = nil
        let body = OAuthStart(gitlabUrl: gitlabURL, grantType: grantType)
        return await call(.post, "/auth/oauth/start", body).flatMap { decode($0) }
    }

    /// Ends it, when the person has agreed.
    func finishOAuth(state: String, code: String?) async -> OAuthProgress {
        guard let answer = await call(.post, "/auth/oauth/finish", OAuthFinish(state: state, code: code)) else {
            return .refused
        }
        guard let session: Session = decode(answer) else { return .pending }
        take(session)
        return .signedIn
    }

    private struct DeviceRegistration: Encodable {
        var apnsToken: String
        var platform: String
        var environment: String
        var appVersion = "1.0.0"
    }

    private struct RegisteredDevice: Decodable {
        var deviceId: String
        var token: String?
    }

    /// Registers a push token, as long as the app is there; returns the device's id, or nil when the server did not take it.
    func registerDevice(
        token: String,
        platform: String,
        environment: String,
        while isAppThere: () -> Bool
    ) async -> String? {
        let body = DeviceRegistration(apnsToken: token, platform: platform, environment: environment)
        let answer = await call(.post, "/devices", body, while: isAppThere)
        guard let answer, let device: RegisteredDevice = decode(answer) else {
            return nil
        }
        session = device.token ?? session
        return device.deviceId
    }

    /// Removes one of the person's devices; true when the server did.
    func removeDevice(_ id: String) async -> Bool {
        await delete("/devices/\(id)")
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
        await delete("/watch/\(id)")
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

    private struct Receipt: Encodable {
        var type: String
    }

    /// Tells what became of a notification, a few times at most; true when the server took it.
    func receive(_ notificationID: String, _ type: String) async -> Bool {
        await call(.post, "/notifications/\(notificationID)/received", Receipt(type: type), attempts: 3) != nil
    }

    /// Sends a request until it is answered for good; the body of a success, nil for a refusal, when patience ends or when nobody wants it
    /// any more.
    func call(
        _ method: HTTPMethod,
        _ target: String,
        _ body: (some Encodable)?,
        attempts: Int = patience,
        while isWanted: () -> Bool = { true }
    ) async -> [UInt8]? {
        guard let answer = await answer(method, target, body, attempts, while: isWanted),
            (200..<300).contains(answer.status)
        else {
            return nil
        }
        return answer.body
    }

    /// Takes something away; true when it is gone. An earlier attempt, whose answer was lost, may have done it.
    func delete(_ target: String) async -> Bool {
        guard let answer = await answer(.delete, target, Optional<String>.none, Self.patience) else { return false }
        return (200..<300).contains(answer.status) || answer.status == 404
    }

    /// The final answer, with new tokens when the former ones have ended; nil when patience ends.
    private func answer(
        _ method: HTTPMethod,
        _ target: String,
        _ body: (some Encodable)?,
        _ attempts: Int,
        while isWanted: () -> Bool = { true }
    ) async -> HTTPResponse? {
        let used = session
        let answer = await send(method, target, body, attempts, while: isWanted)
        guard answer?.status == 401, used != nil, await refresh(used, attempts: attempts) else { return answer }
        return await send(method, target, body, attempts, while: isWanted)
    }

    private func send(
        _ method: HTTPMethod,
        _ target: String,
        _ body: (some Encodable)?,
        _ attempts: Int,
        while isWanted: () -> Bool = { true }
    ) async -> HTTPResponse? {
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
        for _ in 0..<attempts {
            guard isWanted() else { return nil }
            if case .response(let response) = await http.send(request, options: HTTPSendOptions()) {
                if response.status < 500, response.status != 429 { return response }
                let asked = response.fields["Retry-After"].flatMap(Int64.init) ?? 0
                pause = max(pause, .seconds(min(asked, 3_600)))
            }
            do { try await time.sleep(for: pause) } catch { return nil }
            pause = min(pause * 2, .seconds(60))
        }
        return nil
    }

    /// Some hours of patience.
    private static let patience = 200

    func decode<Value: Decodable>(_ body: [UInt8]) -> Value? {
        try? JSONDecoder().decode(Value.self, from: Data(body))
    }
}
