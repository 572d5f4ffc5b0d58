import HTTP
import Platform
import SQLite

extension RESTAPI {
    /// Who the request's session names.
    ///
    /// - Throws: `APIError.sessionMissing`, `sessionInvalid`, `sessionExpired`; `deviceSessionMissing` on a route for devices.
    func caller(of request: HTTPRequest, on route: APIRoute) async throws -> APICall.Caller {
        guard let field = request.fields["authorization"] else { throw APIError.sessionMissing }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw APIError.sessionMissing }
        let claims = try context.sessions.tokens.verify(parts[1], at: context.time.wallNow)
        guard let caller = try await context.store.read({ try $0.caller(claims) }) else {
            throw APIError.sessionInvalid
        }
        if !caller.session.isConfirmed, caller.session.rotation == claims.rotation {
            do {
                try await context.store.transaction { try $0.confirm(caller.session) }
            } catch let error as SQLiteError where error.storeTrouble != nil {
                // The next request confirms it. A disk that is full must not keep people from what they may read.
            }
        }
        guard route.access != .device || caller.session.device != nil else { throw APIError.deviceSessionMissing }
        return caller
    }
}

extension Store {
    /// The live session that an access token speaks of, with its account. A token for a device that its session does not belong to
    /// is none.
    fileprivate func caller(_ claims: SessionClaims) throws -> APICall.Caller? {
        guard let session = try session(publicID: claims.session), session.generation == claims.generation,
            claims.device == nil || claims.device == session.device?.publicID,
            let account = try account(session.account), account.publicID == claims.account
        else { return nil }
        return APICall.Caller(account: account, session: session)
    }
}
