package import Scenarios

/// What the notifier's operator announced to somebody, under a title of its own.
package struct AnnouncementRecord: Sendable, Equatable {
    var person: Username
    var title: String
    /// When the operator's command had ended.
    var at: Duration
    /// To how many devices it goes, as the command said.
    var targets: Int
    /// Whether it waits for the end of quiet hours, as the command said.
    var isHeld: Bool

    package init(person: Username, title: String, at: Duration, targets: Int, isHeld: Bool) {
        (self.person, self.title, self.at, self.targets, self.isHeld) = (person, title, at, targets, isHeld)
    }
}
