import HTTP
import Platform

/// Everything that exists before somebody watches: it is recorded as seen and never told (GitLab facts §18, traps 8, 9).
struct ItemBaseline: Hashable, Sendable {
    /// The notes that were there.
    enum Notes: Hashable, Sendable {
        /// Each by its id.
        case all([Int64])
        /// Everything up to this id: there were more than are read before a watch begins.
        case upTo(Int64)
    }

    var notes: Notes
    var stateEventIDs: [Int64]
    /// Who has approved the merge request; nil for an issue, and where that cannot be read: then the first look at the list begins it.
    var approvers: [Int64]?
    /// How many requests the reading took, for the account's budget.
    var requests: Int
    /// Where this GitLab has no list of notes, what its clock showed: what is older is no news should the list come. Nil where it has one, and
    /// where its clock is not known.
    var notesSince: WallTime?
    /// As `notesSince`, for state events.
    var stateEventsSince: WallTime?
}

/// The to-dos that were pending when the account was made.
struct TodosBaseline: Hashable, Sendable {
    var todoIDs: [Int64]
    /// How many requests the reading took, for the account's budget.
    var requests: Int
}

/// What was read of an item's baseline before a limit ended the reading, so that another goes on with it: what is older than the watch is known
/// by its time, whenever it is read.
struct BaselineProgress: Sendable {
    /// A list that was answered for.
    fileprivate struct Part<Scan: ListScan>: Sendable {
        /// Nil where this GitLab has no such list.
        var reading: ListReading<Scan>?
    }

    /// What the item was found to be.
    var details: ItemDetails?
    fileprivate var notes: Part<BaselineScan>?
    fileprivate var stateEvents: Part<CompleteScan<BareRow>>?
}

/// Reads baselines, or an error and nothing: every list to its last page, but for the notes of an item that has very many.
struct BaselineReader: Sendable {
    /// Pages of notes that are read at most.
    static let notePages = 10
    /// How long GitLab may take for them: somebody waits for the answer.
    private static let noteTime = Duration.seconds(10)
    /// Requests that follow those for the notes: state events and approvals.
    private static let otherRequests = 2
    /// Requests for the beginning of a watch, at least.
    static let leastRequests = 1 + otherRequests

    private let reader: ListReader
    private let notePages: Int

    /// Reads only as many pages of notes as leave requests for the rest where `requestsLeft` says how many may be sent at once. Without a
    /// clock a list may take any time.
    init(client: GitLabClient, time: (any TimeSource)? = nil, requestsLeft: Int? = nil) {
        reader = ListReader(client: client, gate: nil, time: time)
        notePages = min(Self.notePages, max(requestsLeft.map { $0 - Self.otherRequests } ?? .max, 1))
    }

    /// The ids of all pending to-dos.
    func todosBaseline() async throws(GitLabError) -> TodosBaseline {
        let reading = try await read(.todos) { CompleteScan<BareRow>(limits: $0) }
        return TodosBaseline(todoIDs: reading.scan.found.map(\.id), requests: reading.requests)
    }

    /// The ids of all notes and state events of an item, and who approves it; of those that were written before `instant` by GitLab's
    /// clock, where one is given.
    func itemBaseline(_ item: ItemReference, before instant: WallTime? = nil) async throws(GitLabError) -> ItemBaseline
    {
        var progress = BaselineProgress()
        return try await itemBaseline(item, before: instant, goingOnWith: &progress)
    }

    /// The same, but for what was read before; where it fails, what it has read is there for another reading.
    func itemBaseline(
        _ item: ItemReference,
        before instant: WallTime?,
        goingOnWith progress: inout BaselineProgress
    ) async throws(GitLabError) -> ItemBaseline {
        // First what is needed whole: a limit may end the notes.
        if progress.stateEvents == nil {
            let reading = try await readOffered(.stateEvents(item)) { CompleteScan<BareRow>(limits: $0) }
            progress.stateEvents = BaselineProgress.Part(reading: reading)
        }
        if progress.notes == nil {
            let reading = try await readOffered(.notes(item), within: Self.noteTime) {
                BaselineScan(pages: notePages, before: instant, limits: $0)
            }
            progress.notes = BaselineProgress.Part(reading: reading)
        }
        let (notes, events) = (progress.notes?.reading, progress.stateEvents?.reading)
        let isMergeRequest = item.kind == .mergeRequest
        let readAt = instant ?? events?.serverTime ?? notes?.serverTime
        return ItemBaseline(
            notes: notes?.scan.notes(before: instant) ?? .all([]),
            stateEventIDs: events?.scan.found.filter { $0.isOlder(than: instant) }.map(\.id) ?? [],
            approvers: isMergeRequest ? try await approvers(of: item) : nil,
            requests: (notes?.requests ?? 1) + (events?.requests ?? 1) + (isMergeRequest ? 1 : 0),
            notesSince: notes == nil ? readAt : nil,
            stateEventsSince: events == nil ? readAt : nil
        )
    }

    /// Read after the notes: an approval in between is told by its note. Nil where this GitLab does not show the list, or a limit keeps
    /// it back: the item's own lists are what matters, and they could be read.
    private func approvers(of item: ItemReference) async throws(GitLabError) -> [Int64]? {
        do {
            return try await reader.client.approvals(of: item).answer.entries.map(\.user.id)
        } catch .notFound, .forbidden, .rateLimited, .notAsked {
            return nil
        }
    }

    /// Nil when this GitLab has no such list. Should it come with an upgrade, rows older than the watch are no news
    /// (``ItemBaseline/notesSince``, ``FactRules/Moment``).
    private func readOffered<Scan: ListScan>(
        _ source: ListSource,
        within answering: Duration? = nil,
        by scan: (ScanLimits) -> Scan
    ) async throws(GitLabError) -> ListReading<Scan>? {
        do {
            return try await read(source, within: answering, by: scan)
        } catch .notFound(isRoute: true) {
            return nil
        }
    }

    /// Where a page is too large for its long rows, the list is read once more in smaller ones.
    private func read<Scan: ListScan>(
        _ source: ListSource,
        within answering: Duration? = nil,
        by scan: (ScanLimits) -> Scan
    ) async throws(GitLabError) -> ListReading<Scan> {
        var list = reader.client.list(source)
        var bounds = ListBounds()
        if let answering { bounds.answering = answering }
        reader.bounds = bounds
        while true {
            do throws(GitLabError) {
                let scan = scan(ScanLimits(rowsPerPage: list.rowsPerPage))
                let reading = try await reader.read(list, by: scan, known: IDSet(), memory: nil)
                guard !reading.isPartial || reading.scan.isSufficient else { throw reading.failure ?? .crowded }
                return reading
            } catch .unreachable(.responseTooLarge) {
                guard let smaller = list.withSmallerPages else { throw .unreachable(.responseTooLarge) }
                list = smaller
            }
        }
    }
}
