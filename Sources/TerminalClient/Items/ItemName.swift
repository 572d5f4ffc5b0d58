import NotifierKit

/// An item as a person writes it: its address in GitLab, `team/app!847`, `team/app#3`, or `42!847` by the project's number.
struct ItemName: Equatable, CustomStringConvertible {
    /// Which project it is in.
    enum Project: Equatable {
        case number(Int64)
        /// Such as `team/app`; of an address perhaps with the path before it under which GitLab is served.
        case path(String)
    }

    var project: Project
    var kind: ItemKind
    var iid: Int64

    /// - Throws: `TerminalError.usage` for a text that names no item.
    init(_ text: String) throws(TerminalError) {
        guard let read = Self.address(text) ?? Self.short(text) else {
            throw .usage(
                "\"\(text)\" names no item",
                hint: "write its address in GitLab, or team/app!847 (merge request), team/app#3 (issue), 42!847"
            )
        }
        self = read
    }

    private init(_ project: Project, _ kind: ItemKind, _ iid: Int64) {
        (self.project, self.kind, self.iid) = (project, kind, iid)
    }

    var description: String {
        switch project {
        case .number(let number): "\(number)\(kind.sign)\(iid)"
        case .path(let path): "\(path)\(kind.sign)\(iid)"
        }
    }

    /// Whether a project of that number and path is the one meant.
    func isIn(project number: Int64, path: String?) -> Bool {
        switch project {
        case .number(let wanted): return wanted == number
        case .path(let wanted):
            guard let path = path?.lowercased() else { return false }
            return wanted.lowercased() == path || wanted.lowercased().hasSuffix("/" + path)
        }
    }

    private static func address(_ text: String) -> ItemName? {
        guard text.hasPrefix("https://") || text.hasPrefix("http://") else { return nil }
        // What stands behind the number, such as `#note_7` or `/diffs`, is about a part of the item.
        let path = text.prefix { $0 != "#" && $0 != "?" }.split(separator: "/").dropFirst(2)
        guard let dash = path.firstIndex(of: "-"), dash > path.startIndex, path.endIndex > dash + 2,
            let iid = number(path[dash + 2])
        else { return nil }
        let project = Project.path(path[..<dash].joined(separator: "/"))
        switch path[dash + 1] {
        case "merge_requests": return ItemName(project, .mergeRequest, iid)
        case "issues", "work_items": return ItemName(project, .issue, iid)
        default: return nil
        }
    }

    private static func short(_ text: String) -> ItemName? {
        guard let index = text.lastIndex(where: { $0 == "!" || $0 == "#" }),
            let iid = number(text[text.index(after: index)...])
        else { return nil }
        let kind: ItemKind = text[index] == "!" ? .mergeRequest : .issue
        let project = text[..<index]
        if let id = number(project) { return ItemName(.number(id), kind, iid) }
        guard project.contains("/"), !project.hasPrefix("/"), !project.hasSuffix("/"),
            !project.contains(where: \.isWhitespace)
        else { return nil }
        return ItemName(.path(String(project)), kind, iid)
    }

    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text), number > 0
        else { return nil }
        return number
    }
}
