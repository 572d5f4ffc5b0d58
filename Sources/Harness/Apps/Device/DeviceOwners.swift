import FakeAPNs

/// Whose a device is. Every push asks, and hundreds of people have one each.
///
/// Unchecked: simulation thread.
final class DeviceOwners: @unchecked Sendable {
    private let people: [PersonApp]
    /// Who had it when that was last asked; they may have replaced it since.
    private var known: [DeviceID: PersonApp] = [:]

    init(_ people: [PersonApp]) {
        self.people = people
    }

    /// Nil for a device of nobody who is notified.
    func owner(of device: DeviceID) -> PersonApp? {
        if let owner = known[device], Self.has(owner, device) { return owner }
        let owner = people.first { Self.has($0, device) }
        known[device] = owner
        return owner
    }

    private static func has(_ person: PersonApp, _ device: DeviceID) -> Bool {
        person.devices.contains { $0.id == device }
    }
}
