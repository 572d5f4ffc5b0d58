import Platform

/// What the person has dealt with in GitLab need not be counted as unread by the app.
extension AccountPoller {
    /// A to-do item that is no longer pending was done, snoozed or answered elsewhere: its notification counts as read. Only a
    /// complete list says so, and only of news from before it was asked for. Best effort: the next change of the list says it again.
    func readElsewhere(exceptFor pending: [Int64], before start: WallTime) async {
        let now = context.time.wallNow
        let pending = Set(pending)
        do {
            let count = try await context.store.transaction { [id] store in
                let gone = try store.unreadTodos(of: id, before: start).filter { !pending.contains($0.todo) }
                for entry in gone { try store.markRead(todo: entry, at: now) }
                return gone.count
            }
            if count > 0 { context.log.write(.readElsewhere, [accountField, ("notifications", .count(count))]) }
        } catch {
            context.log.write(.pollStoreFailed, [accountField, ("error", .text("\(error)"))])
        }
    }
}
