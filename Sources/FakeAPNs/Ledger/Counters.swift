/// Totals since the start (APNs facts §16.23, as far as a handler sees them).
struct Counters: Sendable, Equatable {
    /// How often an answer was given, named as it was sent.
    struct Response: Sendable, Hashable, Comparable {
        let status: Int
        /// Empty on success and in answers without a reason.
        let reason: String

        init(status: Int, reason: String = "") {
            self.status = status
            self.reason = reason
        }

        static func < (left: Response, right: Response) -> Bool {
            (left.status, left.reason) < (right.status, right.reason)
        }
    }

    /// Every request, answered or not.
    var requests: Int64 = 0
    /// Answered 200, whether or not the answer arrived.
    var accepted: Int64 = 0
    /// Connections seen for the first time.
    var connectionsOpened: Int64 = 0
    /// Connections the fake closed behind an answer.
    var connectionsClosed: Int64 = 0
    /// Connections turned away because their client opened too many.
    var refusedConnections: Int64 = 0
    /// Requests that came while their connection had no free stream.
    var refusedStreams: Int64 = 0
    /// The most requests open at once on one connection.
    var peakStreams = 0
    /// Provider tokens verified: the distinct ones, and again those seen before a key was registered or revoked.
    var providerTokens: Int64 = 0
    /// Accepted requests whose `apns-id` and device token came before.
    var repeatedMessageIDs: Int64 = 0
    /// Names and values of all header fields, uncompressed.
    var headerBytes: Int64 = 0
    /// Request bodies.
    var bodyBytes: Int64 = 0
    /// Requests a fault shaped or swallowed.
    var faulted: Int64 = 0

    var tally: [Response: Int64] = [:]

    /// Answers by status and reason, in that order.
    var answers: [(answer: Response, count: Int64)] {
        tally.sorted { $0.key < $1.key }.map { (answer: $0.key, count: $0.value) }
    }

    /// How often `answer` was given.
    func count(_ answer: Response) -> Int64 { tally[answer] ?? 0 }

    /// How often the reason was given with its documented status.
    func count(_ reason: Reason) -> Int64 {
        count(Response(status: reason.status, reason: reason.rawValue))
    }
}
