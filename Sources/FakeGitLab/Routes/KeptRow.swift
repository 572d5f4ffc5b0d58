import Platform

/// A merge request as its project's list has shown it to somebody: GitLab keeps such rows for eight hours, by reader and by what makes
/// another key. What changes nothing of that can be old there, and only there (GitLab facts §7.1).
struct KeptRow {
    struct Place: Hashable {
        var reader: Int
        var item: Int
    }

    /// What a row is found by.
    struct Key: Equatable {
        var updatedAt: WallTime
        var canBeMerged: Bool
        var labels: [Int]
        var assignees: [Int]
        var reviewers: [Int]

        init(_ fields: ItemFields) {
            updatedAt = fields.updatedAt
            canBeMerged = fields.state == .opened && !fields.hasConflicts
            (labels, assignees, reviewers) = (fields.labels, fields.assignees, fields.reviewers)
        }
    }

    static let lifetime = Duration.hours(8)

    var key: Key
    var noteCount: Int
    var upvotes: Int
    var downvotes: Int
    var until: WallTime

    init(_ fields: ItemFields, until: WallTime) {
        key = Key(fields)
        (noteCount, upvotes, downvotes) = (fields.noteCount, fields.upvotes, fields.downvotes)
        self.until = until
    }
}

extension InstanceState {
    /// The merge request as it was when its row was kept; nil where that is as it is now, and for issues.
    mutating func keptFields(of item: Int, _ call: Call) -> ItemFields? {
        guard items[item].kind == .mergeRequest, var fields = items[item].row.value(at: call.instant) else {
            return nil
        }
        let place = KeptRow.Place(reader: call.reader, item: item)
        guard let kept = keptRows[place], kept.key == KeptRow.Key(fields), call.now < kept.until else {
            keptRows[place] = KeptRow(fields, until: call.now.advanced(by: KeptRow.lifetime))
            return nil
        }
        let now = (fields.noteCount, fields.upvotes, fields.downvotes)
        guard now != (kept.noteCount, kept.upvotes, kept.downvotes) else { return nil }
        (fields.noteCount, fields.upvotes, fields.downvotes) = (kept.noteCount, kept.upvotes, kept.downvotes)
        return fields
    }
}
