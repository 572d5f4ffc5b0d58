import Crypto
import FoundationEssentials
import Platform

/// An issue or merge request in a list (GitLab facts §7.1), as far as it tells that something was done to it, and what it is called.
struct ItemRow: IdentifiedRow, Hashable {
    /// The global id.
    var id: Int64
    /// The number within the project.
    var iid: Int64
    var fingerprint: ItemFingerprint
    var title: String?
    var webURL: String?
    /// Such as `team/backend`.
    var projectPath: String?

    private enum CodingKeys: String, CodingKey {
        case id, iid, state, sha, draft, labels, milestone, assignees, reviewers, title, references
        case webURL = "web_url"
        case dueDate = "due_date"
        case updatedAt = "updated_at"
        case commentCount = "user_notes_count"
    }

    /// What has an id, of which nothing else matters.
    private struct Identified: Decodable {
        var id: Int64
    }

    /// A milestone, as far as it matters.
    private struct Milestone: Decodable {
        var id: Int64
        var dueOn: DueDay?

        private enum CodingKeys: String, CodingKey {
            case id
            case dueDate = "due_date"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(Int64.self, forKey: .id)
            dueOn = container.line(.dueDate).flatMap { DueDay($0) }
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int64.self, forKey: .id)
        iid = try container.decode(Int64.self, forKey: .iid)
        // Who has to have it done, and whether it still is to be: without them a day that is asked about would seem to be off.
        let assignees = (try container.promised(.assignees, as: [Identified].self) ?? []).prefix(TextLimit.entries)
        let state = try container.promisedText(.state)
        let reviewers = container.entries(.reviewers, of: Identified.self)
        let milestone = container.optional(.milestone, as: Milestone.self)
        fingerprint = ItemFingerprint(
            updatedAt: container.time(.updatedAt),
            commentCount: container.optional(.commentCount) ?? 0,
            state: state,
            head: container.line(.sha),
            isDraft: container.flag(.draft),
            labels: container.entries(.labels, of: String.self).map { $0.cut(toBytes: TextLimit.line) },
            milestone: milestone?.id,
            // Merge requests have no day of their own (GitLab facts §7.1).
            dueOn: container.line(.dueDate).flatMap { DueDay($0) } ?? milestone?.dueOn,
            assignees: assignees.map(\.id),
            reviewers: reviewers.map(\.id)
        )
        title = container.line(.title)
        webURL = container.address(.webURL)
        projectPath = container.projectPath(.references)
    }
}

/// How an item looks in a list: two that differ mean that something was done to it in between.
///
/// The time alone is no measure. A note moves it at most once a minute and some changes never do (GitLab facts §7.1), whereas
/// comments are counted anew and labels and people are read anew for every answer.
struct ItemFingerprint: Hashable, Sendable {
    /// Nil when GitLab wrote no time that can be read.
    var updatedAt: WallTime?
    /// Comments of people; system notes do not count.
    var commentCount = 0
    /// An open set of words, such as `opened`, `closed`, `locked`, `merged`.
    var state = "opened"
    /// The newest commit of a merge request.
    var head: String?
    var isDraft = false
    var labels: [String] = []
    var milestone: Int64?
    /// The day by which it is due: its own, else its milestone's, whose change moves no `updated_at` of the item.
    var dueOn: DueDay?
    var assignees: [Int64] = []
    var reviewers: [Int64] = []

    /// False once it is closed or merged.
    var isOpen: Bool { state != "closed" && state != "merged" }

    /// The day by which that person has to have it done; nil for who has nothing to do with that.
    func dueOn(for person: Int64) -> DueDay? {
        isOpen && assignees.contains(person) ? dueOn : nil
    }

    /// The same for two rows only when they look the same; nothing of a row can be read from it.
    var validator: String { Self.digest(told + untold) }

    /// The same for two rows that differ in nothing but what the item's notes tell: whoever knows one of them and reads the notes needs no
    /// look at the other. Nothing of a row can be read from it.
    ///
    /// Of an item that is due on a day, who has to have it done is told by the row alone.
    var frame: String { Self.digest(untold + (dueOn == nil ? [] : [Self.text(assignees)])) }

    /// What notes tell, or what moves when there is one: commits, drafts that are ready and people are system notes.
    private var told: [String] {
        [
            updatedAt.map { "\($0.microseconds)" } ?? "", "\(commentCount)", head ?? "", isDraft ? "draft" : "",
            Self.text(assignees), Self.text(reviewers),
        ]
    }

    private var untold: [String] {
        [state, milestone.map { "\($0)" } ?? "", dueOn?.text ?? ""] + labels
    }

    private static func text(_ people: [Int64]) -> String { people.map { "\($0)" }.joined(separator: ",") }

    private static func digest(_ fields: [String]) -> String {
        // Each with its length, since a label may hold anything.
        let text = fields.map { "\($0.utf8.count):\($0)" }.joined()
        return Base64URL.encode(SHA256.digest(Array(text.utf8)))
    }
}
