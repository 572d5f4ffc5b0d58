import Configuration

/// What a system note tells. REST gives its text only, whose wording drifts between versions: reviews are matched
/// exactly, pushes loosely, changes of people by their beginning, and everything else is dropped (GitLab facts §8.2, trap 16).
enum SystemNote: Hashable, Sendable {
    case approved, unapproved, changesRequested, pushed
    /// Who was added, by username, and the whole text.
    case assignees(added: [String], text: String)
    case reviewers(added: [String], text: String)
    /// The issue goes on elsewhere.
    case moved(to: IssueDestination)
    /// Something that is told by another source, or not at all: closes and merges come as state events.
    case other

    init(body: String) {
        switch body {
        case "approved this merge request": self = .approved
        case "unapproved this merge request": self = .unapproved
        case "requested changes": self = .changesRequested
        default: self = Self.isPush(body) ? .pushed : Self.people(body) ?? Self.move(body) ?? .other
        }
    }

    /// The action to tell the person of that name, if any.
    func action(for username: String) -> Action? {
        switch self {
        case .assignees(let added, _): Self.contains(added, username) ? .assigned : .assigneesChanged
        case .reviewers(let added, _): Self.contains(added, username) ? .reviewRequested : .reviewersChanged
        case .approved: .approved
        case .unapproved: .unapproved
        case .changesRequested: .changesRequested
        case .pushed: .pushed
        case .moved, .other: nil
        }
    }

    /// What a person must have switched on to hear of it; nil for what its action says.
    var kind: ActivityKind? {
        switch self {
        case .assignees: .assignees
        case .reviewers: .reviewers
        case .approved, .unapproved, .changesRequested, .pushed, .moved, .other: nil
        }
    }

    /// What a push says beyond the action.
    var detail: String? {
        switch self {
        case .assignees(_, let text), .reviewers(_, let text): text
        case .approved, .unapproved, .changesRequested, .pushed, .moved, .other: nil
        }
    }

    private static func contains(_ names: [String], _ username: String) -> Bool {
        names.contains { $0.lowercased() == username.lowercased() }
    }

    /// `assigned to @a and @b and unassigned @c`, `requested review from @a`, `removed review request for @c`.
    private static func people(_ body: String) -> SystemNote? {
        guard body.utf8.count <= longestList, !body.contains(where: \.isNewline) else { return nil }
        if body.hasPrefix("assigned to @") || body.hasPrefix("unassigned @") {
            return .assignees(added: names(in: body, until: "unassigned"), text: body)
        }
        if body.hasPrefix("requested review from @") || body.hasPrefix("removed review request for @") {
            let added = names(in: body, until: "removed")
            return .reviewers(added: added, text: body)
        }
        return nil
    }

    /// `moved to group/project#11`, or `moved to project#11` within the group.
    private static func move(_ body: String) -> SystemNote? {
        let words = "moved to "
        guard body.hasPrefix(words) else { return nil }
        return IssueDestination(notation: body.dropFirst(words.count)).map { .moved(to: $0) }
    }

    /// A note that names more people than that is none of these.
    private static let longestList = 8_192

    /// The names before `word`, which begins what takes people away.
    private static func names(in body: String, until word: String) -> [String] {
        body.split(separator: " ").prefix { $0 != word }.filter { $0.hasPrefix("@") }
            .map { String($0.dropFirst().prefix { $0 != "," }) }
    }

    /// `added 2 commits`, and whatever stands behind it.
    private static func isPush(_ body: String) -> Bool {
        let words = body.prefix(64).split(separator: " ", maxSplits: 2)
        guard words.count == 3, words[0] == "added", words[1].allSatisfy(\.isNumber) else { return false }
        return words[2].hasPrefix("commit") || words[2].hasPrefix("new commit")
    }
}
