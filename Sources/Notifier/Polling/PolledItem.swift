import Configuration
import HTTP
import Platform

/// One list as the poller knows it.
struct PolledList {
    private(set) var list: ListRequest
    /// Nil until the list has been read once, and while it must be read in full each time.
    var memory: ListMemory?
    var seen: SeenIDs

    init(list: ListRequest, seen: SeenIDs) {
        self.list = list
        self.seen = seen
    }

    /// After a reading that failed: asks for smaller pages from now on where a page was too large.
    mutating func take(_ error: GitLabError) {
        guard error == .unreachable(.responseTooLarge), let smaller = list.withSmallerPages else { return }
        list = smaller
        memory = nil
    }
}

/// A watched item as the poller knows it. A class, since the cycle's workers change it in place; it never leaves its actor.
final class PolledItem {
    private(set) var watched: WatchedItem
    /// When its item was last changed that is called so, by GitLab's clock; nil where the store alone says what it is called.
    private var describedAt: WallTime?
    /// False while the store has what it was called before.
    var isDescriptionStored = true
    /// The item as all accounts of its GitLab know it.
    let shared: SharedLooks.Item
    /// Where what they know lies, since this account watches it; nil before.
    var place: SharedLooks.Place?
    var notes: PolledList { didSet { silence = nil } }
    var stateEvents: PolledList { didSet { silence = nil } }
    var resume: StateEventsScan.Resume?
    var health: ItemHealth
    var fallback = ItemFallback()
    /// Read once, when the item is first looked for in its project's feed; none of it changes.
    var origin: ItemOrigin?
    /// Lists that are read only now and then, or only for who wants them.
    var metadataLists = ItemMetadata() { didSet { silence = nil } }
    /// When the watch began, as far as our own clock tells.
    let watchedAt: MonotonicInstant
    /// What our clock showed then.
    let watchedSince: WallTime
    /// What the watch began with.
    let beginning: WatchBeginning
    /// True once every list that the person wants has been read since the watch began, and as the store has it.
    private(set) var isRead: Bool
    var isReadStored: Bool
    /// Those of them that were left out when GitLab first answered; nil before this process has seen that.
    private var awaited: Set<MetadataList>?
    /// Lists of kinds that the person has chosen only since: nothing that was there before they did is news.
    private var lateLists: [MetadataList: LateList] = [:]
    /// What sweeps showed of it; untouched while there are none.
    var attention: ItemAttention { didSet { (silence, shownRow) = (nil, nil) } }
    /// When the last reading began in which GitLab showed it to this account; nil when none did.
    private(set) var admittedAt: MonotonicInstant?
    /// Since when and how often GitLab has not shown the item, as it is, and as the store has it.
    var missing: Missing
    var storedMissing: Missing
    /// True when its last turn in a round was left to another account: the next is not.
    var hasGivenWay = false
    /// The day by which the person has to have it done, as sweeps show it, and as the store has it.
    var dueOn: DueDay?
    var storedDueOn: DueDay?
    /// When its two lists were looked at, and are due from end to end.
    var reconciliation: Reconciliation { didSet { silence = nil } }
    /// That others' looks have told nothing; nil when they are to be asked. All that is compared with them ends it when it changes.
    var silence: LooksSilence?
    /// When somebody was shown its row; nil when others' looks are to be asked.
    var shownRow: ShownRow?
    /// True while notes may be unread behind those that were read last, as after a start: until this process has read them all.
    private(set) var mayHaveRest = true
    /// What limits have left of its readings.
    private var limited = LimitedReadings()
    /// Where the next reading of the notes goes on, since a limit has ended the last.
    private(set) var notesRest: NotesRest?
    /// When the person last answered on the item, by notes in front of those that are still to be read.
    private(set) var answeredAt: WallTime?
    /// When the reading of the notes began that was the last to come to its end, where limits have drawn it out: what came late to pages that it had
    /// behind it must not lie below the floor yet.
    private var drawnOutSince: MonotonicInstant?

    /// Nothing while GitLab shows it.
    struct Missing: Hashable {
        var since: WallTime?
        var count = 0
    }

    /// A list of a kind that the person has chosen only since the watch began.
    private struct LateList {
        /// When they did, as the store has it; nil where it does not say.
        var chosenAt: WallTime?
        /// The same, as far as our own clock tells; nil where the list begins with its first reading.
        var since: MonotonicInstant?
    }

    init(
        watched: WatchedItem,
        origin: HTTPOrigin,
        notes: PolledList,
        stateEvents: PolledList,
        health: ItemHealth,
        watchedAt: MonotonicInstant,
        watchedSince: WallTime,
        beginning: WatchBeginning,
        missing: Missing,
        dueOn: DueDay?,
        reconciliation: Reconciliation
    ) {
        self.watched = watched
        shared = SharedLooks.Item(origin: origin, item: watched.item)
        self.notes = notes
        self.stateEvents = stateEvents
        self.health = health
        self.watchedAt = watchedAt
        self.watchedSince = watchedSince
        self.beginning = beginning
        (isRead, isReadStored) = (beginning.isRead, beginning.isRead)
        attention = ItemAttention(kind: watched.item.kind)
        (self.missing, storedMissing) = (missing, missing)
        (self.dueOn, storedDueOn) = (dueOn, dueOn)
        self.reconciliation = reconciliation
    }

    /// When every row that existed had been read and dealt with.
    var completeAt: MonotonicInstant { reconciliation.completeAt }
}

extension PolledItem {
    /// The item as a cycle reads it.
    func due(_ reason: DueReason) -> DueItem {
        DueItem(watch: watched.watch, item: watched.item, reason: reason)
    }

    /// The item as a cycle that begins at `now` sees it; without more it is one that others do not look at, and that lists show.
    func prospect(
        at now: MonotonicInstant,
        isCovered: Bool = true,
        looks: (areOutdating: Bool, watchers: Int) = (false, 1),
        areMetadataListsDue: Bool = false
    ) -> ItemProspect {
        ItemProspect(
            watch: watched.watch,
            item: watched.item,
            attention: attention.state,
            isAdmitted: health.isDue(at: now),
            isCovered: isCovered,
            mustReconcile: notesRest != nil || !reconciliation.due(at: now).isEmpty,
            isHeldBack: limited.isHeldBack,
            readAt: limited.readAt,
            isOutdated: looks.areOutdating,
            watchers: looks.watchers,
            areMetadataListsDue: areMetadataListsDue
        )
    }

    /// A reading that begins at `now`.
    func begin(_ due: DueItem, at now: MonotonicInstant) -> ItemReading {
        if let notesRest, !notesRest.isValid(for: notes.list, at: now) { leaveRest(nil, at: now) }
        return ItemReading(
            due,
            hasNewState: attention.state.hasNewState,
            reconciling: reconciliation.due(at: now),
            resume: resume,
            rest: notesRest,
            owesStateEvents: limited.owesStateEvents,
            owesMetadataLists: limited.mayOthersBegin && !metadataLists.owed.isEmpty,
            at: now
        )
    }

    /// Below its floor a list shows no late rows any more, nor the rest of a reading in parts.
    func raiseFloors(at now: MonotonicInstant, overlap: Duration) {
        if !mayHaveRest { notes.seen.raiseFloor(at: drawnOutSince ?? now, overlap: overlap) }
        stateEvents.seen.raiseFloor(at: now, overlap: overlap)
    }

    /// Moves the scan state; the store has it.
    func take(_ advance: ScanAdvance, at now: MonotonicInstant) {
        notes.seen.insert(advance.notes, at: now)
        stateEvents.seen.insert(advance.stateEvents, at: now)
        for reading in advance.metadataLists { metadataLists.take(reading, at: now) }
    }

    /// A commit has brought the person's own notes, the last of them of that time.
    func noteAnswer(_ instant: WallTime?) {
        guard let instant else { return }
        answeredAt = max(answeredAt ?? instant, instant)
    }

    /// Remembers how far a reading went, once all that it brought has been dealt with: only that need not be read again.
    func take(_ reading: ItemReading, at now: MonotonicInstant, pauses: PollPauses) {
        if let page = reading.notes?.beginning { notes.memory = ListMemory(page, of: notes.list) }
        if let events = reading.stateEvents {
            resume = events.scan.resume
            if let page = events.beginning { stateEvents.memory = ListMemory(page, of: stateEvents.list) }
        }
        if reading.countsAsLook {
            attention.take(
                from: reading.notes == nil ? reading.startedAt : reading.notesSince,
                isComplete: reading.isSatisfied,
                isOfEveryList: reading.isOfEveryList,
                patrol: pauses.patrol()
            )
        }
        if let notes = reading.notes { metadataLists.take(notes.scan.found.reversed().compactMap(ToldApproval.init)) }
        limited.take(reading)
        if reading.health == .missing { attention.refuseHints() }
        if reading.health == .read, reading.notes?.isSpared == false { admittedAt = reading.startedAt }
        if !reading.isQuiet { attention.stir(at: now) }
        reconcile(by: reading, at: now, pauses)
        // Where each round is one request, no reading has both lists.
        guard reading.countsAsLook, reading.isHeldBack, let start = limited.readSince else { return }
        attention.takeParts(from: start, patrol: pauses.longestPatrol)
    }

    private func reconcile(by reading: ItemReading, at now: MonotonicInstant, _ pauses: PollPauses) {
        if let notes = reading.notes {
            reconcile(by: notes, of: reading, at: now, pauses)
        } else if !reading.isHeldBack {
            notesRest?.isNext = false
        }
        guard reading.health == .read || reading.isHeldBack else { return }
        if let events = reading.stateEvents {
            let next = pauses.reconciliation()
            reconciliation.takeStateEvents(from: reading.startedAt, isWhole: events.scan.isWhole, next: next)
        } else if let lookedAt = reading.sparedStateEvents {
            takeStateEventsLook(at: lookedAt, pauses: pauses)
        }
    }

    /// Whatever became of the other lists; but where a limit kept them from being asked for, what was read for that alone is not read again.
    private func reconcile(
        by notes: ListReading<NotesScan>,
        of reading: ItemReading,
        at now: MonotonicInstant,
        _ pauses: PollPauses
    ) {
        let start = reading.notesSince
        let wentOn = notesRest != nil
        let isBrokenOff = notes.isPartial || (wentOn && notes.failure != nil)
        let left = notes.rest ?? (reading.isHeldBack && notes.failure == nil ? notes.scan.end : nil)
        let rest = left.map { place in
            NotesRest(
                place: place,
                rowsPerPage: self.notes.list.rowsPerPage,
                since: start,
                after: reading.rest
            )
        }
        if isBrokenOff { leaveRest(rest, at: now) } else { notesRest = rest }
        mayHaveRest = notes.isPartial || (mayHaveRest && notes.isSpared)
        guard !notes.isPartial else { return }
        if notesRest == nil { answeredAt = nil }
        if !notes.isSpared { drawnOutSince = wentOn ? start : nil }
        let isWhole = notes.scan.isWhole && notes.failure == nil
        reconciliation.takeNotes(from: start, isWhole: isWhole, next: pauses.reconciliation())
    }

    /// Where nobody can go on, rows may be unread behind known ones, and only a reading from end to end finds them.
    private func leaveRest(_ rest: NotesRest?, at now: MonotonicInstant) {
        notesRest = rest
        if rest == nil { reconciliation.requireNotes(at: now) }
    }

    /// Somebody else's look at its notes, which began at `start`, showed nothing that was not known. It says nothing of what a limit has left.
    func takeNotesLook(at start: MonotonicInstant, pauses: PollPauses) {
        guard notesRest == nil else { return }
        attention.takeLook(at: start, patrol: pauses.longestPatrol)
        let isWhole = notes.memory?.isWholeList ?? false
        reconciliation.takeNotes(from: start, isWhole: isWhole, next: pauses.reconciliation())
        attention.takeWholeLook(at: completeAt)
    }

    /// Takes what a row shows the item to be called, when GitLab's clock showed `serverTime`. A replica that is behind shows what it was called
    /// before; a time that is yet to come was written by a clock that has been set back since.
    func describe(as row: ItemRow, serverTime: WallTime?) {
        let shownAt = row.fingerprint.updatedAt
        if let shownAt, let describedAt, shownAt < describedAt, serverTime.map({ $0 >= describedAt }) ?? true { return }
        describedAt = shownAt ?? describedAt
        var shown = watched
        if let title = row.title, !title.isEmpty { shown.title = title }
        shown.projectPath = row.projectPath ?? shown.projectPath
        shown.webURL = row.webURL ?? shown.webURL
        guard shown != watched else { return }
        watched = shown
        isDescriptionStored = false
    }

    /// What the item is called, as the store keeps it.
    var description: WatchDescription {
        WatchDescription(title: watched.title, projectPath: watched.projectPath, webURL: watched.webURL)
    }

    /// How many ids of it are remembered.
    var rememberedIDs: Int {
        notes.seen.ids.count + stateEvents.seen.ids.count + (metadataLists.labels?.list.seen.ids.count ?? 0)
            + (metadataLists.milestones?.list.seen.ids.count ?? 0)
    }

    /// As ``takeNotesLook(at:pauses:)``, for its state events.
    func takeStateEventsLook(at start: MonotonicInstant, pauses: PollPauses) {
        let isWhole = stateEvents.memory?.isWholeList ?? false
        reconciliation.takeStateEvents(from: start, isWhole: isWhole, next: pauses.reconciliation())
        attention.takeWholeLook(at: completeAt)
    }

    /// Server times are compared with the server's clock; only the time since the last complete reading is our own.
    ///
    /// By the server's clock, what is much older than the watch lay in its baseline, or in a list that this GitLab did not have
    /// then, where nothing more exact is known of that (``WatchBeginning``). Our own clock may be wrong by more than that.
    func moment(of serverTime: WallTime?, at now: MonotonicInstant, wallNow: WallTime) -> FactRules.Moment {
        let server = serverTime ?? wallNow
        var since = completeAt.advanced(by: .zero - .hours(24))
        if let serverTime {
            // A clock that is behind, as after a start without time, would make the watch younger than the news of the downtime.
            let age = watchedSince.duration(to: serverTime)
            let watchedAt = min(watchedAt, now.advanced(by: .zero - age))
            since = max(since, watchedAt.advanced(by: .zero - Self.longestBaseline))
        }
        let elapsed = since.duration(to: now)
        return FactRules.Moment(now: server, backdatedBefore: server.advanced(by: .zero - elapsed))
    }

    /// What is news in a list that was or was not read before, which was asked for at `askedAt`. A watch begins with a reading of notes and
    /// changes of state alone: what came until other lists are read first is told, however long that takes, and nothing that was there before.
    /// So it is with a list of a kind that the person has chosen since, from the choice on.
    func newRows(
        of list: MetadataList,
        isListRead: Bool,
        askedAt: MonotonicInstant,
        serverTime: WallTime?
    ) -> NewRows {
        guard !isListRead else { return .all }
        guard let serverTime else { return .since(nil) }
        if let late = lateLists[list] {
            return late.since.map { Self.rows(of: $0.duration(to: askedAt), until: serverTime) } ?? .since(nil)
        }
        let age = watchedAt.duration(to: askedAt)
        let isAwaited = !isRead && awaited?.contains(list) ?? true
        guard isAwaited || age <= Self.longestBaseline else { return .since(nil) }
        return Self.rows(of: age, until: serverTime)
    }

    /// Those of the time `age` before GitLab was asked, which has answered after that, and tells whole seconds.
    private static func rows(of age: Duration, until serverTime: WallTime) -> NewRows {
        guard age >= .zero else { return .since(nil) }
        let (begin, end) = (serverTime.advanced(by: .seconds(1) - age), serverTime.advanced(by: .seconds(1)))
        return .since(begin...end)
    }

    /// The store has them as lists of kinds that the person has chosen only since the watch began, and when they did. A choice that is known here
    /// stays where our own clock had it: the one on the wall may have been set since. One that seems yet to come was made just now. What GitLab
    /// does not offer then begins with its first reading.
    func beginLate(
        _ lists: [MetadataList: WallTime],
        offered: Capabilities,
        at now: MonotonicInstant,
        wallNow: WallTime
    ) {
        for (list, chosenAt) in lists where lateLists[list]?.chosenAt != chosenAt {
            let since = now.advanced(by: .zero - max(chosenAt.duration(to: wallNow), .zero))
            lateLists[list] = LateList(chosenAt: chosenAt, since: offered[list.source] ? since : nil)
        }
    }

    /// Keeps what is known of the lists in `read`, which the store has as read; the others begin anew. They begin late where they had been read
    /// before, or the person has just chosen their kind.
    func keepLists(_ read: Set<MetadataList>, choosing kinds: Set<ActivityKind>) {
        let chosen = MetadataList.allCases.filter { kinds.contains($0.kind) }
        for list in metadataLists.readLists.subtracting(read).union(chosen) { lateLists[list] = LateList() }
        metadataLists.keep(read)
    }

    /// Notes which of the lists that the person wants are still to be read first, once GitLab has answered `reading`, which is dealt with. A list
    /// that is wanted only later begins then, and one that GitLab offers only later with its first reading.
    func noteBeginning(by reading: ItemReading, wanting activities: Set<ActivityKind>, offered: Capabilities) {
        guard reading.health == .read, reading.hasAnswer else { return }
        for list in lateLists.keys where !offered[list.source] { lateLists[list]?.since = nil }
        guard !isRead else { return }
        let unread = metadataLists.unread(activities, of: watched.item.kind, offered: offered)
        let awaited = awaited.map { $0.intersection(unread) } ?? unread
        self.awaited = awaited
        isRead = awaited.isEmpty
    }

    /// What is written while a baseline is read is news, and a long thread takes its time. A list that nobody awaits and that is read much later
    /// was not offered or not wanted meanwhile. When a kind was chosen is known to the instant, and needs no such bound.
    private static let longestBaseline = Duration.minutes(10)
}
