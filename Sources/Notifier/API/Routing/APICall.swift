import HTTP
import Platform

/// One request on its way to a route's answer.
struct APICall: Sendable {
    let request: HTTPRequest
    let peer: HTTPPeer
    /// The session that asks.
    ///
    /// - Throws: `APIError.sessionMissing` on a route that anybody may ask.
    var session: Session {
        get throws(APIError) {
            guard let caller else { throw .sessionMissing }
            return caller.session
        }
    }

    /// What stands for the names in the route's path, percent-decoded, by name.
    let parameters: [String: String]
    /// Nil on routes that anybody may ask, and on those for programs.
    let caller: Caller?
    /// Nil on all routes but those for programs.
    let signalToken: SignalToken?

    /// Whose request it is.
    struct Caller: Sendable {
        var account: Account
        var session: Session
    }

    /// Who asks.
    ///
    /// - Throws: `APIError.sessionMissing` on a route that anybody may ask.
    var known: Caller {
        get throws(APIError) {
            guard let caller else { throw .sessionMissing }
            return caller
        }
    }

    /// The account that asks.
    ///
    /// - Throws: `APIError.sessionMissing` on a route that anybody may ask.
    var account: Account {
        get throws(APIError) {
            guard let caller else { throw .sessionMissing }
            return caller.account
        }
    }

    /// What stands in a stamp for the device that asks: its id or, where the session belongs to none, the session's.
    ///
    /// - Throws: `APIError.sessionMissing` on a route that anybody may ask.
    var origin: String {
        get throws(APIError) {
            let session = try session
            return session.device?.publicID ?? session.publicID
        }
    }

    /// The stamp of a choice that this request alone makes at `changedAt`, which must not lie in the future.
    ///
    /// - Throws: `APIError.sessionMissing` on a route that anybody may ask.
    func stamp(_ changedAt: WallTime) throws(APIError) -> ChangeStamp {
        MergePolicy.stamp(chosenAt: changedAt, device: try origin, receivedAt: changedAt)
    }

    /// The program that asks.
    ///
    /// - Throws: `APIError.signalTokenInvalid` on a route that is not for programs.
    var program: SignalToken {
        get throws(APIError) {
            guard let signalToken else { throw .signalTokenInvalid }
            return signalToken
        }
    }

    /// What stands for `name` in the path.
    func parameter(_ name: String) -> String {
        guard let value = parameters[name] else { preconditionFailure("the route's path has no \(name)") }
        return value
    }
}
