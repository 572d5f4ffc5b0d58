/// A goodbye that waits until no answer is under way. Clients built on Python's `h2` take no frame of an answer behind GOAWAY, and
/// APNs has not been seen to send one: the answer whole, then GOAWAY, and no PING (supplement §6).
struct HTTP2Farewell {
    /// What GOAWAY says beside the last stream.
    var data: [UInt8] = []
    /// How many GOAWAY frames say it; those behind the first say nothing more.
    var count = 1
    /// Whether requests that nobody has answered yet are waited for, too.
    var awaitsRequests = false
    /// True once it has been said.
    var isSaid = false
}
