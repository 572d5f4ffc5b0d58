/// When the server is asked whether anything is new, and what is fetched then.
///
/// A version is remembered only once the fetch it led to has succeeded. Remembering it before would lose the wake-up with the fetch: the
/// next answer would look as if nothing had happened.
public struct VersionPolicy: Sendable, Equatable {
    /// Time between two questions while all is well.
    public static let interval = Duration.seconds(10)
    /// Time between two questions when nothing answers for long; also the longest pause of a server that asks for one.
    public static let longestPause = Duration.seconds(300)

    /// What to fetch.
    public struct Fetch: Sendable, Equatable {
        /// What is new of notifications.
        public var notifications: Bool
        /// Read marks, watch list and the rest.
        public var data: Bool

        /// A value of these members.
        public init(notifications: Bool, data: Bool) {
            (self.notifications, self.data) = (notifications, data)
        }

        var isNothing: Bool { !notifications && !data }
    }

    /// What follows from an answer.
    public enum Step: Sendable, Equatable {
        case fetch(Fetch)
        /// Ask again after this time.
        case pause(Duration)
    }

    private var notificationVersion: UInt64?
    private var dataVersion: UInt64?
    /// How often something has failed since the last success.
    private var failures = 0
    /// Whether the server was away since data was last fetched: what waits on this device has to be sent, whatever the versions say.
    private var wasAway = false

    /// Begins empty.
    public init() {}

    /// The server has answered.
    public func answered(_ ping: Ping) -> Step {
        let fetch = Fetch(
            notifications: ping.notificationVersion != notificationVersion,
            data: ping.dataVersion != dataVersion || wasAway
        )
        return fetch.isNothing ? .pause(Self.interval) : .fetch(fetch)
    }

    /// What was to be fetched because of `ping` has arrived; only this is remembered.
    public mutating func fetched(_ fetch: Fetch, because ping: Ping) {
        if fetch.notifications { notificationVersion = ping.notificationVersion }
        if fetch.data { (dataVersion, wasAway) = (ping.dataVersion, false) }
    }

    /// This device has no network.
    public mutating func lostNetwork() { wasAway = true }

    /// A round without a failure has ended.
    public mutating func succeeded() -> Duration {
        failures = 0
        return Self.interval
    }

    /// A question or a fetch has failed. Pauses double up to ``longestPause`` and are drawn from their upper half, so that devices that
    /// lost the same server do not come back together.
    ///
    /// - Parameters:
    ///   - retryAfter: how long the server asks to wait.
    ///   - chance: a number in `0..<1`.
    /// - Returns: how long to wait.
    public mutating func failed(retryAfter: Duration?, chance: Double) -> Duration {
        failures = min(failures + 1, 16)
        wasAway = true
        let seconds = 10.0 * Double(1 << min(failures, 5))
        let drawn = Duration.milliseconds(Int64(seconds * (0.5 + chance / 2) * 1_000))
        return min(max(drawn, retryAfter ?? .zero), Self.longestPause)
    }
}
