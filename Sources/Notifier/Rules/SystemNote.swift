/// What a system note tells. REST gives its text only, whose wording drifts between versions: approvals are matched
/// exactly, pushes loosely, and everything else is dropped (GitLab facts §8.2, trap 16).
enum SystemNote: Hashable, Sendable {
    case approved, unapproved, pushed
    /// Something that is told by another source, or not at all: closes and merges come as state events.
    case other

    init(body: String) {
        switch body {
        case "approved this merge request": self = .approved
        case "unapproved this merge request": self = .unapproved
        default: self = Self.isPush(body) ? .pushed : .other
        }
    }

    /// The action to tell, if any.
    var action: Action? {
        switch self {
        case .approved: .approved
        case .unapproved: .unapproved
        case .pushed: .pushed
        case .other: nil
        }
    }

    /// `added 2 commits`, and whatever stands behind it.
    private static func isPush(_ body: String) -> Bool {
        let words = body.prefix(64).split(separator: " ", maxSplits: 2)
        guard words.count == 3, words[0] == "added", words[1].allSatisfy(\.isNumber) else { return false }
        return words[2].hasPrefix("commit") || words[2].hasPrefix("new commit")
    }
}
