import HTTP
import Platform

/// Reads one watched item and commits what it brings.
extension AccountPoller {
    /// Reads those lists of an item that its reason asks for. What could be read is committed, with the cycle's to-dos on the
    /// item, even when another list failed.
    func read(_ due: DueItem) async {
        let item = due.item
        let now = context.time.monotonicNow
        let readsEverything = due.reason.readsEveryList || item.attention.hasNewState
        let isReconciling = readsEverything && now >= item.reconcileAt
        context.metrics.count(.watchedItemsPolled, of: id)
        item.notes.seen.raiseFloor(at: now, overlap: context.configuration.overlap)
        item.stateEvents.seen.raiseFloor(at: now, overlap: context.configuration.overlap)
        var result = ItemReading()
        var commit = FactCommit(account: id, watch: item.watched.watch)
        let notes =
            due.reason == .extras
            ? nil : await readNotes(item, isReconciling: isReconciling, result: &result)
        let events =
            result.health == .missing || !readsEverything
            ? nil : await readStateEvents(item, isReconciling: isReconciling, result: &result)
        if !readsEverything { result.noteUnasked() }
        let extras = result.health == .missing ? [] : await readExtras(of: item, at: now)
        let todos = todosByItem.removeValue(forKey: item.watched.item) ?? []
        if due.reason != .extras { readings.append((item, result.health)) }
        listReadings.append((item, result.lists))
        if notes?.isQuiet != false, events?.isQuiet != false, extras.isEmpty, todos.isEmpty {
            remember(notes, events, of: due, from: now, isReconciling: isReconciling, result)
            return
        }
        if let notes { add(notes, of: item, to: &commit) }
        if let events { add(events, of: item, to: &commit) }
        for extra in extras { add(extra, of: item, to: &commit) }
        add(todos, to: &commit)
        guard await store(commit) else {
            if !todos.isEmpty { todosCommitted = false }
            return
        }
        let seenAt = context.time.monotonicNow
        item.notes.seen.insert(commit.noteIDs, at: seenAt)
        item.stateEvents.seen.insert(commit.stateEventIDs, at: seenAt)
        for effect in commit.effects { item.extras.take(effect, at: seenAt) }
        tellFind(due)
        remember(notes, events, of: due, from: now, isReconciling: isReconciling, result)
    }

    /// Says that news came of a reading that no row pointed to.
    private func tellFind(_ due: DueItem) {
        let field: Log.Field = ("watch.id", .number(due.item.watched.watch.rawValue))
        switch due.reason {
        case .hot, .settled: context.log.write(.sweepHotFound, [accountField, field])
        case .patrol: context.log.write(.sweepPatrolFound, [accountField, field])
        case .everyCycle, .named, .unread, .changed, .todo, .uncovered, .extras, .reconciliation: break
        }
    }

    private func readNotes(
        _ item: PolledItem,
        isReconciling: Bool,
        result: inout ItemReading
    ) async -> ListReading<NotesScan>? {
        guard let reader = polled?.reader, result.admits(polled?.capabilities.notes) else { return nil }
        do {
            let reading = try await reader.read(
                item.notes.list,
                by: NotesScan(extent: isReconciling ? .everything : .untilKnown, floor: item.notes.seen.floor),
                known: item.notes.seen.ids,
                memory: item.notes.memory
            )
            note(reading, of: item.notes, watch: item.watched.watch)
            if let failure = reading.failure { await take(failure, watch: item.watched.watch) }
            result.noteSuccess()
            return reading
        } catch {
            item.notes.take(error)
            await take(error, watch: item.watched.watch)
            result.note(error)
            return nil
        }
    }

    private func readStateEvents(
        _ item: PolledItem,
        isReconciling: Bool,
        result: inout ItemReading
    ) async -> ListReading<StateEventsScan>? {
        guard let reader = polled?.reader, result.admits(polled?.capabilities.stateEvents) else { return nil }
        let resume = isReconciling && item.resume?.page != 1 ? nil : item.resume
        do {
            let reading = try await reader.read(
                item.stateEvents.list,
                by: StateEventsScan(resume: resume, rowsPerPage: reader.client.rowsPerPage),
                known: item.stateEvents.seen.ids,
                memory: resume == nil ? nil : item.stateEvents.memory
            )
            note(reading, of: item.stateEvents, watch: item.watched.watch)
            result.noteSuccess()
            return reading
        } catch {
            await take(error, watch: item.watched.watch)
            result.note(error)
            return nil
        }
    }

    /// Only what has been dealt with is remembered, so that it need not be read again.
    private func remember(
        _ notes: ListReading<NotesScan>?,
        _ events: ListReading<StateEventsScan>?,
        of due: DueItem,
        from start: MonotonicInstant,
        isReconciling: Bool,
        _ result: ItemReading
    ) {
        let item = due.item
        if let page = notes?.beginning { item.notes.memory = ListMemory(page, of: item.notes.list) }
        if let events {
            if events.scan.resume != item.resume { item.resume = events.scan.resume }
            if let page = events.beginning {
                item.stateEvents.memory = ListMemory(page, of: item.stateEvents.list)
            }
        }
        if due.reason != .everyCycle, due.reason != .extras {
            item.attention.take(due.reason, from: start, isComplete: result.isSatisfied, patrol: patrolPause())
        }
        guard result.isComplete, events != nil else { return }
        let now = context.time.monotonicNow
        item.completeAt = now
        guard isReconciling, notes?.failure == nil else { return }
        let every = Jitter.around(
            context.configuration.reconcileEvery,
            percent: context.configuration.jitterPercent,
            draw: context.entropy.nextUInt64()
        )
        item.reconcileAt = now.advanced(by: every)
        context.log.write(.scanReconciled, [accountField, ("watch.id", .number(item.watched.watch.rawValue))])
    }

    private func add(_ notes: ListReading<NotesScan>, of item: PolledItem, to commit: inout FactCommit) {
        guard let rules = polled?.rules else { return }
        let moment = moment(of: notes.serverTime, for: item)
        for note in notes.scan.found.reversed() {
            commit.noteIDs.append(note.id)
            if let candidate = rules.candidate(note, on: item.watched, at: moment) {
                commit.candidates.append(candidate)
            } else {
                commit.droppedSystemNotes += 1
            }
        }
    }

    private func add(_ events: ListReading<StateEventsScan>, of item: PolledItem, to commit: inout FactCommit) {
        guard let rules = polled?.rules else { return }
        let moment = moment(of: events.serverTime, for: item)
        for event in events.scan.found {
            commit.stateEventIDs.append(event.id)
            commit.candidates.append(rules.candidate(event, on: item.watched, at: moment))
        }
    }

    func add(_ todos: [TodoRow], to commit: inout FactCommit) {
        guard let rules = polled?.rules else { return }
        let now = context.time.wallNow
        for todo in todos.reversed() {
            commit.todoIDs.append(todo.id)
            commit.candidates.append(rules.candidate(todo, at: FactRules.Moment(now: now, backdatedBefore: now)))
        }
    }

    /// Server times are compared with the server's clock; only the time since the last complete reading is our own.
    ///
    /// By the server's clock, what is much older than the watch lay in its baseline, or in a list that this GitLab did not have
    /// then. Our own clock may be wrong by more than that.
    func moment(of serverTime: WallTime?, for item: PolledItem) -> FactRules.Moment {
        let now = serverTime ?? context.time.wallNow
        var since = item.completeAt.advanced(by: .zero - .hours(24))
        if let serverTime {
            // A clock that is behind, as after a start without time, would make the watch younger than the news of the downtime.
            let age = item.watchedSince.duration(to: serverTime)
            let watchedAt = min(item.watchedAt, context.time.monotonicNow.advanced(by: .zero - age))
            since = max(since, watchedAt.advanced(by: .zero - Self.longestBaseline))
        }
        let elapsed = since.duration(to: context.time.monotonicNow)
        return FactRules.Moment(now: now, backdatedBefore: now.advanced(by: .zero - elapsed))
    }

    /// What is written while a baseline is read is news, and a long thread takes its time.
    private static let longestBaseline = Duration.minutes(10)
}

/// How the readings of one item's lists ended.
struct ItemReading {
    private(set) var health = ItemHealth.Reading.read
    /// One for each list, in the order of reading.
    private(set) var lists: [ItemFallback.Reading] = []

    /// True when every list was read.
    var isComplete: Bool { health == .read && lists.allSatisfy { $0 == .read } }

    /// True when nothing that was asked for is missing.
    var isSatisfied: Bool { health == .read && lists.allSatisfy { $0 == .read || $0 == .unknown } }

    /// A list was not asked for, so that it says nothing.
    mutating func noteUnasked() {
        lists.append(.unknown)
    }

    /// Whether the list is worth a request; one that GitLab does not offer is not.
    mutating func admits(_ isOffered: Bool?) -> Bool {
        if isOffered == false { lists.append(.unavailable) }
        return isOffered != false
    }

    mutating func noteSuccess() {
        lists.append(.read)
    }

    mutating func note(_ error: GitLabError) {
        health = error.reading
        switch error {
        case .notFound(isRoute: true): lists.append(.unavailable)
        case .rateLimited, .notAsked, .unauthorized: lists.append(.unknown)
        default: lists.append(error.reading == .failed ? .failed : .unknown)
        }
    }
}

extension ListReading {
    /// True when the list brought nothing new.
    var isQuiet: Bool { scan.found.isEmpty }
}

extension GitLabError {
    /// What a reading that ended so says about its item.
    var reading: ItemHealth.Reading {
        if isAboutItem { return .missing }
        switch self {
        // Another release may have the list; the project's feed stands in for it.
        case .notFound(isRoute: true), .crowded: return .interrupted
        // An answer that does not come in time may well be the item's own: a list that is too expensive.
        case .unreachable(let failure) where failure != .timedOut && failure != .responseTooLarge: return .interrupted
        default: return .failed
        }
    }
}
