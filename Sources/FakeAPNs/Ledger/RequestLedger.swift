import HTTP
import Platform

/// One request and what it was answered, whether or not the answer arrived.
struct RequestRecord: Sendable, Equatable {
    /// Rising by one, beginning with 0.
    let sequence: Int64
    /// By the fake's clock.
    let at: WallTime
    let peer: HTTPPeer
    /// Nil when no answer was formed: the request was swallowed or refused before it was read.
    let status: Int?
    /// The reason as sent; nil on success and in answers without one.
    let reason: String?
    /// As answered; as sent where no answer was formed.
    let apnsID: String?
    /// What followed `/3/device/`, in lower case when it is a token.
    let deviceToken: String?
    /// The accepted push.
    let push: PushID?
    /// The fault that shaped the answer.
    let faultID: String?
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
