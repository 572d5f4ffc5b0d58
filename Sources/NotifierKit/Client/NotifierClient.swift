#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The server's REST API, route by route, for one sign-in of one device.
///
/// Each call sends one request and gives its answer or a ``NotifierError``. Only a session whose time is over is dealt with here: it is
/// refreshed once for all calls that need it, and each is sent once more. Everything else, such as trying again later, is the caller's.
/// Cancelling the task ends the wait with an error of kind `cancelled`; the server may have acted.
public struct NotifierClient: Sendable {
    private let transport: any Transport
    private let session: SessionKeeper
    /// What the server may know of this program: a name and a version.
    private let userAgent: String

    /// - Parameters:
    ///   - transport: what sends.
    ///   - credentials: where the sign-in is kept.
    ///   - tasks: what a refresh runs in.
    ///   - userAgent: a name and a version, such as `NotifierApp/1.0`.
    public init(
        transport: any Transport,
        credentials: CredentialStore,
        tasks: TaskStarter,
        userAgent: String = "NotifierKit"
    ) {
        self.transport = transport
        self.userAgent = userAgent
        session = SessionKeeper(store: credentials, tasks: tasks)
    }

    /// What this device is signed in with; nil when nobody is, or when another process has signed somebody else in since this one began.
    ///
    /// - Throws: an error of kind `storage` while that cannot be read.
    public func credentials() async throws(NotifierError) -> Credentials? {
        try await session.credentialsIfAny()
    }

    /// Forgets the sign-in on this device. The session lives on at the server until its time is over; ``removeCurrentDevice()`` or
    /// ``revokeAllSessions()`` end it there.
    public func forgetCredentials() async throws(NotifierError) {
        try await session.forget()
    }

    /// Works from now on for whoever is signed in on this device. A client works for one sign-in, as do the managers and stores above it; call
    /// this where another process has signed in and has seen to the stores.
    public func followSignIn() async { await session.follow() }

    func take(_ credentials: Credentials) async throws(NotifierError) {
        try await session.take(credentials)
    }

    /// Changes something about the sign-in.
    func amend(_ change: @Sendable (inout Credentials) -> Void) async throws(NotifierError) {
        try await session.amend(change)
    }

    /// The same, for work that must have ended after `budget`: each exchange has what is left of it, and none begins behind it. A refresh
    /// of the session has its own time, as it must not be cut off half-way.
    func within(_ budget: Duration, _ clock: any KitClock) -> NotifierClient {
        NotifierClient(transport: DeadlineTransport(transport, budget, clock), session, userAgent)
    }

    private init(transport: any Transport, _ session: SessionKeeper, _ userAgent: String) {
        (self.transport, self.session, self.userAgent) = (transport, session, userAgent)
    }

    // MARK: Sending

    /// What has no body.
    struct NoBody: Encodable, Sendable {}

    /// The answer's value.
    func value<Answer: Decodable & Sendable>(
        _ operation: Operation,
        _ values: String...,
        query: [QueryItem] = [],
        body: (some Encodable & Sendable)? = NoBody?.none
    ) async throws(NotifierError) -> Answer {
        let response = try await authorized(
            operation,
            operation.target(values, query),
            body.map { WireCoding.encode($0) }
        )
        return try Self.decode(response)
    }

    /// An answer whose value nobody needs.
    func done(
        _ operation: Operation,
        _ values: String...,
        query: [QueryItem] = [],
        body: (some Encodable & Sendable)? = NoBody?.none
    ) async throws(NotifierError) {
        _ = try await authorized(operation, operation.target(values, query), body.map { WireCoding.encode($0) })
    }

    static func decode<Answer: Decodable>(_ response: TransportResponse) throws(NotifierError) -> Answer {
        do {
            return try WireCoding.decode(Answer.self, response.body)
        } catch {
            throw .unreadable("The answer is not what this API gives.", status: response.status)
        }
    }

    /// A success, or 304 where `fields` asked for it; with new tokens when the former ones have ended.
    func authorized(
        _ operation: Operation,
        _ target: String,
        _ body: Data?,
        fields: [HeaderField] = []
    ) async throws(NotifierError) -> TransportResponse {
        let used = try await session.credentials()
        let response: TransportResponse
        do {
            response = try await exchange(operation, target, body, fields, on: used.server, token: used.token)
        } catch let error where error.kind == .signedOut {
            let fresh = try await session.refreshed(after: used) { credentials async throws(NotifierError) in
                try await refresh(credentials)
            }
            response = try await exchange(operation, target, body, fields, on: fresh.server, token: fresh.token)
        }
        // What is the former person's must not come to the next.
        guard await session.isCurrent(used) else { throw .signInEnded }
        return response
    }

    /// A request that needs no session.
    func open(
        _ operation: Operation,
        on server: ServerAddress,
        body: (some Encodable & Sendable)? = NoBody?.none
    ) async throws(NotifierError) -> TransportResponse {
        let data = body.map { WireCoding.encode($0) }
        return try await exchange(operation, operation.target([], []), data, [], on: server, token: nil)
    }

    private func exchange(
        _ operation: Operation,
        _ target: String,
        _ body: Data?,
        _ fields: [HeaderField],
        on server: ServerAddress,
        token: String?
    ) async throws(NotifierError) -> TransportResponse {
        var request = TransportRequest(
            method: operation.route.method,
            server: server,
            target: target,
            fields: fields + [HeaderField("User-Agent", userAgent), HeaderField("Accept", "application/json")],
            timeout: operation.timeout,
            responseLimitBytes: operation.responseLimitBytes
        )
        if let token { request.fields.append(HeaderField("Authorization", "Bearer \(token)")) }
        if let body {
            request.body = body
            request.fields.append(HeaderField("Content-Type", "application/json"))
        }
        let response: TransportResponse
        do { response = try await transport.send(request) } catch { throw NotifierError(error, to: server) }
        guard (200..<300).contains(response.status) || response.status == 304 && !fields.isEmpty else {
            throw NotifierError(refusal: response, from: server)
        }
        return response
    }
}
