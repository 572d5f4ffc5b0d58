import NotifierKit

/// One of the parts of the list of GitLab's items that a screen can ask for, another each time.
struct ItemFilterCheck {
    private static let page: Int64 = 10
    private static let mostPages = 40

    private let query: ItemQuery
    /// What it asks for, in words.
    let name: String
    /// Whether an entry belongs to it.
    private let accepts: @Sendable (ItemPage.Entry) -> Bool
    /// Whether all that it lists is open.
    private let isOfOpen: Bool

    /// The one of that number.
    ///
    /// - Parameters:
    ///   - number: any.
    ///   - project: of one of the items, by GitLab's number; nil where there is none.
    init(number: Int, project: Int64?) {
        let all: [ItemFilterCheck] = [
            ItemFilterCheck("issues", ItemQuery(kind: .issue)) { $0.type == .issue },
            ItemFilterCheck("merge requests", ItemQuery(kind: .mergeRequest)) { $0.type == .mergeRequest },
            ItemFilterCheck("items of one project", ItemQuery(projectID: project)) {
                project == nil || $0.projectId == project
            },
            ItemFilterCheck("authored items", ItemQuery(involvement: "authored")) {
                $0.involvement.contains("authored")
            },
            ItemFilterCheck("assigned items", ItemQuery(involvement: "assigned")) {
                $0.involvement.contains("assigned")
            },
            ItemFilterCheck("items to review", ItemQuery(involvement: "reviewer")) {
                $0.involvement.contains("reviewer")
            },
            ItemFilterCheck("items of any state", ItemQuery(state: "all"), isOfOpen: false) { _ in true },
            ItemFilterCheck("closed items", ItemQuery(state: "closed"), isOfOpen: false) { $0.state == "closed" },
            ItemFilterCheck("merged items", ItemQuery(state: "merged"), isOfOpen: false) { $0.state == "merged" },
        ]
        self = all[number % all.count]
    }

    private init(
        _ name: String,
        _ query: ItemQuery,
        isOfOpen: Bool = true,
        accepts: @escaping @Sendable (ItemPage.Entry) -> Bool
    ) {
        (self.name, self.query, self.isOfOpen, self.accepts) = (name, query, isOfOpen, accepts)
    }

    /// All of it, page by page; nil where there is no end of it.
    func read(by kit: NotifierClient) async throws -> [ItemPage.Entry]? {
        var (entries, query): ([ItemPage.Entry], ItemQuery) = ([], self.query)
        query.limit = Self.page
        for _ in 0..<Self.mostPages {
            let page = try await kit.items(query)
            entries += page.items
            guard let next = page.nextCursor else { return entries }
            query.cursor = next
        }
        return nil
    }

    /// The first thing in which the part is none of the whole, where nothing changed between the two.
    ///
    /// - Parameters:
    ///   - part: what was listed of it.
    ///   - whole: all open items that were listed.
    ///   - theirs: those with which the person has to do.
    /// - Returns: a part of a sentence; nil where all is right.
    func difference(
        _ part: [ItemPage.Entry],
        of whole: [ItemPage.Entry],
        theirs: (NotifierKit::ItemReference) -> Bool
    ) -> String? {
        let (listed, open) = (part.map(\.item), Set(whole.map(\.item)))
        if Set(listed).count != listed.count { return "lists an item twice among \(name)" }
        for entry in part {
            guard accepts(entry) else { return "lists \(text(entry)) among \(name)" }
            // Of what only a to-do item leads to more may be found in a smaller list.
            guard theirs(entry.item), entry.state == "opened" || isOfOpen else { continue }
            if !open.contains(entry.item) { return "lists \(text(entry)) among \(name), and not among all" }
        }
        for entry in whole where theirs(entry.item) && accepts(entry) && !listed.contains(entry.item) {
            return "does not list \(text(entry)) among \(name)"
        }
        return nil
    }

    private func text(_ entry: ItemPage.Entry) -> String { "\(entry.projectId)\(entry.type.sign)\(entry.iid)" }
}
