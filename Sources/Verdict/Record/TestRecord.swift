package import Scenarios

/// A test notification, or another to be sent again, that a person had asked for, and the notifier had confirmed.
package struct TestRecord: Sendable, Equatable {
    package var person: Username
    package var notificationID: String
    var askedAt: Duration
    var answeredAt: Duration
    /// To how many devices it goes, as the notifier said.
    var targets: Int

    package init(person: Username, notificationID: String, askedAt: Duration, answeredAt: Duration, targets: Int) {
        (self.person, self.notificationID, self.targets) = (person, notificationID, targets)
        (self.askedAt, self.answeredAt) = (askedAt, answeredAt)
    }
}
