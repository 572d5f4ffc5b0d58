import HTTP
import Platform
import Scenarios

/// Holds what the notifier may do with pushes that nobody sees: they are no deliveries, and no record has them.
struct SilentPushWatch {
    /// More than Apple's systems take of one app in an hour (APNs facts §9).
    private static let hourlyLimit = 3
    /// So much longer than another one may be on its way.
    private static let travel = Duration.seconds(10)

    /// When the last ones were sent to each token, within an hour.
    private var times: [String: [Duration]] = [:]

    /// Whether a request is a silent push.
    static func isSilent(_ request: HTTPRequest) -> Bool { request.fields["apns-push-type"] == "background" }

    /// Notes one.
    ///
    /// - Parameters:
    ///   - request: one that is silent.
    ///   - now: when APNs had it.
    ///   - isToOnlyDevice: whether its person has never had another device, nor a session of another kind.
    ///   - isTimed: false where the notifier's clock is set, so that it may take less for an hour.
    /// - Returns: A sentence when it must not have been sent.
    mutating func note(_ request: HTTPRequest, at now: Duration, isToOnlyDevice: Bool, isTimed: Bool) -> String? {
        let text = String(decoding: request.body, as: UTF8.self)
        for word in ["\"alert\"", "\"badge\"", "\"sound\""] where text.contains(word) {
            return "a silent push has \(word)"
        }
        guard !isToOnlyDevice else { return "a silent push went to somebody's only device" }
        let token = request.deviceToken
        var recent = times[token, default: []].filter { now - $0 < .hours(1) - Self.travel }
        recent.append(now)
        times[token] = recent
        guard isTimed, recent.count > Self.hourlyLimit else { return nil }
        return "\(recent.count) silent pushes went to one device within an hour"
    }
}

extension HTTPRequest {
    /// The token of the device that a push goes to: the last part of its path (APNs facts §2); empty where there is none.
    var deviceToken: String { path.split(separator: "/").last.map(String.init) ?? "" }
}
