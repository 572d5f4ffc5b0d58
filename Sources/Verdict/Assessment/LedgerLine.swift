/// What happened to one activity for one person, or one notification nobody expected. Instants are nanoseconds since the
/// start, so that the parts add up exactly.
package struct LedgerLine: Codable, Sendable, Equatable {
    /// One push request.
    package struct Attempt: Codable, Sendable, Equatable {
        package var atNanoseconds: Int64
        package var device: String?
        package var apnsID: String
        package var status: Int
        package var reason: String?
        package var answerLost: Bool?
        package var fault: String?
        package var notification: String?
    }

    /// One event on a device.
    package struct DeviceEvent: Codable, Sendable, Equatable {
        package var atNanoseconds: Int64
        package var device: String
        package var event: String
        package var cause: String?
        package var apnsID: String
    }

    package var seed: UInt64
    /// What is wrong with it: `missed`, `duplicate`, `unexpected`, `late`; empty when nothing is.
    package var abnormal: [String] = []
    /// Nil for an unexpected notification.
    package var activity: Int?
    package var kind: String?
    package var actor: String?
    package var item: String?
    package var itemTitle: String?
    package var person: String
    /// `expected`, `optional`, `not-for-them`; without an activity `unexpected`; of a reminder `reminder`.
    package var standing: String
    package var reason: String?
    package var reasonSentence: String?
    package var keys: [String]
    package var atNanoseconds: Int64
    package var readableNanoseconds: Int64?
    /// Past outages, dead tokens and downtimes as well; nil where they do not end.
    package var pollableNanoseconds: Int64?
    package var goneNanoseconds: Int64?
    package var notifications: [String] = []
    /// When GitLab was last asked before the notifier knew of it.
    package var polledNanoseconds: Int64?
    /// When it was put by for the end of quiet hours.
    package var heldNanoseconds: Int64?
    package var enqueuedNanoseconds: Int64?
    package var attempts: [Attempt] = []
    package var acceptedNanoseconds: Int64?
    package var deviceEvents: [DeviceEvent] = []
    package var displayedNanoseconds: Int64?
    package var caughtUpNanoseconds: Int64?
    package var knownNanoseconds: Int64?
    package var latencyNanoseconds: Int64?
    package var excessLatencyNanoseconds: Int64?
    /// Owners with a part of the latency.
    package var owners: [String: Int64]?
    /// Faults in force between the activity and the end of its way.
    package var faults: [String] = []
    package var cause: String?
    package var causeSentence: String?
}
