package import HTTP
import Platform

/// A project hook, the same for every project (GitLab facts §15.1): subscribed to comments, issues and merge requests,
/// confidential ones included.
package struct Webhook: Sendable, Hashable {
    /// Where GitLab sends to.
    package var origin: HTTPOrigin
    /// Path there.
    package var target: String
    /// Sent as `X-Gitlab-Token`; nil sends no such field.
    package var secret: String?
    /// Whether failures switch the hook off: off on a self-managed GitLab as delivered (§15.1).
    package var disablesItself = false

    package init(origin: HTTPOrigin, target: String, secret: String?, disablesItself: Bool = false) {
        self.origin = origin
        self.target = target
        self.secret = secret
        self.disablesItself = disablesItself
    }

    /// A hook to an address such as `http://127.0.0.1:9000/webhooks/gitlab`; nil for what is none.
    package init?(url: String, secret: String?) {
        guard let address = ProjectHook.split(url) else { return nil }
        self.init(origin: address.origin, target: address.target, secret: secret)
    }

    /// How long GitLab waits for an answer (§15.1).
    package static let timeout = Duration.seconds(10)
}

/// One hook that is to be sent: what happened, as a request.
package struct HookDelivery: Sendable {
    /// Position of the activity in the ledger.
    package let activity: Int
    /// `Note Hook`, `Merge Request Hook`, `Issue Hook` and the confidential ones.
    package let event: String
    package var request: HTTPRequest
    /// Which hook it belongs to; nil for the instance's own.
    package let hook: Int64?
}

/// Switches a hook off that keeps failing, by the rules of 17.11 (GitLab facts §15.1): the fourth failure in a row for a minute,
/// each further one for twice as long up to a day, the fortieth for good. One success resets.
struct WebhookHealth: Sendable, Hashable {
    private static let tolerated = 3
    private static let last = 40

    private var failures = 0
    private var disabledUntil = WallTime.distantPast

    /// Why nothing is sent.
    enum Pause: Equatable {
        case none
        case until(WallTime)
        case forGood

        /// `alert_status` (supplement §1.5).
        var wireName: String {
            switch self {
            case .none: "executable"
            case .until: "temporarily_disabled"
            case .forGood: "disabled"
            }
        }

        /// `disabled_until`.
        var end: WallTime? {
            if case .until(let instant) = self { instant } else { nil }
        }
    }

    func pause(at now: WallTime) -> Pause {
        if failures >= Self.last { return .forGood }
        return now < disabledUntil ? .until(disabledUntil) : .none
    }

    mutating func note(isSuccess: Bool, at now: WallTime) {
        guard !isSuccess else {
            self = WebhookHealth()
            return
        }
        failures += 1
        guard failures > Self.tolerated else { return }
        let doublings = min(failures - Self.tolerated - 1, 11)
        disabledUntil = now.advanced(by: min(.minutes(1 << Int64(doublings)), .hours(24)))
    }
}
