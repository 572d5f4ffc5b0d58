package import Scenarios

/// A choice of which the app on a device told its person that it cannot be kept.
package struct RefusedChoiceRecord: Sendable, Equatable {
    var person: Username
    var device: DeviceName
    /// About what, in words.
    var what: String
    /// When the app said so.
    package var at: Duration
    /// Whether the device had kept it all the same.
    package var wasKept: Bool

    package init(person: Username, device: DeviceName, what: String, at: Duration, wasKept: Bool) {
        (self.person, self.device, self.what, self.at, self.wasKept) = (person, device, what, at, wasKept)
    }
}

/// A choice that its device had kept and the server had not answered when the run was over, on a device that was signed in and online.
package struct UnansweredChoiceRecord: Sendable, Equatable {
    var person: Username
    var device: DeviceName
    /// About what, in words.
    var what: String
    var chosenAt: Duration
    /// When the device was last switched on, or came back to the network.
    var reachableSince: Duration

    package init(
        person: Username,
        device: DeviceName,
        what: String,
        chosenAt: Duration,
        reachableSince: Duration
    ) {
        (self.person, self.device, self.what) = (person, device, what)
        (self.chosenAt, self.reachableSince) = (chosenAt, reachableSince)
    }
}
