import Platform

/// Once a day the poller reads all to-dos without asking whether they changed, and forgets those that are long gone.
extension AccountPoller {
    static let todoReviewInterval: Duration = .hours(24)
    /// After a start, so that a server restarted every day forgets too.
    static let firstTodoReview: Duration = .hours(1)

    var isTodoReviewDue: Bool { context.time.monotonicNow >= todoReviewAt }

    /// Draws the conclusions from a complete reading.
    func reviewTodos(_ reading: ListReading<TodosScan>) async {
        let now = context.time.wallNow
        let end = now.advanced(by: .zero - context.configuration.dedupeRetention)
        let listed = reading.scan.listedIDs
        do {
            let count = try await context.store.transaction { [id] store in
                try store.reviewTodos(listed: listed, of: id, forgetting: end, at: now)
            }
            todoReviewAt = context.time.monotonicNow.advanced(by: Self.todoReviewInterval)
            context.metrics.count(.rowsPurged, count, ["seen_todos"])
            if count > 0 { context.log.write(.rowsPurged, [("table", .text("seen_todos")), ("rows", .count(count))]) }
        } catch {
            // The next cycle tries again.
            context.log.write(.pollStoreFailed, [accountField, ("error", .text("\(error)"))])
        }
    }
}
