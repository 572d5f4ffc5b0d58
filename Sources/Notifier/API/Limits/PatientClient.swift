import HTTP
import Platform

/// Asks for one request of an app: no longer than until its deadline, and no longer than the app waits.
///
/// The renewal of an access token does not come this way: GitLab may have ended the old one when the answer is given up, so nobody who
/// hangs up can end somebody's grant.
struct PatientClient: HTTPClient {
    let http: any HTTPClient
    let time: any TimeSource
    let deadline: MonotonicInstant
    /// Nil where nobody can hang up.
    let presence: HTTPPresence?

    func send(_ request: HTTPRequest, options: HTTPSendOptions) async -> HTTPOutcome {
        let left = time.monotonicNow.duration(to: deadline)
        guard left > .zero, presence?.isGone != true else { return .notSent(.timedOut) }
        var limited = options
        limited.totalTimeout = min(options.totalTimeout, left)
        limited.connectTimeout = min(options.connectTimeout, left)
        guard let presence else { return await http.send(request, options: limited) }
        return await presence.during { [http, limited] in await http.send(request, options: limited) }
    }
}
