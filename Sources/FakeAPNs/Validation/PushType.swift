import Platform

/// What a notification is for: the values of `apns-push-type` (APNs facts §3).
enum PushType: String, Sendable, Hashable, CaseIterable {
    case alert, background, complication, controls, fileprovider, liveactivity, location, mdm, pushtotalk, voip, widgets

    /// What the topic carries behind the bundle id.
    var topicSuffix: String {
        switch self {
        case .alert, .background, .mdm: ""
        case .complication: ".complication"
        case .controls: ".push-type.controls"
        case .fileprovider: ".pushkit.fileprovider"
        case .liveactivity: ".push-type.liveactivity"
        case .location: ".location-query"
        case .pushtotalk: ".voip-ptt"
        case .voip: ".voip"
        case .widgets: ".push-type.widgets"
        }
    }

    /// The longest payload that passes (APNs facts §4).
    var payloadLimitBytes: Int { self == .voip ? 5_120 : 4_096 }

    /// The bundle id inside `topic`; nil when the topic lacks this type's suffix or is nothing else.
    func bundleID(inTopic topic: String) -> String? {
        let suffix = topicSuffix
        if suffix.isEmpty { return topic }
        guard topic.utf8.count > suffix.utf8.count, topic.hasSuffix(suffix) else { return nil }
        return String(topic.dropLast(suffix.count))
    }
}

/// When the device should be disturbed: the values of `apns-priority` (APNs facts §3).
enum PushPriority: String, Sendable, Hashable, CaseIterable {
    /// At once; what an absent header means.
    case immediate = "10"
    /// By power considerations.
    case conserving = "5"
    /// Power first; never wakes the device.
    case passive = "1"
}

/// What `apns-expiration` asks for (APNs facts §3).
enum PushExpiration: Sendable, Hashable {
    /// Absent: stored by policy, at most 30 days.
    case byPolicy
    /// `0`: one attempt, never stored.
    case immediately
    /// Stored until this instant, at most 30 days.
    case at(WallTime)
}
