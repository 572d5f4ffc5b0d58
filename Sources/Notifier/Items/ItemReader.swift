import Platform

/// Reads a person's items from the lists in which they stand, with a bounded number of requests.
struct ItemReader: Sendable {
    /// How many times as many rows of a list of items are read as an answer takes: more than once only when many were updated in one millisecond.
    static let fillings = 10
    /// Pending to-dos that are looked at; those beyond are old.
    static let todoLimit = 300
    /// To-dos that are dealt with: the newest.
    static let doneTodoLimit = 100

    let client: GitLabClient
    let user: Int64

    /// What was found.
    struct Reading: Sendable {
        var entries: [ItemMerge.Entry]
        /// Nil on the last page.
        var next: ItemCursor?
    }

    /// One page of the items that were asked for.
    ///
    /// - Throws: the first failure.
    func read(_ query: ItemQuery) async throws(GitLabError) -> Reading {
        var merge = ItemMerge()
        for (source, involvement) in query.sources(user: user) {
            let found = try await read(source, query)
            merge.add(found, involvement)
        }
        let (entries, hasMore) = merge.page(limit: query.limit)
        let next = hasMore ? entries.last.map { ItemCursor($0.item) } : nil
        return Reading(entries: entries, next: next)
    }

    /// One more item than the answer has room for is enough of each list, for all of them are in the same order; to-dos are in
    /// another, and read as far as they may be.
    private func read(_ source: ItemSource, _ query: ItemQuery) async throws(GitLabError) -> [ListedItem] {
        let rows = rowsPerPage(source, query)
        var found: [ListedItem] = []
        var page = 1
        for _ in 0..<pageLimit(of: source, query, rowsPerPage: rows) {
            let read = try await client.items(source, page: page, perPage: rows)
            found += read.rows.filter { $0.actionName == nil || $0.isMention }.compactMap(\.item).filter(query.accepts)
            guard let next = read.head.nextPage, isTodos(source) || found.count <= query.limit else { break }
            page = next
        }
        return found
    }

    private func isTodos(_ source: ItemSource) -> Bool {
        guard case .todos = source else { return false }
        return true
    }

    /// However few rows a page has, there are as many rows.
    private func pageLimit(of source: ItemSource, _ query: ItemQuery, rowsPerPage rows: Int) -> Int {
        switch source {
        case .todos(let isDone, _):
            ScanLimits(rows: isDone ? Self.doneTodoLimit : Self.todoLimit, rowsPerPage: rows).pages
        default: ScanLimits(rows: Self.fillings * Self.filling(query), rowsPerPage: rows).pages
        }
    }

    private func rowsPerPage(_ source: ItemSource, _ query: ItemQuery) -> Int {
        isTodos(source) ? client.rowsPerPage : min(client.rowsPerPage, Self.filling(query))
    }

    /// Rows for one answer. Beyond its limit there is room for items that share the cursor's instant.
    private static func filling(_ query: ItemQuery) -> Int { max(query.limit + 6, 20) }
}
