import Crypto
import HTTP
import Platform
import Synchronization

/// The REST API that the apps use: sessions, devices, watch lists, history and state.
///
/// Whatever goes wrong becomes one error object; bad input is never answered with a 5xx, and changes nothing.
final class RESTAPI: HTTPHandler {
    /// Every route there is, by area.
    static let routes = sessionRoutes + deviceRoutes + watchRoutes + notificationRoutes + statusRoutes + metricsRoutes
    private static let table = RouteTable(routes)

    /// Requests that may wait for GitLab at the same time; more are turned away.
    private static let gitLabRequestLimit = 32

    let context: APIContext
    private let waitingForGitLab = Mutex(0)

    init(_ context: APIContext) {
        self.context = context
    }

    func handle(_ request: HTTPRequest, from peer: HTTPPeer) async -> HTTPResponse {
        let startedAt = context.time.monotonicNow
        var route: APIRoute?
        let response = await respond(request, from: peer, finding: &route)
        measure(response, route, since: startedAt)
        return response
    }

    private func respond(
        _ request: HTTPRequest,
        from peer: HTTPPeer,
        finding found: inout APIRoute?
    ) async -> HTTPResponse {
        do {
            try checkSize(request)
            let (route, parameters) = try Self.table.find(request)
            found = route
            return try await answer(request, from: peer, route, parameters)
        } catch let error as APIError {
            return .error(error)
        } catch {
            context.log.write(.requestFailed, [("error", .text(String(describing: error)))])
            return .error(.internalFailure)
        }
    }

    private func checkSize(_ request: HTTPRequest) throws(APIError) {
        let configuration = context.configuration
        guard request.target.utf8.count <= configuration.requestTargetLimitBytes else {
            throw .targetTooLong(limit: configuration.requestTargetLimitBytes)
        }
        let fieldBytes = request.fields.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        guard fieldBytes <= configuration.requestHeaderLimitBytes else {
            throw .headersTooLarge(limit: configuration.requestHeaderLimitBytes)
        }
        guard request.body.count <= configuration.requestBodyLimitBytes else {
            throw .bodyTooLarge(limit: configuration.requestBodyLimitBytes)
        }
    }

    private func answer(
        _ request: HTTPRequest,
        from peer: HTTPPeer,
        _ route: APIRoute,
        _ parameters: [String: String]
    ) async throws -> HTTPResponse {
        let caller = route.access == .open ? nil : try await caller(of: request)
        let call = APICall(request: request, peer: peer, parameters: parameters, caller: caller)
        guard route.asksGitLab else { return try await route.answer(self, call) }
        return try await waiting { try await route.answer(self, call) }
    }

    /// Who the request's session names.
    private func caller(of request: HTTPRequest) async throws -> APICall.Caller {
        guard let field = request.fields["authorization"] else { throw APIError.sessionMissing }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw APIError.sessionMissing }
        let publicID = try context.sessions.verify(parts[1], at: context.time.wallNow)
        guard let account = try await context.store.read({ try $0.account(publicID: publicID) }) else {
            throw APIError.sessionInvalid
        }
        return APICall.Caller(account: account)
    }

    private func waiting(_ body: () async throws -> HTTPResponse) async throws -> HTTPResponse {
        let isAdmitted = waitingForGitLab.withLock { count in
            guard count < Self.gitLabRequestLimit else { return false }
            count += 1
            return true
        }
        guard isAdmitted else { throw APIError.busy }
        defer { waitingForGitLab.withLock { $0 -= 1 } }
        return try await body()
    }
}

/// What the API works with.
struct APIContext: Sendable {
    var configuration: NotifierConfiguration
    var store: StoreActor
    var http: any HTTPClient
    var time: any TimeSource
    var entropy: any EntropySource
    var sealer: SecretSealer
    var sessions: SessionTokens
    var polling: PollingService
    var delivery: DeliveryService
    var startedAt: MonotonicInstant
    var log: Log
    var metrics: MetricsRegistry

    /// A client for GitLab with a token.
    func client(_ origin: HTTPOrigin, _ token: Secret) -> GitLabClient {
        GitLabClient(
            origin: origin,
            token: token,
            http: http,
            requestTimeout: configuration.requestTimeout,
            rowsPerPage: configuration.perPage
        )
    }
}
