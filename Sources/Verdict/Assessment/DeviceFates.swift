import Scenarios

/// When devices could be pushed to, as far as their people and APNs are concerned.
struct DeviceFates {
    private var refusals: [OwnedDevice: [Duration]] = [:]
    private var acceptances: [OwnedDevice: [Duration]] = [:]
    /// When the notifier had taken another push token of the device.
    private var changes: [OwnedDevice: [Duration]] = [:]
    /// When another thing took its name.
    private var replacements: [OwnedDevice: [Duration]] = [:]
    private var spans: [Username: [DeviceSpanRecord]] = [:]
    /// When all that the notifier had of a person's devices ended.
    private var ends: [Username: [Duration]] = [:]

    init(_ record: RunRecord) {
        for push in record.pushes {
            guard let person = push.person, let device = push.device else { continue }
            note(push.status, push.reason, of: OwnedDevice(person: person, device: device), at: push.at)
        }
        for push in record.silentPushes {
            note(push.status, push.reason, of: OwnedDevice(person: push.person, device: push.device), at: push.at)
        }
        for change in record.pushTokenChanges {
            changes[OwnedDevice(person: change.person, device: change.device), default: []].append(change.at)
        }
        for replacement in record.deviceReplacements {
            let key = OwnedDevice(person: replacement.person, device: replacement.device)
            replacements[key, default: []].append(replacement.at)
        }
        refusals = refusals.mapValues { $0.sorted() }
        spans = Dictionary(grouping: record.deviceSpans, by: \.person)
        for end in record.devicesEnds { ends[end.person, default: []].append(end.at) }
    }

    /// An answer is about the device, or about the message alone.
    private mutating func note(_ status: Int, _ reason: String, of key: OwnedDevice, at instant: Duration) {
        if status == 200 { acceptances[key, default: []].append(instant) }
        if status == 410 || Self.reasonsOfDevices.contains(reason) { refusals[key, default: []].append(instant) }
    }

    private static let reasonsOfDevices: Set<String> = ["BadDeviceToken", "DeviceTokenNotForTopic", "Unregistered"]

    /// Whether a device was there to push to all the time from one instant to the other: its person had not removed it, and APNs had not
    /// refused it for good, or the notifier had another token of it since. With a name, whether that device was.
    func hasUsable(
        for person: Username,
        on device: DeviceName? = nil,
        from start: Duration,
        until end: Duration
    ) -> Bool {
        (spans[person] ?? []).contains { span in
            guard device == nil || span.device == device else { return false }
            guard span.activeFrom <= start, span.endRequestedAt.map({ $0 > end }) ?? true else { return false }
            let key = OwnedDevice(person: person, device: span.device)
            guard let refusal = refusals[key]?.last(where: { $0 <= end }) else { return true }
            // What APNs takes for another token says nothing of the one that it had refused.
            let renewal = changes[key]?.filter { refusal < $0 }.min()
            if let renewal, renewal <= start { return true }
            return acceptances[key]?.contains { $0 > refusal && $0 <= renewal ?? $0 } ?? false
        }
    }

    /// The names of all the person's devices, in the order in which they came.
    func names(of person: Username) -> [DeviceName] {
        var seen: Set<DeviceName> = []
        return (spans[person] ?? []).map(\.device).filter { seen.insert($0).inserted }
    }

    /// Whether beyond doubt that device was there to push to all the time: not replaced until then, and APNs had taken a push to it, or the
    /// notifier had another token of it, before that time if it had ever refused it.
    func isPlainlyUsable(
        _ device: DeviceName,
        of person: Username,
        from start: Duration,
        until end: Duration
    ) -> Bool {
        let key = OwnedDevice(person: person, device: device)
        guard hasUsable(for: person, on: device, from: start, until: end),
            replacements[key]?.contains(where: { $0 <= end }) != true
        else { return false }
        guard let refusal = refusals[key]?.last(where: { $0 <= end }) else { return true }
        return ((changes[key] ?? []) + (acceptances[key] ?? [])).contains { refusal < $0 && $0 <= start }
    }

    /// How long a push may be on its way.
    private static let longestPush = Duration.seconds(30)

    /// Whether APNs refused the device itself at the time of an answer or later, or its person removed it, left or signed out everywhere while
    /// that push was on its way or later: its waiting deliveries end with it. What was replaced has no end of its own.
    func wasLost(_ device: DeviceName, of person: Username, answeredAt instant: Duration) -> Bool {
        let own = (spans[person] ?? []).filter { $0.device == device }.compactMap(\.endedAt) + (ends[person] ?? [])
        return wasRefused(device, of: person, after: instant) || own.contains { $0 >= instant - Self.longestPush }
    }

    /// Whether APNs refused the device itself at that time or later.
    func wasRefused(_ device: DeviceName, of person: Username, after instant: Duration) -> Bool {
        refusals[OwnedDevice(person: person, device: device)]?.contains { $0 >= instant } ?? false
    }
}
