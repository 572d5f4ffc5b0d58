/// A goodbye in two steps: GOAWAY that lets everything under way arrive, a PING, and behind its answer GOAWAY that names the last
/// stream (RFC 9113 §6.8).
struct HTTP2Farewell {
    /// What the last GOAWAY will say; nil while nobody says goodbye.
    private var data: [UInt8]?
    private var hasPinged = false

    /// False when the goodbye is under way already.
    mutating func begin(_ data: [UInt8]) -> Bool {
        guard self.data == nil else { return false }
        self.data = data
        return true
    }

    /// A GOAWAY has left; true when the PING is to follow. Not before, since nghttp2 lets a PING overtake.
    mutating func goAwaySent() -> Bool {
        guard data != nil, !hasPinged else { return false }
        hasPinged = true
        return true
    }

    /// What the last GOAWAY says, now that the client has answered a PING; nil when it is not its turn.
    var last: [UInt8]? { hasPinged ? data : nil }
}
