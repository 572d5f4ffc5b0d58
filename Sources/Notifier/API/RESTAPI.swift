import Configuration
import Crypto
import HTTP
import Platform
import SQLite
import Synchronization

/// The REST API that the apps use: sessions, devices, watch lists, history and state.
///
/// Whatever goes wrong becomes one error object; bad input is never answered with a 5xx, and changes nothing.
final class RESTAPI: HTTPHandler {
    /// Every route there is, by area.
    static let routes: [APIRoute] =
        sessionRoutes + refreshRoutes + accountRoutes + pairingRoutes + deviceRoutes + watchRoutes + notificationRoutes
        + pullRoutes + acknowledgementRoutes + readMarkRoutes + askRoutes + signalRoutes + signalTokenRoutes
        + outboxRoutes
        + itemRoutes + subscriptionRoutes + statusRoutes + muteRoutes + syncRoutes + noiseFilterRoutes + settingsRoutes
        + dismissalRoutes + dutyRoutes + dutyMuteRoutes + dutyInvitationRoutes + occurrenceRoutes + documentRoutes
        + webhookRoutes
        + oauthRoutes + metricsRoutes
    private static let table = RouteTable(routes)

    let context: APIContext
    /// Wrong pairing codes of each network.
    let pairingAttempts = AddressLimiter(AddressBuckets(capacity: 5, interval: .minutes(1)))
    /// Wrong pairing codes of the sites that have many networks.
    let pairingAttemptsOfSites = AddressLimiter(AddressBuckets(capacity: 20, interval: .seconds(15)))
    /// Sign-ins that each network begins: some 40 of them live at a time.
    let signIns = AddressLimiter(AddressBuckets(capacity: 20, interval: .seconds(30)))
    /// Sign-ins of each account that is known: they take a third of its budget at most. Those beyond are refused, at two requests each that no budget bears.
    let signInsOfAccounts: AddressLimiter
    /// What each program may say, by the number of its token.
    let signals: AddressLimiter
    private let requests: AddressLimiter
    private let slots = Mutex(GitLabSlots())
    /// Log lines of failed sign-ins: 20 at once and 20 a minute.
    private let toldSignIns = AddressLimiter(AddressBuckets(capacity: 20, interval: .seconds(3)))

    init(_ context: APIContext) {
        self.context = context
        let perMinute = context.configuration.requestsPerMinute
        requests = AddressLimiter(AddressBuckets(capacity: perMinute, interval: .minutes(1) / perMinute))
        let perHour = context.configuration.requestsPerHour
        let earned = RequestBudget(limitPerHour: perHour, now: context.time.monotonicNow).interval
        // A sign-in makes a dozen requests.
        signInsOfAccounts = AddressLimiter(AddressBuckets(capacity: max(perHour / 120, 3), interval: earned * 36))
        let perProgram = context.configuration.signalsPerMinute
        signals = AddressLimiter(AddressBuckets(capacity: perProgram, interval: .minutes(1) / perProgram))
    }

    func handle(_ request: HTTPRequest, from peer: HTTPPeer) async -> HTTPResponse {
        let startedAt = context.time.monotonicNow
        var route: APIRoute?
        let response = await respond(request, from: peer, finding: &route)
        measure(response, route, since: startedAt)
        return response
    }

    func refuse(_ refusal: HTTPRefusal) -> HTTPResponse {
        let response = HTTPResponse.error(APIError(refusal, limits: context.configuration))
        measure(response, nil, since: context.time.monotonicNow)
        return response
    }

    private func respond(
        _ request: HTTPRequest,
        from peer: HTTPPeer,
        finding route: inout APIRoute?
    ) async -> HTTPResponse {
        do {
            try checkSize(request)
            return try await answer(request, from: peer, finding: &route)
        } catch let error as APIError {
            tell(error, route)
            return .error(error)
        } catch let error as SQLiteError where error.storeTrouble != nil {
            // Told of by the watch over the database, once and not for each request.
            return .error(.databaseUnavailable)
        } catch {
            context.log.write(.requestFailed, [("error", .text(String(describing: error)))])
            return .error(.internalFailure)
        }
    }

    /// Somebody could not sign in, which the operator may have to mend: says why, so many times a minute at most, and nothing of who it was.
    private func tell(_ error: APIError, _ route: APIRoute?) {
        guard let route, route.access == .open, route.asksGitLab, ![400, 429].contains(error.status),
            toldSignIns.take("", at: context.time.monotonicNow) == nil
        else { return }
        var fields: [Log.Field] = [("error", .text(error.code))]
        if let reason = error.reason { fields.append(("error.reason", .text(reason))) }
        context.log.write(.signInFailed, fields)
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
        finding known: inout APIRoute?
    ) async throws -> HTTPResponse {
        let found = Result { () throws(APIError) in try Self.table.find(request) }
        known = try? found.get().route
        try admit(peer, to: known)
        let (route, parameters) = try found.get()
        var caller: APICall.Caller?
        var program: SignalToken?
        switch route.access {
        case .open: break
        case .account, .device: caller = try await self.caller(of: request, from: peer, on: route)
        case .program: program = try await self.program(of: request)
        }
        let call = APICall(
            request: request,
            peer: peer,
            parameters: parameters,
            caller: caller,
            signalToken: program
        )
        guard route.asksGitLab else { return try await route.answer(self, call) }
        return try await waiting(call) { try await route.answer(self, call) }
    }

    /// Lets an address have only so many requests.
    private func admit(_ peer: HTTPPeer, to route: APIRoute?) throws(APIError) {
        let now = context.time.monotonicNow
        let retryAfter: Duration? =
            switch route?.toll ?? .whole {
            case .none: nil
            case .whole: requests.take(peer.network, at: now)
            case .twentieth: requests.take(peer.network, dividedBy: 20, at: now)
            }
        if let retryAfter { throw .rateLimited(retryAfter: retryAfter) }
    }

    /// Who asks; one who has no session has to pay in full for having asked.
    private func caller(
        of request: HTTPRequest,
        from peer: HTTPPeer,
        on route: APIRoute
    ) async throws -> APICall.Caller {
        do {
            return try await caller(of: request, on: route)
        } catch let error as APIError {
            if route.toll == .twentieth { _ = requests.take(peer.network, at: context.time.monotonicNow) }
            throw error
        }
    }

    private func waiting(_ call: APICall, _ body: () async throws -> HTTPResponse) async throws -> HTTPResponse {
        let person = call.caller.map { GitLabSlots.Waiter.person($0.account.id) }
        let waiter = person ?? GitLabSlots.Waiter.stranger(call.peer.network)
        switch slots.withLock({ $0.enter(waiter) }) {
        case nil: break
        case .full: throw APIError.busy
        case .share: throw APIError.tooManyWaiting
        }
        defer { slots.withLock { $0.leave(waiter) } }
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
    var deviceTokens: DeviceTokenVault
    var sessions: SessionIssuer
    /// Renews access tokens.
    var grants: GrantKeeper
    /// Where people can sign in through GitLab.
    var oauth: OAuthServers
    /// The GitLabs that people may use this server with.
    var instances: ServedInstances
    /// What GitLab's webhooks must know; nil when none are taken.
    var webhookSecret: Secret?
    var polling: PollingService
    /// What GitLab's answers may hold, together with those of polling.
    var answers: ResponseBudget?
    /// What each GitLab is asked at most, together with polling.
    var gates: InstanceGates?
    var delivery: DeliveryService
    /// The rules of the time zones that people may name.
    var zones: any TimeZoneSource
    /// Sent when somebody changed when they want to be notified, or when what a program said was held.
    var digestSignal: WakeSignal
    /// What makes notifications of what programs say.
    var pipeline: NotificationPipeline
    /// What limits have left of watches that apps ask for.
    var begunWatches = BegunWatches()
    var startedAt: MonotonicInstant
    var log: Log
    var metrics: MetricsRegistry

    /// What polling works with, and what the API has beside it; the server starts now.
    init(
        _ shared: PollingContext,
        deviceTokens: DeviceTokenVault,
        sessions: SessionIssuer,
        oauth: OAuthServers,
        webhookSecret: Secret?,
        polling: PollingService,
        delivery: DeliveryService
    ) {
        (configuration, store, http) = (shared.configuration, shared.store, shared.http)
        (time, entropy, sealer) = (shared.time, shared.entropy, shared.sealer)
        (grants, instances, zones) = (shared.grants, shared.instances, shared.zones)
        (digestSignal, log, metrics) = (shared.digestSignal, shared.log, shared.metrics)
        pipeline = shared.pipeline
        (self.deviceTokens, self.sessions, self.oauth) = (deviceTokens, sessions, oauth)
        (self.webhookSecret, self.polling, self.delivery) = (webhookSecret, polling, delivery)
        (answers, gates) = (shared.answers, shared.gates)
        startedAt = shared.time.monotonicNow
    }

    /// How long GitLab may be asked for one request of an app in all. Apps give up after a minute.
    static let gitLabTime = Duration.seconds(50)

    /// Asks for one request, from now on for ``gitLabTime``, and for a stranger no longer than they wait.
    ///
    /// What a person wants is carried out although their phone has lost its connection, as the tap on a notification was theirs.
    func patient(_ stranger: HTTPPeer? = nil) -> PatientClient {
        PatientClient(
            http: http,
            time: time,
            deadline: time.monotonicNow.advanced(by: Self.gitLabTime),
            presence: stranger?.presence
        )
    }

    /// A client for GitLab in the name of an account, for one request of its person that asks GitLab so many times or some more.
    ///
    /// - Throws: `APIError` when the account's GitLab is not served, the account has nothing to show that it would take, or its requests are
    ///   used up.
    func client(for account: Account, expecting requests: Int = 1) async throws -> GitLabClient {
        guard instances.serve(account.origin) else { throw APIError.gitLabNotServed }
        switch try await grants.access(of: account.id) {
        case .usable(let credential):
            do throws(GitLabError) {
                let gate = try polling.appGate(of: account.id, expecting: requests)
                return client(account.origin, credential, through: patient(), of: account.id, gate)
            } catch {
                throw APIError(error, notFound: .gitLabNotFound)
            }
        case .ended: throw APIError.gitLabTokenRefused(code: "invalid_grant")
        case .unavailable(let error): throw APIError(error, notFound: .gitLabNotFound)
        case .unknown: throw APIError.sessionInvalid
        }
    }

    /// What an account has to show in place of what GitLab has just refused: polling may have renewed its access token since the call began.
    private func replacement(of account: AccountID) -> GitLabClient.Replacement {
        { [grants] (refused: GitLabCredential) async throws(GitLabError) -> GitLabCredential? in
            // Where the store cannot be read, the refusal stands.
            guard let access = try? await grants.access(of: account, rejected: refused) else { return nil }
            switch access {
            case .usable(let credential): return credential
            case .unavailable(let error): throw error
            case .ended, .unknown: return nil
            }
        }
    }

    /// A client for GitLab with what it is to show.
    func client(
        _ origin: HTTPOrigin,
        _ credential: GitLabCredential,
        through patient: PatientClient,
        of account: AccountID? = nil,
        _ gate: AppRequestGate? = nil
    ) -> GitLabClient {
        let now = time.monotonicNow
        let deadline = now.advanced(by: AppRequestGate.patience)
        let pass = gates.map { gates in
            InstancePass(
                gate: gates[origin],
                time: time,
                account: account,
                reason: .app,
                since: now,
                deadline: deadline
            )
        }
        return GitLabClient(
            origin: origin,
            credential: credential,
            http: patient,
            requestTimeout: configuration.requestTimeout,
            rowsPerPage: configuration.perPage,
            answers: answers,
            appGate: gate,
            pass: pass,
            replacement: account.map { replacement(of: $0) }
        )
    }

    /// Reads what there is of an item before a watch of it begins, in as many requests as the account may send.
    func baseline(_ item: ItemReference, by client: GitLabClient) async throws(GitLabError) -> ItemBaseline {
        var progress = BaselineProgress()
        return try await baseline(item, by: client, goingOnWith: &progress)
    }

    /// The same, but for what was read before.
    func baseline(
        _ item: ItemReference,
        by client: GitLabClient,
        goingOnWith progress: inout BaselineProgress
    ) async throws(GitLabError) -> ItemBaseline {
        let reader = BaselineReader(client: client, time: time, requestsLeft: client.requestsLeft)
        return try await reader.itemBaseline(item, before: nil, goingOnWith: &progress)
    }
}
