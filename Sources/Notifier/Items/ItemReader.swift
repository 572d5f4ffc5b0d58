import Platform

/// Reads a person's items from the lists in which they stand, with a bounded number of requests.
struct ItemReader: Sendable {
    /// Pages of a list of items: more than one is read only when many were updated in one millisecond.
    static let pageLimit = 10
    /// Pages of the pending to-dos; those beyond are old.
    static let todoPageLimit = 3

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
        var found: [ListedItem] = []
        var page = 1
        for _ in 0..<pageLimit(of: source) {
            let read = try await client.items(source, page: page, perPage: perPage(source, query))
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

    /// What is dealt with is read one page far: the newest.
    private func pageLimit(of source: ItemSource) -> Int {
        guard case .todos(let isDone, _) = source else { return Self.pageLimit }
        return isDone ? 1 : Self.todoPageLimit
    }

    private func perPage(_ source: ItemSource, _ query: ItemQuery) -> Int {
        isTodos(source) ? client.rowsPerPage : min(client.rowsPerPage, max(query.limit + 6, Self.smallestPage))
    }

    /// Beyond the limit there is room for items that share the cursor's instant.
    private static let smallestPage = 20
}
