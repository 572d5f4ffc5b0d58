/// What happened to one activity for one person, or one notification nobody expected. Instants are nanoseconds since the
/// start, so that the parts add up exactly.
package struct LedgerLine: Codable, Sendable, Equatable {
    /// One push request.
    struct Attempt: Codable, Sendable, Equatable {
        var atNanoseconds: Int64
        var device: String?
        var apnsID: String
        var status: Int
        var reason: String?
        var answerLost: Bool?
        var fault: String?
        var notification: String?
    }

    /// One event on a device.
    struct DeviceEvent: Codable, Sendable, Equatable {
        var atNanoseconds: Int64
        var device: String
        var event: String
        var cause: String?
        var apnsID: String
    }

    package var seed: UInt64
    /// What is wrong with it: `missed`, `duplicate`, `unexpected`, `late`; empty when nothing is.
    var abnormal: [String] = []
    /// Nil for an unexpected notification.
    package var activity: Int?
    var kind: String?
    var actor: String?
    var item: String?
    var itemTitle: String?
    package var person: String
    /// `expected`, `optional`, `not-for-them` or, without an activity, `unexpected`.
    package var standing: String
    var reason: String?
    var reasonSentence: String?
    var keys: [String]
    var atNanoseconds: Int64
    var readableNanoseconds: Int64?
    /// Past outages, dead tokens and downtimes as well.
    var pollableNanoseconds: Int64?
    var goneNanoseconds: Int64?
    var notifications: [String] = []
    var enqueuedNanoseconds: Int64?
    var attempts: [Attempt] = []
    var acceptedNanoseconds: Int64?
    var deviceEvents: [DeviceEvent] = []
    var displayedNanoseconds: Int64?
    var caughtUpNanoseconds: Int64?
    package var knownNanoseconds: Int64?
    var latencyNanoseconds: Int64?
    var excessLatencyNanoseconds: Int64?
    /// Owners with a part of the latency.
    var owners: [String: Int64]?
    /// Faults in force between the activity and the end of its way.
    var faults: [String] = []
    var cause: String?
    var causeSentence: String?
}
