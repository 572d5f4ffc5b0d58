import HTTP
import Platform

extension HTTPResponder {
    /// Answers, and lets the time pass that the service would take.
    func reply(to request: HTTPRequest, from peer: HTTPPeer) async -> SentResponse {
        let reply = respond(to: request, from: peer)
        // Cancelled only when the server ends, and then nobody waits for the answer.
        if reply.serviceTime > .zero { try? await LiveTime().sleep(for: reply.serviceTime) }
        return reply
    }
}
