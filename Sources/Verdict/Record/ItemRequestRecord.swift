package import Scenarios

/// The first request for an item that the notifier sent by itself with somebody's token, of which GitLab had not told this token before.
package struct ItemRequestRecord: Sendable, Equatable {
    package var person: Username
    package var item: ItemReference
    package var at: Duration

    package init(person: Username, item: ItemReference, at: Duration) {
        (self.person, self.item, self.at) = (person, item, at)
    }
}
