import Platform

/// A note's `type` (GitLab facts §8.1).
enum NoteType: String, Sendable {
    /// Printed as null: plain comments and system notes.
    case plain
    case discussion = "DiscussionNote"
    case diff = "DiffNote"
}

/// Where in a diff a comment stands.
package struct DiffPosition: Sendable, Hashable {
    var path: String
    var line: Int

    package init(path: String, line: Int) {
        self.path = path
        self.line = line
    }
}

/// One comment or system note.
struct Note: Sendable {
    var type = NoteType.plain
    var body: String
    let author: Int
    let createdAt: WallTime
    var updatedAt: WallTime
    var isSystem = false
    /// Index of the thread in the item's discussions.
    private(set) var discussion: Int
    var isInternal = false
    var isImported = false
    var resolvedBy: Int?
    var resolvedAt: WallTime?
    var position: DiffPosition?
    var commit: String?
    /// The item that refers here, or that the note names: who cannot see it does not see this note.
    var referringItem: Int?
    var mentioned: [Int] = []

    /// The same in a thread of another item.
    func moved(to discussion: Int) -> Note {
        var copy = self
        copy.discussion = discussion
        return copy
    }

    /// Only threads on merge requests can be resolved.
    func isResolvable(on kind: ItemKind) -> Bool {
        kind == .mergeRequest && type != .plain && !isSystem
    }
}

/// A thread: its notes are found by id.
struct Discussion: Sendable {
    let id: String
    var notes: [Int64]
    var isIndividual: Bool
}
