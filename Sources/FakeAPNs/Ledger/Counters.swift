/// Totals since the start (APNs facts §16.23, as far as a handler sees them).
package struct Counters: Sendable, Equatable {
    /// How often an answer was given, named as it was sent.
    package struct Answer: Sendable, Hashable, Comparable {
        package let status: Int
        /// Empty on success and in answers without a reason.
        package let reason: String

        package init(status: Int, reason: String = "") {
            self.status = status
            self.reason = reason
        }

        package static func < (left: Answer, right: Answer) -> Bool {
            (left.status, left.reason) < (right.status, right.reason)
        }
    }

    /// Every request, answered or not.
    package internal(set) var requests: Int64 = 0
    /// Answered 200, whether or not the answer arrived.
    package internal(set) var accepted: Int64 = 0
    /// Connections seen for the first time.
    package internal(set) var connectionsOpened: Int64 = 0
    /// Connections the fake closed behind an answer.
    package internal(set) var connectionsClosed: Int64 = 0
    /// Connections turned away because their client opened too many.
    package internal(set) var refusedConnections: Int64 = 0
    /// Requests that came while their connection had no free stream.
    package internal(set) var refusedStreams: Int64 = 0
    /// The most requests open at once on one connection.
    package internal(set) var peakStreams = 0
    /// Provider tokens verified: the distinct ones, and again those seen before a key was registered or revoked.
    package internal(set) var providerTokens: Int64 = 0
    /// Accepted requests whose `apns-id` and device token came before.
    package internal(set) var repeatedMessageIDs: Int64 = 0
    /// Names and values of all header fields, uncompressed.
    package internal(set) var headerBytes: Int64 = 0
    /// Request bodies.
    package internal(set) var bodyBytes: Int64 = 0
    /// Requests a fault shaped or swallowed.
    package internal(set) var faulted: Int64 = 0

    var tally: [Answer: Int64] = [:]

    /// Answers by status and reason, in that order.
    package var answers: [(answer: Answer, count: Int64)] {
        tally.sorted { $0.key < $1.key }.map { (answer: $0.key, count: $0.value) }
    }

    /// How often `answer` was given.
    package func count(_ answer: Answer) -> Int64 { tally[answer] ?? 0 }

    /// How often the reason was given with its documented status.
    package func count(_ reason: Reason) -> Int64 {
        count(Answer(status: reason.status, reason: reason.rawValue))
    }
}
