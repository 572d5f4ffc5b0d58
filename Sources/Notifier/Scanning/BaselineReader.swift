import HTTP

/// Everything that exists before somebody watches: it is recorded as seen and never told (GitLab facts §18, traps 8, 9).
struct ItemBaseline: Hashable, Sendable {
    var noteIDs: [Int64]
    var stateEventIDs: [Int64]
    /// How many requests the reading took, for the account's budget.
    var requests: Int
}

/// The to-dos that were pending when the account was made.
struct TodosBaseline: Hashable, Sendable {
    var todoIDs: [Int64]
    /// How many requests the reading took, for the account's budget.
    var requests: Int
}

/// Reads baselines: every list to its last page, or an error and nothing.
struct BaselineReader: Sendable {
    private let reader: ListReader

    init(client: GitLabClient) {
        reader = ListReader(client: client, gate: nil)
    }

    /// The ids of all pending to-dos.
    func todosBaseline() async throws(GitLabError) -> TodosBaseline {
        let reading = try await read(.todos, by: TodosScan())
        return TodosBaseline(todoIDs: reading.scan.found.map(\.id), requests: reading.requests)
    }

    /// The ids of all notes and state events of an item.
    func itemBaseline(_ item: ItemReference) async throws(GitLabError) -> ItemBaseline {
        let notes = try await readOffered(.notes(item), by: NotesScan(extent: .everything))
        let scan = StateEventsScan(resume: nil, rowsPerPage: reader.client.rowsPerPage)
        let events = try await readOffered(.stateEvents(item), by: scan)
        return ItemBaseline(
            noteIDs: notes?.scan.found.map(\.id) ?? [],
            stateEventIDs: events?.scan.found.map(\.id) ?? [],
            requests: (notes?.requests ?? 1) + (events?.requests ?? 1)
        )
    }

    /// Nil when this GitLab has no such list. Should it come with an upgrade, rows older than the watch are no news
    /// (``FactRules/Moment``).
    private func readOffered<Scan: ListScan>(
        _ source: ListSource,
        by scan: Scan
    ) async throws(GitLabError) -> ListReading<Scan>? {
        do {
            return try await read(source, by: scan)
        } catch .notFound(isRoute: true) {
            return nil
        }
    }

    private func read<Scan: ListScan>(
        _ source: ListSource,
        by scan: Scan
    ) async throws(GitLabError) -> ListReading<Scan> {
        try await reader.read(reader.client.list(source), by: scan, known: IDSet(), memory: nil)
    }
}
