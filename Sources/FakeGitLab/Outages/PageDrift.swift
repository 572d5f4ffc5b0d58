/// What happens between the first page of a scan and the next (GitLab facts §4, trap 29).
package enum PageDriftChange: Sendable, Hashable {
    /// This person comments on the item whose list was read.
    case commentInserted(by: String, body: String)
    /// The newest human note of the list is deleted by its author.
    case newestNoteDeleted
}

/// A drift that waits for a list to be read.
struct PageDrift: Sendable {
    let faultID: String
    let routes: RoutePattern
    let change: PageDriftChange
    var remaining: Int
}

/// Carrying out page drifts (GitLab facts §4).
extension InstanceState {
    /// Changes what a scan reads between its pages; the fault that did.
    mutating func drift(after call: Call) -> String? {
        let path = Self.apiPath(call.path) ?? []
        let index = drifts.firstIndex { $0.remaining > 0 && $0.routes.matches(method: call.route.method, path: path) }
        guard let index, apply(drifts[index].change, after: call) else { return nil }
        drifts[index].remaining -= 1
        let fault = drifts[index].faultID
        if drifts[index].remaining == 0 { drifts.remove(at: index) }
        return fault
    }

    /// False when the change does not fit the list that was read.
    private mutating func apply(_ change: PageDriftChange, after call: Call) -> Bool {
        switch change {
        case .commentInserted(let username, let body):
            guard let item = try? item(of: call) else { return false }
            return (try? comment(by: username, on: item, body: body, at: call.now)) != nil
        case .newestNoteDeleted:
            guard let item = try? item(of: call) else { return false }
            let newest = items[item].notes.rows.last { row in
                !row.current.isSystem && row.value(at: call.now) != nil
            }
            guard let newest else { return false }
            let author = people[newest.current.author].username
            return (try? deleteNote(by: author, on: item, note: newest.id, at: call.now)) != nil
        }
    }
}
