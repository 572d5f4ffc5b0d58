/// A field of the notifier's log that the verdict reads; of an entry, a record keeps no other.
enum LogField: String, CaseIterable {
    case notificationID = "notification.id"
    /// The facts the entry is about, with commas between them.
    case facts
    /// How many devices a notification goes to.
    case deliveries
    case deliveryID = "delivery.id"
    case apnsID = "apns.id"
    /// How the notifier numbers the device that a delivery goes to.
    case deviceID = "device.id"
    /// Why a delivery was given up.
    case reason
    case accountID = "account.id"
    case account
    case person
    case username
    case waitMilliseconds = "wait.ms"
    case delayMilliseconds = "delay.ms"
    case pollRetryMilliseconds = "poll.retry_after_ms"
    case retryMilliseconds = "retry_after.ms"
    case waitSeconds = "wait.seconds"
    case wait
    case delaySeconds = "delay.seconds"
    case retrySeconds = "retry_after.seconds"
    case retryAfter = "retry_after"

    /// Those that say how long will be waited.
    static let milliseconds: [LogField] = [
        .waitMilliseconds, .delayMilliseconds, .pollRetryMilliseconds, .retryMilliseconds,
    ]
    static let seconds: [LogField] = [.waitSeconds, .wait, .delaySeconds, .retrySeconds, .retryAfter]

    private static let names = Set(allCases.map(\.rawValue))

    /// Whether the verdict reads fields of that name.
    static func isRead(_ name: String) -> Bool { names.contains(name) }
}
