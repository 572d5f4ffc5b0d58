import Configuration
import Platform

/// Reads the to-dos and keeps what they bring.
extension AccountPoller {
    /// Once a day all to-dos are read without asking whether they changed, and those that are long gone are forgotten.
    private static let todoReviewInterval: Duration = .hours(24)
    /// After a start, so that a server restarted every day forgets too.
    static let firstTodoReview: Duration = .hours(1)
    /// Twenty thousand pending to-dos: GitLab itself counts half as many (GitLab facts §4).
    private static let todoLimit = 20_000

    var isTodoReviewDue: Bool { context.time.monotonicNow >= todoReviewAt }

    func readTodos() async -> PollCycle.Event {
        guard let polled else { return .todosFailed(.notAsked) }
        let (list, startedAt) = (polled.todos.list, context.time.monotonicNow)
        let former = polled.todosRest.flatMap { $0.isValid(for: list, at: startedAt) ? $0 : nil }
        polled.todosRest = nil
        let askedAt = former?.askedAt ?? context.time.wallNow
        polled.todos.seen.raiseFloor(at: startedAt, overlap: context.configuration.overlap)
        do {
            let person = polled.rules.person.id
            let anew = TodosScan(
                limits: ScanLimits(rows: Self.todoLimit, rowsPerPage: list.rowsPerPage),
                firstPageIDs: polled.firstTodos,
                ending: { $0.ending(for: person) }
            )
            var reading = try await polled.reader.read(
                list,
                by: former?.goingOn(known: polled.todos.seen.ids) ?? anew,
                known: polled.todos.seen.ids,
                memory: isTodoReviewDue || former != nil ? nil : polled.todos.memory
            )
            reading.beginning = reading.beginning ?? former?.beginning
            polled.todosRest = TodosRest(reading, of: list, after: former, askedAt: askedAt, at: startedAt)
            wereTodosCutOff = reading.rest != nil
            todoEndings = reading.scan.endings
            note(reading, of: polled.todos, watch: nil)
            if let failure = reading.failure { await take(failure, watch: nil) }
            if !reading.isPartial { todosReadAt = context.time.wallNow }
            if !reading.isPartial, reading.isWholeUnchanged { await settleMissing() }
            return .todosRead(
                PollCycle.TodosReading(reading: reading, askedAt: askedAt, isReviewDue: isTodoReviewDue)
            )
        } catch {
            if error.isHeldBack { polled.todosRest = former }
            polled.todos.take(error)
            await take(error, watch: nil)
            return .todosFailed(error)
        }
    }

    /// All to-dos that the cycle has read are dealt with.
    func rememberTodos(_ page: PageMark?, listing todos: [Int64]) {
        todosLookedAt = cycle.startedAt
        if let page { polled?.rememberTodos(page, listing: todos) }
    }

    /// Forgets old to-dos, given all that are pending.
    func reviewTodos(listed: [Int64]) async {
        let now = context.time.wallNow
        let end = now.advanced(by: .zero - context.configuration.dedupeRetention)
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

    /// Commits to-dos on items that the cycle does not read; false when the store refused.
    func commitTodos(_ rows: [TodoRow]) async -> Bool {
        guard let rules = polled?.rules else { return false }
        var commit = FactCommit(account: id)
        commit.add(rows, by: rules, at: context.time.wallNow)
        return await store(commit, of: nil)
    }

    // MARK: What was dealt with elsewhere

    /// What the person has dealt with in GitLab need not be counted as unread by the app.
    ///
    /// A to-do item that is no longer pending was done, snoozed or answered elsewhere: its notification counts as read. Only complete
    /// lists say so, two of them, and only of news from before they were asked for. False when the store refused: the list has to be read again,
    /// since one that has not changed does not say what it has left out.
    func readElsewhere(exceptFor pending: [Int64], before start: WallTime) async -> Bool {
        let now = context.time.wallNow
        let pending = Set(pending)
        do {
            let (missing, ended, asks) = try await context.store.transaction { [id, todoEndings] store in
                let missing = try store.unreadTodos(of: id, before: start, at: now).map(\.todo)
                    .filter { !pending.contains($0) }
                let ended = try store.settleAsks(endedBy: todoEndings, of: id, at: now)
                return (missing, ended, try store.reviewAsks(pending: pending, of: id, readAt: start, at: now))
            }
            for (reason, count) in ended.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                noteSettled(count, by: reason)
            }
            note(asks)
            missingTodos.leaveOut(Set(missing), at: context.time.monotonicNow)
            try await markGone()
            return true
        } catch {
            context.log.write(.pollStoreFailed, [accountField, ("error", .text("\(error)"))])
            return false
        }
    }

    /// The list is as it was when it left some out.
    private func settleMissing() async {
        let now = context.time.wallNow
        do {
            if hasMissingAsks {
                note(try await context.store.transaction { [id] in try $0.settleMissingAsks(of: id, at: now) })
            }
            try await markGone()
        } catch {
            context.log.write(.pollStoreFailed, [accountField, ("error", .text("\(error)"))])
        }
    }

    /// What unread notifications of to-do items tell that are gone is dealt with.
    private func markGone() async throws {
        let gone = missingTodos.gone(at: context.time.monotonicNow)
        guard !gone.isEmpty else { return }
        let now = context.time.wallNow
        let count = try await context.store.transaction { [id] store in
            let read = try store.unreadTodos(of: id, before: now, at: now).filter { gone.contains($0.todo) }
            for entry in read { try store.setRead(true, entry.notification, chosenAt: now) }
            return read.count
        }
        missingTodos.settle(gone)
        if count > 0 { context.log.write(.readElsewhere, [accountField, ("notifications", .count(count))]) }
    }

    private func note(_ review: Store.AskReview) {
        hasMissingAsks = review.hasMissing
        if review.settled > 0 { noteSettled(review.settled, by: .todoDone) }
    }

    private func noteSettled(_ count: Int, by reason: Ask.Settlement) {
        context.log.write(.askSettled, [accountField, ("asks", .count(count)), ("reason", .text(reason.rawValue))])
    }
}
