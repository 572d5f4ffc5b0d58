import HTTP

/// One request on its way through the checks, with what they found so far.
struct Exchange {
    static let pathPrefix = "/3/device/"

    let request: HTTPRequest
    let peer: HTTPPeer
    let now: ClockReading
    let connection: Connection
    let headers: PushHeaders
    /// What follows `/3/device/`; empty when the path is another.
    let lastSegment: Substring
    /// How long the connection has no free stream.
    var wait: Duration = .zero
    var faults = FaultTable.Effect()

    var key: ProviderKey?
    var type: PushType?
    var bundleID: String?
    var expiration = PushExpiration.byPolicy
    var priority = PushPriority.immediate
    var summary: PayloadSummary?
    var token: DeviceToken?
    var standing: TokenStanding?

    init(_ request: HTTPRequest, _ peer: HTTPPeer, _ now: ClockReading, connection: Connection) {
        self.request = request
        self.peer = peer
        self.now = now
        self.connection = connection
        headers = PushHeaders(request.fields)
        let target = request.target
        lastSegment = target.hasPrefix(Self.pathPrefix) ? target.dropFirst(Self.pathPrefix.utf8.count) : ""
    }

    /// The size of the header list as RFC 9113 §6.5.2 counts it: 32 bytes for each entry beside its name and value.
    var headerListBytes: Int {
        let origin = request.origin.description
        let pseudo = ":method".utf8.count + ":scheme".utf8.count + ":authority".utf8.count + ":path".utf8.count
        // The origin holds scheme and authority, with `://` between them.
        return headers.byteCount + pseudo + request.method.rawValue.utf8.count + origin.utf8.count - 3
            + request.target.utf8.count + 32 * (headers.lineCount + 4)
    }

    /// The push, once every check has passed.
    var draft: PushDraft? {
        guard let token, let topic = headers.topic, let bundleID, let type, let summary, let standing else {
            return nil
        }
        return PushDraft(
            apnsID: "",
            token: token,
            topic: topic,
            bundleID: bundleID,
            environment: standing.environment,
            type: type,
            priority: priority,
            expiration: expiration,
            collapseID: headers.collapseID,
            payload: request.body,
            hasAlert: summary.hasAlert
        )
    }
}
