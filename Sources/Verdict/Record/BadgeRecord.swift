package import Scenarios

/// The number of unread notifications that a device showed when its app was up to date, or that a push brought.
package struct BadgeRecord: Sendable, Equatable {
    /// Since the start.
    package var at: Duration
    package var person: Username
    package var device: DeviceName
    package var count: Int

    package init(at: Duration, person: Username, device: DeviceName, count: Int) {
        (self.at, self.person, self.device, self.count) = (at, person, device, count)
    }
}
