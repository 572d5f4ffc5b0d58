/// Who owns a part of the time between an activity and its display. The parts add up to the total, to the nanosecond.
enum LatencyOwner: String, Sendable, CaseIterable, Codable {
    /// GitLab did not show it yet: a late commit or a lagging replica.
    case visibility
    /// GitLab, APNs or the link to one of them was down.
    case outage
    /// GitLab refused because of its rate limit.
    case rateLimit
    /// GitLab did not accept the person's token.
    case token
    /// The notifier's process was not running.
    case downtime
    /// The person's quiet hours kept it back.
    case quiet
    /// The notifier waited after a failure.
    case backoff
    /// It waited for its next poll, or polled.
    case poll
    /// It lay in the outbox.
    case queue
    /// It was on its way to APNs, or APNs refused it for the time being.
    case apns
    /// APNs had it and the device did not show it yet, or APNs had ended the device's token and the notifier had no other yet.
    case device

    /// Whether the time is taken out of excess latency: nobody could have delivered in it.
    var isExcused: Bool {
        switch self {
        case .visibility, .outage, .rateLimit, .token, .downtime, .quiet: true
        case .backoff, .poll, .queue, .apns, .device: false
        }
    }

    /// The owner's name in the terminal's latency table.
    var label: String {
        switch self {
        case .rateLimit: "429 wait"
        default: rawValue
        }
    }

    var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A time split by owner, in nanoseconds.
struct LatencySplit: Sendable, Equatable, Codable {
    /// One number per owner, in the order of `LatencyOwner.allCases`.
    private(set) var nanoseconds = [Int64](repeating: 0, count: LatencyOwner.allCases.count)

    init() {}

    /// The part of `owner` in nanoseconds.
    subscript(owner: LatencyOwner) -> Int64 {
        get { nanoseconds[owner.index] }
        set { nanoseconds[owner.index] = newValue }
    }

    /// All parts together, in nanoseconds.
    var total: Int64 { nanoseconds.reduce(0, +) }

    /// The part nobody but the notifier, APNs and the device answer for.
    var excess: Int64 {
        LatencyOwner.allCases.reduce(0) { $1.isExcused ? $0 : $0 + self[$1] }
    }

    /// Adds part by part.
    static func += (left: inout LatencySplit, right: LatencySplit) {
        for index in left.nanoseconds.indices where index < right.nanoseconds.count {
            left.nanoseconds[index] += right.nanoseconds[index]
        }
    }

    /// Owners with a part, the largest first; equal ones in the order of the enumeration.
    var ranked: [(owner: LatencyOwner, nanoseconds: Int64)] {
        LatencyOwner.allCases.map { ($0, self[$0]) }.filter { $0.1 > 0 }
            .enumerated().sorted { ($1.element.1, $0.offset) < ($0.element.1, $1.offset) }.map(\.element)
    }
}
