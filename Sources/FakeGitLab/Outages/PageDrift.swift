/// What happens between the first page of a scan and the next (GitLab facts §4, trap 29).
package enum PageDriftChange: Sendable, Hashable {
    /// This person comments on the item whose list was read.
    case commentInserted(by: String, body: String)
    /// The newest human note of the list is deleted by its author.
    case newestNoteDeleted
    /// The reader's newest pending to-do is resolved.
    case newestTodoResolved
}

/// A drift that waits for a list to be read.
struct PageDrift: Sendable {
    let faultID: String
    let routes: RoutePattern
    let change: PageDriftChange
    var remaining: Int
}
