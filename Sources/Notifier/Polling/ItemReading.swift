import HTTP
import Platform

/// One reading of a watched item: which of its lists are asked for, what they have brought, and what that comes to. Nothing of the
/// item itself changes before the store has taken it.
struct ItemReading: Sendable {
    /// What is asked next.
    enum Question: Hashable, Sendable {
        case notes(NotesScan.Extent)
        /// From where the last reading ended, or from the first page.
        case stateEvents(from: ListEnd?)
        case metadataLists
    }

    private enum List { case notes, stateEvents, metadataLists }

    let due: DueItem
    let startedAt: MonotonicInstant
    private let readsStateEvents: Bool
    /// These lists are read from end to end.
    private let reconciling: Reconciliation.Lists
    private let resume: ListEnd?
    /// Where the reading of its notes goes on.
    let rest: NotesRest?
    private var remaining: [List]
    private(set) var health = ItemHealth.Reading.read
    /// True when a list could not be asked for, as nothing could.
    private(set) var isHeldBack = false
    /// One for each list, in the order of reading.
    private(set) var lists: [ItemFallback.Reading] = []
    private(set) var notes: ListReading<NotesScan>?
    private(set) var stateEvents: ListReading<StateEventsScan>?
    private(set) var metadataLists: [MetadataReading] = []
    /// Whether GitLab has answered about one of those, and a limit has held one back.
    private var areMetadataListsAnswered = false
    private(set) var areMetadataListsHeldBack = false
    /// When another's look at the state events began that stood for one of this account; nil when it looked itself, or nobody did.
    private(set) var sparedStateEvents: MonotonicInstant?

    /// - Parameters:
    ///   - due: the item and why it is read.
    ///   - hasNewState: whether it may have been closed, reopened or merged.
    ///   - lists: those of its lists that are due from end to end.
    ///   - resume: where the reading of its state events goes on.
    ///   - rest: where the reading of its notes goes on that a limit has ended.
    ///   - owesStateEvents: whether a limit kept the last reading from its state events, and not from its notes.
    ///   - owesMetadataLists: whether it kept that from the other lists, and not from these two.
    ///   - now: when the reading begins.
    init(
        _ due: DueItem,
        hasNewState: Bool,
        reconciling lists: Reconciliation.Lists,
        resume: ListEnd?,
        rest: NotesRest? = nil,
        owesStateEvents: Bool = false,
        owesMetadataLists: Bool = false,
        at now: MonotonicInstant
    ) {
        self.rest = rest
        self.due = due
        startedAt = now
        let isForEndToEndAlone = due.reason == .reconciliation && !lists.stateEvents
        readsStateEvents = hasNewState || (due.reason.readsEveryList && !isForEndToEndAlone)
        reconciling = due.reason.readsEveryList || hasNewState ? lists : Reconciliation.Lists()
        self.resume = reconciling.stateEvents && resume?.page != 1 ? nil : resume
        remaining =
            due.reason == .metadataLists ? [.stateEvents, .metadataLists] : [.notes, .stateEvents, .metadataLists]
        // What comes last would be kept back again and again by a limit that lets through one request.
        if owesStateEvents, readsStateEvents, due.reason != .metadataLists { remaining.swapAt(0, 1) }
        guard owesMetadataLists else { return }
        remaining.removeLast()
        remaining.insert(.metadataLists, at: 0)
    }

    /// The next question; nil when the item has been asked for everything. A list that GitLab does not offer is not worth a request,
    /// and no list of an item is that is not there.
    mutating func next(offered: Capabilities) -> Question? {
        while !remaining.isEmpty {
            switch remaining.removeFirst() {
            case .notes:
                if health != .missing, admits(offered.notes) {
                    return .notes(reconciling.notes ? .everything : .untilKnown)
                }
            case .stateEvents:
                if !readsStateEvents {
                    lists.append(.unknown)
                } else if health != .missing, admits(offered.stateEvents) {
                    return .stateEvents(from: resume)
                }
            case .metadataLists: if health != .missing { return .metadataLists }
            }
        }
        return nil
    }

    private mutating func admits(_ isOffered: Bool) -> Bool {
        if !isOffered { lists.append(.unavailable) }
        return isOffered
    }

    mutating func take(_ reading: ListReading<NotesScan>) {
        notes = reading
        isHeldBack = isHeldBack || reading.failure?.isHeldBack ?? false
        lists.append(reading.isPartial ? .unknown : .read)
    }

    mutating func take(_ reading: ListReading<StateEventsScan>) {
        stateEvents = reading
        lists.append(.read)
    }

    /// Another account was shown, in a look that began at `lookedAt`, that the state events are as this one knows them.
    mutating func spareStateEvents(lookedAt: MonotonicInstant) {
        sparedStateEvents = lookedAt
        lists.append(.unknown)
    }

    mutating func take(_ readings: [MetadataReading], isAnswered: Bool = false, isHeldBack: Bool = false) {
        metadataLists = readings
        (areMetadataListsAnswered, areMetadataListsHeldBack) = (isAnswered, isHeldBack)
    }

    /// A list could not be read.
    mutating func take(_ error: GitLabError) {
        health = error.reading
        isHeldBack = isHeldBack || error.isHeldBack
        switch error {
        case .notFound(isRoute: true): lists.append(.unavailable)
        case .rateLimited, .notAsked, .spared, .unauthorized: lists.append(.unknown)
        default: lists.append(error.reading == .failed ? .failed : .unknown)
        }
    }

    // MARK: What it comes to

    /// True when it brought nothing new.
    var isQuiet: Bool { notes?.isQuiet != false && stateEvents?.isQuiet != false && metadataLists.isEmpty }

    /// When it began as far as its notes go: since then each of them was looked at.
    var notesSince: MonotonicInstant { rest?.since ?? startedAt }

    /// True when there are more new comments than may be held: what was found is kept, and the rest is read from end to end then. Or when a limit
    /// ended it, and the next goes on there.
    var isPartial: Bool { notes?.isPartial ?? false }

    /// True when a limit kept the state events from being read.
    var lacksStateEvents: Bool {
        isHeldBack && readsStateEvents && stateEvents == nil && sparedStateEvents == nil
    }

    /// True when GitLab has answered with notes, and a limit kept the state events from being asked for.
    var owesStateEvents: Bool { lacksStateEvents && notes?.isSpared == false }

    /// True when nothing that was asked for is missing.
    var isSatisfied: Bool { health == .read && !isPartial && lists.allSatisfy { $0 == .read || $0 == .unknown } }

    /// Whether it says anything about when the item is due again: sweeps know nothing of the other reasons.
    var countsAsLook: Bool { due.reason != .everyCycle && due.reason != .metadataLists }

    /// True when every row that there was has been read.
    var isComplete: Bool { health == .read && lists.allSatisfy { $0 == .read } && stateEvents != nil }

    /// True when neither of the two lists was left out. A list that GitLab does not offer counts as looked at.
    var isOfEveryList: Bool { readsStateEvents && sparedStateEvents == nil && due.reason != .metadataLists }

    /// True when something that was asked for was read, if by another's look.
    var hasAnswer: Bool { notes != nil || stateEvents != nil || !metadataLists.isEmpty }

    /// True when GitLab has answered about one of its lists, be it as it was.
    var isAnswered: Bool { hasAnswer || areMetadataListsAnswered }

    /// True when it was to read a list from end to end, and every row of it was looked at, known or not.
    var isReconciled: Bool {
        guard isSatisfied, !reconciling.isEmpty else { return false }
        if reconciling.notes, let notes, !notes.scan.isWhole || notes.failure != nil { return false }
        return !reconciling.stateEvents || stateEvents?.scan.isWhole ?? true
    }

    /// Extra lists that were read for the first time: what they show is known from now on.
    var firstReadings: [MetadataList] {
        metadataLists.compactMap { reading in
            guard case .events(let list, _, .since, _) = reading else { return nil }
            return list
        }
    }

    /// What is to be committed. `moment` says by whose clock the rows of a list are judged, given GitLab's time at its last page; what a list
    /// shows of the time before the watch is known by its `beginning`.
    func commit(
        of account: AccountID,
        _ watched: WatchedItem,
        by rules: FactRules,
        since beginning: WatchBeginning = WatchBeginning(),
        _ moment: (WallTime?) -> FactRules.Moment
    ) -> FactCommit {
        var commit = FactCommit(account: account, watch: due.watch)
        commit.serverTime = [notes?.serverTime, stateEvents?.serverTime].compactMap { $0 }.max()
        if let notes {
            let moment = moment(notes.serverTime).notBefore(beginning.notesSince)
            for note in notes.scan.found.reversed() {
                commit.advance.notes.append(note.id)
                if let candidate = rules.candidate(note, on: watched, at: moment) {
                    commit.candidates.append(candidate)
                } else if note.isSystem, due.item.kind == .issue,
                    case .moved(let destination) = SystemNote(body: note.body)
                {
                    commit.move = (destination, note.createdAt ?? moment.now)
                } else {
                    commit.droppedSystemNotes += 1
                }
            }
        }
        if let stateEvents {
            let moment = moment(stateEvents.serverTime).notBefore(beginning.stateEventsSince)
            for event in stateEvents.scan.found {
                commit.advance.stateEvents.append(event.id)
                commit.candidates.append(rules.candidate(event, on: watched, at: moment))
            }
        }
        for reading in metadataLists { reading.add(to: &commit, watched, by: rules, moment) }
        return commit
    }
}

extension ListReading {
    /// True when the list brought nothing new.
    var isQuiet: Bool { scan.found.isEmpty }
}

extension FactCommit {
    /// Adds new to-dos behind what the commit holds.
    mutating func add(_ todos: [TodoRow], by rules: FactRules, at now: WallTime) {
        for todo in todos.reversed() {
            advance.todos.append(todo.id)
            candidates.append(rules.candidate(todo, at: FactRules.Moment(now: now, backdatedBefore: now)))
        }
    }
}

extension GitLabError {
    /// What a reading that ended so says about its item.
    var reading: ItemHealth.Reading {
        if isAboutItem { return .missing }
        switch self {
        // Another release may have the list; the project's feed stands in for it.
        case .notFound(isRoute: true), .crowded, .spared: return .interrupted
        // An answer that does not come in time may well be the item's own: a list that is too expensive.
        case .unreachable(let failure) where failure != .timedOut && failure != .responseTooLarge: return .interrupted
        default: return .failed
        }
    }
}
