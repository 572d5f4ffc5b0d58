import Configuration
import HTTP
import Platform

/// Reads watched items and commits what they bring.
extension AccountPoller {
    /// Reads one item after the other, as long as the cycle has some.
    func readItems() async {
        while !Task.isCancelled, !haveKindsChanged, let next = cycle.nextItem() {
            guard let due = reconsider(next) else { continue }
            await RequestReason.$current.withValue(due.reason.ofRequests) { await read(due) }
            endRound(at: due)
        }
    }

    /// Reads those lists of an item that its reason asks for. What could be read is committed, with the cycle's to-dos on the
    /// item, even when another list failed.
    private func read(_ due: DueItem) async {
        guard let polled, let item = polled.item(due.watch) else { return }
        let now = context.time.monotonicNow
        context.metrics.count(.watchedItemsPolled, of: id)
        item.raiseFloors(at: now, overlap: context.configuration.overlap)
        var reading = item.begin(due, at: now)
        while let question = reading.next(offered: polled.capabilities) {
            switch question {
            case .notes(let extent): await readNotes(item, extent, into: &reading)
            case .stateEvents(let resume):
                if let lookedAt = await othersLookAtStateEvents(of: item, for: due.reason) {
                    reading.spareStateEvents(lookedAt: lookedAt)
                } else {
                    await lookForOthers(at: item.stateEvents, of: item, from: reading.startedAt) {
                        await readStateEvents(item, from: resume, into: &reading)
                    }
                }
            case .metadataLists:
                let readings = await readMetadataLists(of: item, for: due.reason, at: now)
                let lists = item.metadataLists
                reading.take(readings, isAnswered: lists.isAnswered, isHeldBack: !lists.owed.isEmpty)
            }
        }
        let todos = cycle.take(reading)
        if await !keep(reading, todos, of: item) { _ = take(.itemRefused(hadTodos: !todos.isEmpty)) }
    }

    private func readNotes(_ item: PolledItem, _ extent: NotesScan.Extent, into reading: inout ItemReading) async {
        guard let reader = polled?.reader, let rules = polled?.rules else { return }
        let watched = item.watched
        let answers: @Sendable (NoteRow) -> Bool = { rules.isAnswer($0, on: watched) }
        do {
            let notes = try await reader.read(
                item.notes.list,
                by: NotesScan(
                    extent: extent,
                    floor: item.notes.seen.floor,
                    rest: reading.rest?.place,
                    beginsAtRest: reading.rest?.isNext ?? false,
                    limits: ScanLimits(rowsPerPage: item.notes.list.rowsPerPage),
                    answers: item.mayHaveRest ? answers : nil
                ),
                known: item.notes.seen.ids,
                memory: item.notes.memory,
                need: need(of: item.notes, of: item, for: reading.due.reason, since: item.attention.state.lookedAt)
            )
            note(notes, of: item.notes, watch: item.watched.watch)
            share(notes, of: item.notes.list, of: item, after: item.notes.memory, from: reading.startedAt)
            if notes.isPartial {
                let rows: Log.Field = ("scan.rows", .count(notes.scan.found.count))
                context.log.write(.notesInParts, fields(item.watched.watch) + [rows])
            }
            if let failure = notes.failure { await take(failure, watch: item.watched.watch) }
            reading.take(notes)
        } catch {
            item.notes.take(error)
            await take(error, watch: item.watched.watch)
            reading.take(error)
        }
    }

    private func readStateEvents(_ item: PolledItem, from resume: ListEnd?, into reading: inout ItemReading) async {
        guard let reader = polled?.reader else { return }
        do {
            let events = try await reader.read(
                item.stateEvents.list,
                by: StateEventsScan(resume: resume, rowsPerPage: reader.client.rowsPerPage),
                known: item.stateEvents.seen.ids,
                memory: resume == nil ? nil : item.stateEvents.memory,
                need: need(
                    of: item.stateEvents,
                    of: item,
                    for: reading.due.reason,
                    since: item.reconciliation.stateEventsLookedAt
                )
            )
            note(events, of: item.stateEvents, watch: item.watched.watch)
            share(events, of: item.stateEvents.list, of: item, after: item.stateEvents.memory, from: reading.startedAt)
            reading.take(events)
        } catch {
            await take(error, watch: item.watched.watch)
            reading.take(error)
        }
    }

    /// Commits what a reading has brought and remembers how far it went; false when the store refused.
    private func keep(_ reading: ItemReading, _ todos: [TodoRow], of item: PolledItem) async -> Bool {
        // A process before this one may have dealt with the answer, and not with what was asked.
        item.noteAnswer(reading.notes?.scan.answeredAt)
        if !reading.isQuiet || !todos.isEmpty {
            guard let rules = polled?.rules else { return false }
            for list in reading.firstReadings {
                context.log.write(.listFirstRead, fields(item.watched.watch) + [("list", .text(list.rawValue))])
            }
            var commit = reading.commit(of: id, item.watched, by: rules, since: item.beginning) {
                moment(of: $0, for: item)
            }
            if !reading.isQuiet {
                commit.kinds = judgedKinds
                commit.continuedLists = item.metadataLists.continued(by: commit.advance.metadataLists)
            }
            commit.add(todos, by: rules, at: context.time.wallNow)
            commit.answer = item.answeredAt.map { (item: reading.due.item, at: $0) }
            guard await store(commit, of: item) else { return false }
            item.noteAnswer(commit.lastAnswer)
            tellFind(reading.due)
        }
        item.take(reading, at: context.time.monotonicNow, pauses: pauses)
        if let polled {
            item.noteBeginning(by: reading, wanting: polled.rules.activities, offered: polled.capabilities)
        }
        if reading.isReconciled {
            context.log.write(.scanReconciled, [accountField, ("watch.id", .number(item.watched.watch.rawValue))])
        }
        return true
    }

    /// Says that news came of a reading that no row pointed to.
    private func tellFind(_ due: DueItem) {
        let field: Log.Field = ("watch.id", .number(due.watch.rawValue))
        switch due.reason {
        case .hot, .settled: context.log.write(.sweepHotFound, [accountField, field])
        case .patrol: context.log.write(.sweepPatrolFound, [accountField, field])
        case .seenElsewhere: context.log.write(.lookSharedFound, [accountField, field])
        case .everyCycle, .named, .unread, .changed, .todo, .uncovered, .metadataLists, .reconciliation: break
        }
    }

    /// By whose clock rows of an item are judged; `serverTime` is what GitLab's showed.
    func moment(of serverTime: WallTime?, for item: PolledItem) -> FactRules.Moment {
        item.moment(of: serverTime, at: context.time.monotonicNow, wallNow: context.time.wallNow)
    }

    var pauses: PollPauses { PollPauses(configuration: context.configuration, entropy: context.entropy) }
}
