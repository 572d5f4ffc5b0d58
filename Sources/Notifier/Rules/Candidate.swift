import Platform

/// A row that is new to its source: perhaps news for the person, perhaps not.
struct Candidate: Hashable, Sendable {
    /// Why a row is recorded and not told.
    enum SuppressionReason: String, Sendable, CaseIterable {
        /// The person did it.
        case ownAction
        /// Imported or backdated: it did not happen now (trap 5).
        case backdated
        /// Another source has been read up to a later time.
        case covered
        /// The person does not want to hear of such activity. Not recorded, so that a to-do on it is still told.
        case switchedOff
        /// The person muted the item, or the program.
        case muted
        /// The person muted the duty that it tells of.
        case mutedDuty
        /// The person does not want to hear of who did it.
        case deniedActor
        /// The person dismissed the item.
        case dismissed

        /// Whether the row is kept as one that is known.
        var isRecorded: Bool { self != .covered && self != .switchedOff }
    }

    var fact: Fact
    /// Also told by the fact: that its note mentions the person.
    var mention: FactKey?
    /// Of a to-do: its note names the person by now, and not only a group they are in.
    var isNamed = false
    /// Of a to-do: the text that caused it begins with the person's name.
    var isAddressed = false
    /// Of a to-do: why nobody waits behind it any more.
    var ending: TodoEnding?
    var suppression: SuppressionReason?
    /// What may match it with another source's row.
    var report: EventReport?
    /// Of a comment on a merge request: the review that it may be part of, whose to-do says nothing else.
    var review: EventReport?
}

/// The person an account belongs to, as GitLab knows them.
struct Person: Hashable, Sendable {
    var id: Int64
    var username: String
}

/// An entry of a watch list, with what a push says about it.
struct WatchedItem: Hashable, Sendable {
    var watch: WatchID
    var item: ItemReference
    var title: String
    var projectPath: String?
    var webURL: String?
}
