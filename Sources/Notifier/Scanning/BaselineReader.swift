import HTTP
import Platform

/// Everything that exists before somebody watches: it is recorded as seen and never told (GitLab facts §18, traps 8, 9).
struct ItemBaseline: Hashable, Sendable {
    var noteIDs: [Int64]
    var stateEventIDs: [Int64]
    /// Who has approved the merge request; nil for an issue, and where that cannot be read: then the first look at the list begins it.
    var approvers: [Int64]?
    /// How many requests the reading took, for the account's budget.
    var requests: Int
}

/// The to-dos that were pending when the account was made.
struct TodosBaseline: Hashable, Sendable {
    var todoIDs: [Int64]
    /// How many requests the reading took, for the account's budget.
    var requests: Int
}

/// A row of which nothing but its id matters.
private struct BareRow: IdentifiedRow {
    var id: Int64
    var heldBytes: Int { 64 }
}

/// Reads baselines: every list to its last page, or an error and nothing.
struct BaselineReader: Sendable {
    private let reader: ListReader

    /// Without a clock a list may take any time.
    init(client: GitLabClient, time: (any TimeSource)? = nil) {
        reader = ListReader(client: client, gate: nil, time: time)
    }

    /// The ids of all pending to-dos.
    func todosBaseline() async throws(GitLabError) -> TodosBaseline {
        let reading = try await read(.todos)
        return TodosBaseline(todoIDs: reading.scan.found.map(\.id), requests: reading.requests)
    }

    /// The ids of all notes and state events of an item, and who approves it.
    func itemBaseline(_ item: ItemReference) async throws(GitLabError) -> ItemBaseline {
        let notes = try await readOffered(.notes(item))
        let events = try await readOffered(.stateEvents(item))
        let isMergeRequest = item.kind == .mergeRequest
        return ItemBaseline(
            noteIDs: notes?.scan.found.map(\.id) ?? [],
            stateEventIDs: events?.scan.found.map(\.id) ?? [],
            approvers: isMergeRequest ? try await approvers(of: item) : nil,
            requests: (notes?.requests ?? 1) + (events?.requests ?? 1) + (isMergeRequest ? 1 : 0)
        )
    }

    /// Read after the notes: an approval in between is told by its note. Nil where this GitLab does not show the list: the item's own
    /// lists are what matters, and they could be read.
    private func approvers(of item: ItemReference) async throws(GitLabError) -> [Int64]? {
        do {
            return try await reader.client.approvals(of: item).answer.entries.map(\.user.id)
        } catch .notFound, .forbidden {
            return nil
        }
    }

    /// Nil when this GitLab has no such list. Should it come with an upgrade, rows older than the watch are no news
    /// (``FactRules/Moment``).
    private func readOffered(_ source: ListSource) async throws(GitLabError) -> ListReading<CompleteScan<BareRow>>? {
        do {
            return try await read(source)
        } catch .notFound(isRoute: true) {
            return nil
        }
    }

    /// Where a page is too large for its long rows, the list is read once more in smaller ones.
    private func read(_ source: ListSource) async throws(GitLabError) -> ListReading<CompleteScan<BareRow>> {
        var list = reader.client.list(source)
        while true {
            do throws(GitLabError) {
                let scan = CompleteScan<BareRow>(limits: ScanLimits(rowsPerPage: list.rowsPerPage))
                let reading = try await reader.read(list, by: scan, known: IDSet(), memory: nil)
                guard !reading.isPartial else { throw .crowded }
                return reading
            } catch .unreachable(.responseTooLarge) {
                guard let smaller = list.withSmallerPages else { throw .unreachable(.responseTooLarge) }
                list = smaller
            }
        }
    }
}
