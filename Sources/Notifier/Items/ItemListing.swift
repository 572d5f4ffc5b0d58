import Platform

/// What a person wants to see of their items.
struct ItemQuery: Hashable, Sendable {
    var project: ProjectID?
    var kind: ItemKind?
    /// Nil for any.
    var involvement: Involvement?
    /// `opened`, `closed`, `merged` or `all`.
    var state = "opened"
    /// Only what stands behind this place.
    var after: ItemCursor?
    /// How many items, from 1.
    var limit: Int

    /// The lists to ask, most promising first. Issues are never merged, so GitLab is not asked for those (it would answer 400).
    func sources(user: Int64) -> [(source: ItemSource, involvement: Involvement)] {
        var sources: [(ItemSource, Involvement)] = []
        let query = ItemSource.Query(
            user: user,
            project: project,
            state: state,
            // The next millisecond: the list shows less than GitLab compares with.
            updatedBefore: after?.updatedAt.advanced(by: .milliseconds(1))
        )
        for wanted in Involvement.allCases where involvement == nil || involvement == wanted {
            if wanted == .mentioned {
                sources += [false, true].map { (.todos(isDone: $0, project: project), wanted) }
                continue
            }
            for kind in [ItemKind.mergeRequest, .issue] where self.kind == nil || self.kind == kind {
                guard kind == .mergeRequest || (wanted != .reviewer && state != "merged") else { continue }
                sources.append((.items(kind, wanted, query), wanted))
            }
        }
        return sources
    }

    /// Whether an item is one that was asked for; lists of to-dos cannot be asked so precisely.
    func accepts(_ item: ListedItem) -> Bool {
        guard kind == nil || item.kind == kind, project == nil || item.projectID == project?.rawValue else {
            return false
        }
        guard state == "all" || item.state == state else { return false }
        return after.map { $0.precedes(item) } ?? true
    }
}

/// A place in the order of items: most recently updated first, then by kind and id. It names the last item of a page, so what is
/// updated meanwhile moves to the front and nothing is skipped for it.
struct ItemCursor: Hashable, Sendable {
    /// In whole milliseconds, as GitLab shows it.
    var updatedAt: WallTime
    var kind: ItemKind
    var id: Int64

    init(_ item: ListedItem) {
        updatedAt = item.updatedAt
        kind = item.kind
        id = item.id
    }

    /// Nil when the text was not made by ``text``.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let microseconds = Int64(parts[0], radix: 36), let id = Int64(parts[2], radix: 36),
            // Years beyond 9999 cannot be written into a request.
            (0..<253_402_300_800_000_000).contains(microseconds), id > 0, parts[1] == "i" || parts[1] == "m"
        else { return nil }
        updatedAt = WallTime(microseconds: microseconds)
        kind = parts[1] == "i" ? .issue : .mergeRequest
        self.id = id
    }

    /// For clients, to whom it means nothing.
    var text: String {
        let mark = kind == .issue ? "i" : "m"
        return "\(String(updatedAt.microseconds, radix: 36))-\(mark)-\(String(id, radix: 36))"
    }

    /// True when the item comes after this place.
    func precedes(_ item: ListedItem) -> Bool { Self.comes(self, before: ItemCursor(item)) }

    static func comes(_ left: ItemCursor, before right: ItemCursor) -> Bool {
        if left.updatedAt != right.updatedAt { return left.updatedAt > right.updatedAt }
        if left.kind != right.kind { return left.kind == .mergeRequest }
        return left.id > right.id
    }
}

/// Puts what the lists brought together: each item once, with every way in which the person has to do with it.
struct ItemMerge: Sendable {
    /// One item of the answer.
    struct Entry: Hashable, Sendable {
        var item: ListedItem
        var involvements: [Involvement]
    }

    private var entries: [ItemReference: Entry] = [:]

    /// Adds what one list brought.
    mutating func add(_ items: [ListedItem], _ involvement: Involvement) {
        for item in items {
            var entry = entries[item.reference] ?? Entry(item: item, involvements: [])
            if !entry.involvements.contains(involvement) { entry.involvements.append(involvement) }
            // Lists are read one after the other; the newest reading holds.
            if item.updatedAt > entry.item.updatedAt { entry.item = item }
            entries[item.reference] = entry
        }
    }

    /// The first `limit` items, and whether there are more.
    func page(limit: Int) -> (entries: [Entry], hasMore: Bool) {
        let sorted = entries.values.sorted { ItemCursor.comes(ItemCursor($0.item), before: ItemCursor($1.item)) }
        let page = sorted.prefix(limit).map { entry in
            var entry = entry
            entry.involvements = Involvement.allCases.filter(entry.involvements.contains)
            return entry
        }
        return (page, sorted.count > limit)
    }
}
