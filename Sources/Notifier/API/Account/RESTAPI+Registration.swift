import Crypto
import HTTP
import JSON
import Platform

/// `POST /auth/register`: connects a person to their GitLab.
extension RESTAPI {
    static let sessionRoutes = [
        APIRoute(.post, "/auth/register", access: .open, asksGitLab: true, .register) { try await $0.register($1) }
    ]

    private struct Request: Decodable {
        var gitlabUrl: String
        var personalAccessToken: String
    }

    private struct Response: Encodable {
        var token: String
        var refreshToken: String
        var userId: String
        var gitlabUserId: Int64
        var gitlabVersion: String?
        var capabilities: CapabilitiesResponse
        var expiresAt: String
    }

    /// What GitLab said about the person and their token.
    private struct Identity: Sendable {
        var user: CurrentUser
        var tokenExpiresOn: String?
        /// Their account, where the database knows them already.
        var known: AccountID?
    }

    /// What a GitLab offers to the person.
    private struct Offer: Sendable {
        var capabilities: Capabilities
        /// False for what was found before.
        var isAsked = true
        /// Made for it that no budget has borne yet.
        var requests = 0
    }

    /// Requests that say who somebody is.
    private static let identifyingRequests = 2

    /// Checks address and token with GitLab, then stores both. A first registration takes a baseline of the to-dos, so that nothing old is
    /// told; a later one replaces the token and keeps watch list and history.
    private func register(_ call: APICall) async throws -> HTTPResponse {
        let wanted = try call.request.decodeBody(Request.self)
        let origin = try servedOrigin(wanted.gitlabUrl)
        let token = try Self.token(wanted.personalAccessToken)
        let client = context.client(origin, .personalAccessToken(token), through: context.patient(call.peer))
        return try await welcome(connect(client, tokens: nil, wantedScope: "read_api"))
    }

    /// A person whom the database knows from now on.
    struct Connected: Sendable {
        var account: Account
        var capabilities: Capabilities
        /// True when the account was there before.
        var isKnown: Bool
    }

    /// Connects the person in whose name `client` asks. `tokens` are those of a grant that GitLab has just given. When it throws, nothing
    /// of them is kept.
    func connect(_ client: GitLabClient, tokens: OAuthTokens?, wantedScope: String) async throws -> Connected {
        let identity = try await identify(client, tokens, wantedScope: wantedScope)
        let offer: Offer
        var baseline: TodosBaseline?
        if let known = identity.known {
            try charge(known)
            offer = try await discover(client, of: known)
        } else {
            offer = try await discover(client, known: nil)
            baseline = try await todosBaseline(client)
        }
        let (account, former) = try await store(identity, offer, client, tokens, baseline)
        let first = identity.known == nil ? Self.identifyingRequests + (baseline?.requests ?? 0) : 0
        context.polling.accountChanged(account.id, requestsMade: first + offer.requests)
        // Nobody here knows it any more, and it would stay good there also after the person has left.
        if let former { await context.grants.revoke(former, of: account, replacedBy: tokens) }
        return Connected(account: account, capabilities: offer.capabilities, isKnown: identity.known != nil)
    }

    /// Lets the person's budget bear what it took to learn who they are, so many times in a while: whoever signs in again and again is to hear
    /// of their news nevertheless.
    private func charge(_ account: AccountID) throws(APIError) {
        if let pause = signInsOfAccounts.take("\(account.rawValue)", at: context.time.monotonicNow) {
            throw .requestBudgetSpent(retryAfter: pause)
        }
        context.polling.charge(Self.identifyingRequests, to: account)
    }

    /// Tells the log of the person, and answers with a session.
    func welcome(_ connected: Connected) async throws -> HTTPResponse {
        let account = connected.account
        let number: Log.Field = ("account.id", .number(account.id.rawValue))
        context.log.write(connected.isKnown ? .accountRevived : .accountRegistered, [number])
        context.log.write(.capabilitiesFound, [number] + connected.capabilities.fields)
        let session = try await openSession(for: account)
        let answer = Response(
            token: session.token,
            refreshToken: session.refreshToken,
            userId: account.publicID,
            gitlabUserId: account.gitlabUserID,
            gitlabVersion: account.gitlabVersion,
            capabilities: CapabilitiesResponse(connected.capabilities),
            expiresAt: ISO8601.text(session.expiresAt)
        )
        return try .json(connected.isKnown ? 200 : 201, answer)
    }

    /// Asks what the token may do before asking who it is: a token without the scope is named as such.
    private func identify(_ client: GitLabClient, _ tokens: OAuthTokens?, wantedScope: String) async throws -> Identity
    {
        do {
            let details = tokens == nil ? try await tokenDetails(client) : nil
            if let scopes = details?.scopes ?? tokens?.scopes { try Self.check(scopes, wanted: wantedScope) }
            let user = try await client.currentUser()
            let known = try await context.store.read { store in
                try store.account(origin: client.origin, gitlabUserID: user.id)?.id
            }
            return Identity(user: user, tokenExpiresOn: details?.expiresOn, known: known)
        } catch let error as GitLabError {
            throw APIError(error, notFound: .gitLabNotFound)
        }
    }

    /// Asks what GitLab offers to somebody who is known; their budget bears each question. Where it has no room for all of them now, what was
    /// found before holds until polling asks again: the new token is needed at once, and a small budget never has so much room.
    private func discover(_ client: GitLabClient, of account: AccountID) async throws -> Offer {
        let before = try await context.store.read { try $0.capabilities(of: account)?.capabilities }
        guard let before else { return try await discover(client, known: nil) }
        let wanted = CapabilityProber.usualRequests
        guard let gate = try? context.polling.appGate(of: account, expecting: wanted), gate.requestsLeft >= wanted
        else { return Offer(capabilities: before, isAsked: false) }
        var offer = try await discover(client.passing(gate), known: before)
        offer.requests = 0
        return offer
    }

    private func discover(_ client: GitLabClient, known: Capabilities?) async throws -> Offer {
        do {
            let found = try await CapabilityProber(client: client, gate: nil).discover(known: known)
            return Offer(capabilities: found.capabilities, requests: found.requests)
        } catch {
            throw APIError(error, notFound: .gitLabNotFound)
        }
    }

    /// Nil for tokens that cannot be asked: GitLab before 15.5, and other kinds of token (GitLab facts §5.3).
    private func tokenDetails(_ client: GitLabClient) async throws(GitLabError) -> PersonalAccessToken? {
        do {
            return try await client.personalAccessTokenSelf()
        } catch .notFound, .rejected {
            return nil
        }
    }

    private func todosBaseline(_ client: GitLabClient) async throws -> TodosBaseline {
        do {
            return try await BaselineReader(client: client).todosBaseline()
        } catch {
            throw APIError(error, notFound: .gitLabNotFound)
        }
    }

    /// Returns the account, and the grant that it had until now.
    private func store(
        _ identity: Identity,
        _ offer: Offer,
        _ client: GitLabClient,
        _ tokens: OAuthTokens?,
        _ baseline: TodosBaseline?
    ) async throws -> (Account, OAuthGrant?) {
        let now = context.time.wallNow
        let (origin, token) = (client.origin, client.credential.secret)
        return try await context.store.transaction { [sealer = context.sealer, entropy = context.entropy] store in
            let known = try store.account(origin: origin, gitlabUserID: identity.user.id)
            let publicID = known?.publicID ?? entropy.uuidString()
            var registration = AccountRegistration(
                publicID: publicID,
                origin: origin,
                gitlabUserID: identity.user.id,
                username: identity.user.username,
                token: try sealer.seal(token, for: publicID),
                tokenExpiresOn: identity.tokenExpiresOn,
                gitlabVersion: offer.capabilities.version
            )
            let grant = try tokens.map { tokens in
                OAuthGrant(
                    grantedAt: now,
                    accessEndsAt: now.advanced(by: tokens.lifetime),
                    refresh: try sealer.seal(tokens.refresh, for: publicID)
                )
            }
            let expiry = TokenExpiry(expiresOn: identity.tokenExpiresOn, readAt: now)
            let id: AccountID
            if let known {
                id = known.id
                // Signing in again with the same token does not bring back warnings that were given: its date is left to the daily look.
                let isSameToken = (try? sealer.open(known.token, for: publicID)) == token
                if isSameToken { registration.tokenExpiresOn = known.tokenExpiresOn }
                try store.replaceToken(of: id, by: registration)
                if !isSameToken { try store.setTokenExpiry(expiry, of: id) }
            } else {
                guard let baseline else { throw APIError.changedMeanwhile }
                id = try store.insert(registration, at: now)
                try store.setTokenExpiry(expiry, of: id)
                try store.storeBaseline(baseline, of: id, at: now)
            }
            if offer.isAsked { try store.setCapabilities(offer.capabilities, of: id, at: now) }
            let former = try store.grant(of: id)
            try store.setGrant(grant, of: id)
            guard let account = try store.account(id) else { throw APIError.changedMeanwhile }
            return (account, former)
        }
    }

    /// Every scope that was asked for, or `api`, which includes the others.
    private static func check(_ found: [String], wanted: String) throws(APIError) {
        guard !found.contains("api") else { return }
        let missing = wanted.split(separator: " ").map(String.init).filter { !found.contains($0) }
        guard missing.isEmpty else { throw .gitLabScopeMissing(found: found, missing: missing) }
    }

    /// The listed GitLab that `text` names. Any other is refused in the same words, whatever is there, and before anything else of the
    /// request is looked at.
    func servedOrigin(_ text: String) throws(APIError) -> HTTPOrigin {
        guard text.utf8.count <= 512, let origin = HTTPOrigin(text) else {
            throw .invalidField("gitlabUrl", expected: "an address such as https://gitlab.example.com, without a path")
        }
        guard let listed = context.instances.listed(origin) else { throw .gitLabNotServed }
        return listed
    }

    /// A token goes into a header field, so it holds visible ASCII only.
    private static func token(_ text: String) throws(APIError) -> Secret {
        guard (1...1_024).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .invalidField("personalAccessToken", expected: "a GitLab token such as glpat-…")
        }
        return Secret(text)
    }
}

extension RouteDescription {
    /// Address of an instance of GitLab.
    static let instance = APISchema.matching(
        #"https?://([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?/?"#,
        length: 8...512
    )

    static let register = RouteDescription(
        "register",
        "Connects a person to their GitLab, or gives the account another token.",
        body: .object([
            .required("gitlabUrl", instance, "The instance; of a path at most the first slash."),
            .required(
                "personalAccessToken",
                .matching("[!-~]+", length: 1...1_024),
                "A token with the scope `read_api`."
            ),
        ]),
        answers: [
            .json(201, "The account is new.", registeredSession),
            .json(200, "The account was known already.", registeredSession),
        ],
        errors: [.gitLabNotFound, .changedMeanwhile, .requestBudgetSpent(retryAfter: .seconds(60))],
        examples: [
            Example(
                "first-sign-in",
                "A person connects to GitLab.",
                body: [
                    "gitlabUrl": "https://gitlab.example.com", "personalAccessToken": "glpat-xxxxxxxxxxxxxxxxxxxx",
                ],
                status: 201,
                answer: [
                    "token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.c2lnbmF0dXJl",
                    "refreshToken": "drt_ZXhhbXBsZSByZWZyZXNoIHRva2VuIG9mIDMyIGJ5dGVz",
                    "userId": "550e8400-e29b-41d4-a716-446655440000",
                    "gitlabUserId": 7,
                    "gitlabVersion": "17.11.2",
                    "capabilities": [
                        "notes": true, "activity": "full", "resourceStateEvents": true, "globalEvents": true,
                        "rateLimitHeaders": false,
                    ],
                    "expiresAt": "2026-03-09T09:00:00.000Z",
                ]
            )
        ]
    )

    private static let capabilities: [APISchema.Property] = [
        .required("notes", .boolean, "Whether an item's comments can be read one by one."),
        .required(
            "activity",
            .word(["full", "partial", "unavailable"]),
            "How much of what happens beside comments can be read."
        ),
        .required("resourceStateEvents", .boolean, "Whether closing, reopening and merging have lists of their own."),
        .required("globalEvents", .boolean, "Whether a project's feed can stand in for an item's lists."),
        .required("rateLimitHeaders", .boolean, "Whether answers tell how many requests are left."),
    ]

    /// What a registration answers.
    static let registeredSession = APISchema.object([
        .required("token", .opaque, "The session, to be sent as `Authorization: Bearer`."),
        .required("refreshToken", .opaque, "Gives the session new tokens once, before `token` ends or after."),
        .required("userId", .id, "The account's id on this server."),
        .required("gitlabUserId", .number(), "The person's id in GitLab."),
        .optional("gitlabVersion", .text(), "GitLab's version; absent when it does not tell."),
        .required("capabilities", .object(capabilities), "What this GitLab offers; asked again as it changes."),
        .required("expiresAt", .instant, "When the session ends."),
    ])
}
