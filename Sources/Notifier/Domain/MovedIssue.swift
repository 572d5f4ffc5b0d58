import Platform

/// Where an issue goes on, as GitLab writes it in a text.
struct IssueDestination: Hashable, Sendable {
    /// The project's path, such as `team/backend`; its own name alone where it lies in the group of the issue that was moved.
    var project: String
    var iid: Int64

    /// GitLab's own bound of a path, twenty groups deep, is longer than any that is in use.
    private static let longestPath = 1_024

    init(project: String, iid: Int64) {
        self.project = project
        self.iid = iid
    }

    /// Reads `group/project#11`; nil for everything else, so that no text leads a request elsewhere.
    init?(notation: Substring) {
        guard notation.utf8.count <= Self.longestPath, let mark = notation.lastIndex(of: "#"),
            let iid = Int64(notation[notation.index(after: mark)...]), iid > 0
        else { return nil }
        let names = notation[..<mark].split(separator: "/", omittingEmptySubsequences: false)
        guard names.allSatisfy(Self.isName) else { return nil }
        self.init(project: String(notation[..<mark]), iid: iid)
    }

    /// Letters, digits, `_`, `-` and `.`, but no dots alone: what GitLab allows in a path (GitLab facts §1).
    private static func isName(_ name: Substring) -> Bool {
        guard !name.isEmpty, name.contains(where: { $0 != "." }) else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x39,
                UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
    }

    /// With the whole path, seen from the project that the issue left.
    func resolved(from origin: String?) -> IssueDestination {
        guard !project.contains("/"), let origin, let slash = origin.lastIndex(of: "/") else { return self }
        return IssueDestination(project: "\(origin[...slash])\(project)", iid: iid)
    }
}

/// A watched issue that was moved to another project, until the watch has followed it.
struct MovedIssue: Hashable, Sendable {
    var watch: WatchID
    var destination: IssueDestination
    /// By GitLab's clock: what was written there since is news.
    var movedAt: WallTime
    /// When it was found out, by our clock.
    var noticedAt: WallTime

    /// How long the other end is looked for: it may not be readable yet, or never for this person.
    private static let patience = Duration.minutes(15)
    /// The same where it is forbidden: what a person may not see GitLab calls missing, so that something in between has forbidden it, and
    /// may do so for hours.
    private static let forbiddenPatience = Duration.days(1)

    /// Whether to look no more for what has waited for so long; `isForbidden` says how GitLab answered last.
    static func isGivenUp(after wait: Duration, isForbidden: Bool) -> Bool {
        wait > (isForbidden ? forbiddenPatience : patience)
    }
}
