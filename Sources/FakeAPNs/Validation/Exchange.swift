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
