package import Scenarios

/// Two notifications that stood on one device's screen at a time although one reminds of what the other tells.
package struct ScreenDoubleRecord: Sendable, Equatable {
    /// Since the start: when the later one came.
    package var at: Duration
    package var person: Username
    package var device: DeviceName
    package var standing: PushContent
    package var new: PushContent

    package init(at: Duration, person: Username, device: DeviceName, standing: PushContent, new: PushContent) {
        (self.at, self.person, self.device) = (at, person, device)
        (self.standing, self.new) = (standing, new)
    }
}
