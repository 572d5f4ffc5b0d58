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
    /// Whether the server was away since data was last fetched, or that failed: what waits on this device has to be sent, whatever the versions say.
    private var wasAway = false
    /// How often data alone has failed since it last came, as when the server cannot do now what was chosen here.
    private var dataFailures = 0
    /// How much is left of the pause that it has then.
    private var dataPause = Duration.zero
    /// What the server's version was when it failed.
    private var failedDataVersion: UInt64?

    /// Begins empty.
    public init() {}

    /// The server has answered.
    ///
    /// - Parameters:
    ///   - ping: what it said.
    ///   - isWaiting: whether something waits on this device to be sent, which goes with data.
    /// - Returns: what is to be fetched, or how long to wait.
    public func answered(_ ping: Ping, isWaiting: Bool = false) -> Step {
        let isDue = ping.dataVersion != dataVersion || wasAway || isWaiting
        // What has changed since data failed is fetched at once; it may also be that a part of what waited was taken.
        let mayTry = dataPause <= .zero || ping.dataVersion != failedDataVersion
        let fetch = Fetch(
            notifications: ping.notificationVersion != notificationVersion,
            data: isDue && mayTry
        )
        return fetch.isNothing ? .pause(Self.interval) : .fetch(fetch)
    }

    /// What was to be fetched because of `ping` has arrived; only this is remembered.
    public mutating func fetched(_ fetch: Fetch, because ping: Ping) {
        if fetch.notifications { notificationVersion = ping.notificationVersion }
        guard fetch.data else { return }
        (dataVersion, wasAway) = (ping.dataVersion, false)
        (dataFailures, dataPause, failedDataVersion) = (0, .zero, nil)
    }

    /// Data could not be fetched, or not all that waits here could be sent, though the server answers: it has a pause of its own,
    /// and nothing else waits for it.
    ///
    /// - Parameters:
    ///   - ping: because of which it was tried.
    ///   - chance: a number in `0..<1`.
    public mutating func dataFailed(because ping: Ping, chance: Double) {
        (dataFailures, wasAway) = (min(dataFailures + 1, 16), true)
        (dataPause, failedDataVersion) = (Self.pause(after: dataFailures, chance), ping.dataVersion)
    }

    /// The app begins to ask, as when the person opens it: what failed before keeps no data waiting.
    public mutating func begun() { dataPause = .zero }

    /// This device has no network.
    public mutating func lostNetwork() { (wasAway, dataPause) = (true, .zero) }

    /// A round without a failure has ended.
    public mutating func succeeded() -> Duration {
        failures = 0
        dataPause = max(dataPause - Self.interval, .zero)
        return Self.interval
    }

    /// A question or a fetch of notifications has failed, or the server asks to wait. Pauses double up to ``longestPause`` and are drawn from
    /// their upper half, so that devices that lost the same server do not come back together.
    ///
    /// - Parameters:
    ///   - retryAfter: how long the server asks to wait.
    ///   - chance: a number in `0..<1`.
    /// - Returns: how long to wait.
    public mutating func failed(retryAfter: Duration?, chance: Double) -> Duration {
        failures = min(failures + 1, 16)
        (wasAway, dataPause) = (true, .zero)
        return min(max(Self.pause(after: failures, chance), retryAfter ?? .zero), Self.longestPause)
    }

    private static func pause(after failures: Int, _ chance: Double) -> Duration {
        let seconds = 10.0 * Double(1 << min(failures, 5))
        return min(.milliseconds(Int64(seconds * (0.5 + chance / 2) * 1_000)), longestPause)
    }
}
