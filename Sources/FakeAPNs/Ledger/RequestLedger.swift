package import HTTP
package import Platform

/// One request and what it was answered, whether or not the answer arrived.
package struct RequestRecord: Sendable, Equatable {
    /// Rising by one, beginning with 0.
    package let sequence: Int64
    /// By the fake's clock.
    package let at: WallTime
    package let peer: HTTPPeer
    /// Nil when no answer was formed: the request was swallowed or refused before it was read.
    package let status: Int?
    /// The reason as sent; nil on success and in answers without one.
    package let reason: String?
    /// As answered; as sent where no answer was formed.
    package let apnsID: String?
    /// What followed `/3/device/`, in lower case when it is a token.
    package let deviceToken: String?
    /// The accepted push.
    package let push: PushID?
    /// The fault that shaped the answer.
    package let faultID: String?
}

/// The newest requests; the older ones live on in the counters.
struct RequestLedger {
    private(set) var entries: [RequestRecord] = []
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    mutating func append(_ record: RequestRecord) {
        if entries.count >= limit + limit / 4 + 1 { entries.removeFirst(entries.count - limit) }
        entries.append(record)
    }
}
