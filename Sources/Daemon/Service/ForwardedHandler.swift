import HTTP

/// Takes the client's address from the proxy in front: the last of `X-Forwarded-For`, which the nearest proxy has put there. What
/// stands before it is what clients say of themselves, and counts for nothing.
struct ForwardedHandler: HTTPHandler {
    /// More than any address has.
    private static let limitBytes = 64
    let handler: any HTTPHandler

    func handle(_ request: HTTPRequest, from peer: HTTPPeer) async -> HTTPResponse {
        var peer = peer
        if let address = Self.address(request.fields) { peer.address = address }
        return await handler.handle(request, from: peer)
    }

    func refuse(_ refusal: HTTPRefusal) -> HTTPResponse { handler.refuse(refusal) }

    /// Nil when no proxy has said anything.
    private static func address(_ fields: HTTPFields) -> String? {
        let name = "x-forwarded-for"
        guard let field = fields.fields.last(where: { $0.name.lowercased() == name }),
            let last = field.value.split(separator: ",", omittingEmptySubsequences: false).last
        else { return nil }
        let address = plain(last.filter { $0 != " " })
        return (1...limitBytes).contains(address.utf8.count) ? address : nil
    }

    /// Without the brackets and the port that some proxies add: with another port for each connection nobody would ever be known again.
    private static func plain(_ text: String) -> String {
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") { return String(text[..<end].dropFirst()) }
        guard let colon = text.lastIndex(of: ":"), IPAddress(text[..<colon])?.isIPv4 == true else { return text }
        return String(text[..<colon])
    }
}
