package import Scenarios

/// An item is due by another day because its milestone was moved: of itself nothing tells of it.
package struct DueMoveRecord: Sendable, Equatable {
    package var item: ItemReference
    package var at: Duration
    /// As it is from then on.
    package var due: ActivityRecord.Due

    package init(item: ItemReference, at: Duration, due: ActivityRecord.Due) {
        (self.item, self.at, self.due) = (item, at, due)
    }
}
