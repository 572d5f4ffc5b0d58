package import Scenarios

/// The number of unread notifications that a device showed when its app was up to date, or that a push brought.
package struct BadgeRecord: Sendable, Equatable {
    /// Since the start.
    package var at: Duration
    package var person: Username
    package var device: DeviceName
    package var count: Int
    /// How many unread ones the app lists of those that count; nil for what a push brought.
    package var listed: Int?

    package init(at: Duration, person: Username, device: DeviceName, count: Int, listed: Int? = nil) {
        (self.at, self.person, self.device, self.count, self.listed) = (at, person, device, count, listed)
    }
}
