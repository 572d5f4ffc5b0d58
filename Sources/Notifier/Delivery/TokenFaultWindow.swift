import Platform

/// Watches what share of the devices is refused as `BadDeviceToken`: a wrong host or topic makes every token look bad, and believing
/// it would empty the device table (APNs facts §10).
struct TokenFaultWindow: Equatable, Sendable {
    /// How far back answers matter.
    static let length: Duration = .minutes(10)
    /// Fewer refused devices than this are the devices' own trouble.
    static let deviceThreshold = 3
    /// Answers remembered; the oldest leave first.
    private static let capacity = 200

    private struct Response: Equatable {
        var device: DeviceID
        var at: MonotonicInstant
        var isFault: Bool
    }

    private var answers: [Response] = []

    /// Notes the newest answer for a device, in place of what was known of it.
    mutating func note(_ device: DeviceID, isFault: Bool, at now: MonotonicInstant) {
        let oldest = now.advanced(by: .zero - Self.length)
        answers.removeAll { $0.device == device || $0.at < oldest }
        if answers.count >= Self.capacity { answers.removeFirst() }
        answers.append(Response(device: device, at: now, isFault: isFault))
    }

    /// True when at least three devices, and at least half of those heard of, are refused.
    var isTripped: Bool {
        let faults = answers.count(where: \.isFault)
        return faults >= Self.deviceThreshold && faults * 2 >= answers.count
    }

    /// The refused devices, in the order of their answers.
    var faultyDevices: [DeviceID] { answers.filter(\.isFault).map(\.device) }

    mutating func removeAll() { answers.removeAll() }
}
