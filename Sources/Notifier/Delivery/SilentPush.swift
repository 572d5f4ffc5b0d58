import Configuration
import Platform

/// A push without a word, that lets a device fetch what the person has changed on another one (APNs facts §9).
///
/// It is sent once and not again, and not kept for a device that is away: what gets lost is fetched when the app is opened, and at the
/// next change there is another one.
struct SilentPush: Equatable, Sendable {
    var device: DeviceID
    var account: AccountID
    var deviceToken: SealedDeviceToken
    var environment: PushEnvironment
    /// When the device was last registered, as the row said when it was claimed.
    var registeredAt: WallTime
    /// When it was claimed.
    var claimedAt: WallTime

    /// Nothing in `aps` that a person would notice.
    static let payload = Array(#"{"aps":{"content-available":1},"data":{"type":"sync"}}"#.utf8)
    /// The newest takes the place of one that did not arrive.
    static let collapseID = "sync"
}

/// When a device gets a silent push.
struct SilentPushPolicy: Equatable, Sendable {
    /// A person who changes one thing often changes another: one push tells of both.
    static let settling: Duration = .seconds(30)

    /// The least time between two pushes to one device.
    let interval: Duration

    init(_ configuration: NotifierConfiguration) { interval = configuration.silentPushInterval }

    /// None is planned for later.
    var longestWait: Duration { max(Self.settling, interval) }

    /// When the push is due that tells of a change.
    ///
    /// - Parameters:
    ///   - now: when another device changed something.
    ///   - planned: when the push is due already; nil when none is.
    ///   - sentAt: when the last one was sent; nil when none was.
    /// - Returns: The instant, never earlier than ``interval`` behind the last one, also when the clock was set back since.
    func due(changedAt now: WallTime, planned: WallTime?, sentAt: WallTime?) -> WallTime {
        let latest = now.advanced(by: longestWait)
        if let planned, planned <= latest { return planned }
        let settled = now.advanced(by: Self.settling)
        guard let sentAt else { return settled }
        return min(max(settled, sentAt.advanced(by: interval)), latest)
    }
}
