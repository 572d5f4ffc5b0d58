package import HTTP
import Platform

/// Serves a responder, such as one of the fakes, where a handler is asked for.
///
/// A handler can only answer whole: an answer that its responder wants cut, reset or withheld is answered with 500 and the reason
/// in `X-Not-Imitated`, rather than as if nothing were wrong.
package struct ResponderHandler: HTTPHandler {
    private let responder: any HTTPResponder

    package init(_ responder: any HTTPResponder) {
        self.responder = responder
    }

    package func handle(_ request: HTTPRequest, from peer: HTTPPeer) async -> HTTPResponse {
        var reply = responder.respond(to: request, from: peer)
        guard reply.travel == .whole else {
            return HTTPResponse(status: 500, fields: ["X-Not-Imitated": "\(reply.travel)"])
        }
        // Cancelled only when the server ends, and then nobody waits for the answer.
        if reply.serviceTime > .zero { try? await LiveTime().sleep(for: reply.serviceTime) }
        if reply.closesConnection { reply.response.fields["Connection"] = "close" }
        return reply.response
    }
}
