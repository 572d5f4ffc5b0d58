/// Whether an item is an issue or a merge request.
package enum ItemKind: String, Sendable, Hashable, CaseIterable {
    case issue
    case mergeRequest = "merge_request"

    /// The class name GitLab uses in `noteable_type`, `target_type` and `resource_type`.
    var className: String { self == .issue ? "Issue" : "MergeRequest" }

    /// The mark before the iid: `#` or `!`.
    var mark: Character { self == .issue ? "#" : "!" }

    /// The item's folder in addresses.
    var folder: String { self == .issue ? "issues" : "merge_requests" }
}

/// Names one item in GitLab's notation: `team/backend#234` is an issue, `team/backend!847` a merge request.
package struct ItemReference: Sendable, Hashable, CustomStringConvertible {
    /// The project's full path.
    package let project: String
    /// Issue or merge request.
    package let kind: ItemKind
    /// The number that people see.
    package let iid: Int64

    package init(project: String, kind: ItemKind, iid: Int64) {
        self.project = project
        self.kind = kind
        self.iid = iid
    }

    /// Reads GitLab's notation.
    ///
    /// - Throws: `FakeGitLabError` with `invalidReference` when `text` is anything else.
    init(_ text: String) throws {
        guard let mark = text.lastIndex(where: { $0 == "!" || $0 == "#" }), mark > text.startIndex,
            let iid = Int64(text[text.index(after: mark)...]), iid > 0
        else {
            throw FakeGitLabError(
                .invalidReference,
                "\"\(text)\" names no issue or merge request.",
                hint: "Write team/backend#234 for an issue, team/backend!847 for a merge request."
            )
        }
        self.init(project: String(text[..<mark]), kind: text[mark] == "#" ? .issue : .mergeRequest, iid: iid)
    }

    package var description: String { "\(project)\(kind.mark)\(iid)" }
}
