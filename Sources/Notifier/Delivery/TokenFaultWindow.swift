import Platform

/// Watches what share of the devices is refused as `BadDeviceToken`: a wrong host or topic makes every token look bad, and believing
/// it would empty the device table (APNs facts §10).
///
/// A push that another device's token took proves host and topic. What was refused before counts for nothing then, and a device that is
/// refused once more has itself to blame: devices that are really gone must not pass for a wave for ever.
struct TokenFaultWindow: Equatable, Sendable {
    /// How far back answers matter.
    static let length: Duration = .minutes(10)
    /// Fewer refused devices than this are the devices' own trouble.
    static let deviceThreshold = 3
    /// Answers remembered; the oldest leave first.
    private static let capacity = 200

    /// What the newest answer says of a device.
    private enum Finding: Equatable {
        case accepted
        case refused
        /// Refused, and a push to another was accepted since.
        case doubted
        /// Refused once more after that.
        case blamed
    }

    private struct Response: Equatable {
        var device: DeviceID
        var at: MonotonicInstant
        var finding: Finding
    }

    private var answers: [Response] = []

    /// Notes the newest answer for a device, in place of what was known of it.
    mutating func note(_ device: DeviceID, isFault: Bool, at now: MonotonicInstant) {
        let oldest = now.advanced(by: .zero - Self.length)
        answers.removeAll { $0.at < oldest }
        let former = answers.first { $0.device == device }?.finding
        answers.removeAll { $0.device == device }
        if !isFault {
            for index in answers.indices where answers[index].finding == .refused { answers[index].finding = .doubted }
        }
        if answers.count >= Self.capacity { answers.removeFirst() }
        let isKnown = former == .doubted || former == .blamed
        answers.append(
            Response(device: device, at: now, finding: !isFault ? .accepted : isKnown ? .blamed : .refused)
        )
    }

    /// True when at least three devices, and at least half of those heard of, are refused, and no push was accepted since.
    var isTripped: Bool {
        let faults = answers.count { $0.finding == .refused }
        let others = answers.count { $0.finding == .accepted }
        return faults >= Self.deviceThreshold && faults >= others
    }

    /// Whether the device was refused before a push to another was accepted, and again after that.
    func isToBlame(_ device: DeviceID) -> Bool {
        answers.contains { $0.device == device && $0.finding == .blamed }
    }

    /// The refused devices that may be sound, in the order of their answers.
    var faultyDevices: [DeviceID] {
        answers.filter { $0.finding == .refused || $0.finding == .doubted }.map(\.device)
    }

    /// All refused devices, in the order of their answers.
    var refusedDevices: [DeviceID] { answers.filter { $0.finding != .accepted }.map(\.device) }
}
