import HTTP
import Platform

/// One authorised request on its way to an answer.
struct Call {
    let route: Route
    let request: HTTPRequest
    var parameters: Parameters
    /// Who asks.
    let reader: Int
    let token: Token
    let now: WallTime
    /// Whose state the reader is shown: earlier than `now` on a lagging replica.
    let instant: WallTime

    /// The path as sent, for `Link`.
    var path: Substring { request.path }
}

/// What a handler makes of a call.
struct RouteResponse {
    var status = 200
    var body: [UInt8]
    var page: PageInfo?
    /// What the page is made from; nil when it is not worth keeping.
    var source: PageSource?

    static var noContent: RouteResponse { RouteResponse(status: 204, body: []) }
    static var notModified: RouteResponse { RouteResponse(status: 304, body: []) }
}
