import Platform

/// What was pushed to a merge request, and how far its reviewers are.
struct DiffHistory: Sendable {
    /// One push's state of the branch.
    struct Version: Sendable {
        let id: Int64
        let head: String
        let createdAt: WallTime
        /// How many of the commits it holds, from the oldest on.
        let commitCount: Int
    }

    struct Commit: Sendable {
        let sha: String
        let title: String
        /// Index of the person who made it.
        let author: Int
        let createdAt: WallTime
    }

    struct Review: Sendable {
        var state: ReviewState
        /// When it was asked for.
        let requestedAt: WallTime
    }

    /// Where the branch left its target.
    let base: String
    var versions: [Version] = []
    /// Oldest first.
    var commits: [Commit] = []
    /// By index of the person.
    var reviews: [Int: Review] = [:]
}

/// How far a reviewer is (supplement §1.2).
enum ReviewState: String, Sendable {
    case unreviewed, reviewed, approved, unapproved
}

extension InstanceState {
    /// The branch as it is when the merge request is opened: one commit.
    mutating func beginDiffs(of item: Int, head: String, title: String, by author: Int, at createdAt: WallTime) {
        diffs[item] = DiffHistory(base: String(head.reversed()))
        recordPush([(head, title)], to: item, by: author, at: createdAt)
    }

    mutating func recordPush(_ pushed: [(sha: String, title: String)], to item: Int, by author: Int, at now: WallTime) {
        guard var history = diffs[item], let head = pushed.last?.sha else { return }
        history.commits += pushed.map { sha, title in
            DiffHistory.Commit(sha: sha, title: title, author: author, createdAt: now)
        }
        history.versions.append(
            DiffHistory.Version(
                id: sequences.next(.diffVersion),
                head: head,
                createdAt: now,
                commitCount: history.commits.count
            )
        )
        diffs[item] = history
    }

    /// Reviewers come, or are asked once more.
    mutating func requestReviews(of item: Int, from reviewers: [Int], at now: WallTime) {
        for person in reviewers {
            let requestedAt = diffs[item]?.reviews[person]?.requestedAt ?? now
            diffs[item]?.reviews[person] = DiffHistory.Review(state: .unreviewed, requestedAt: requestedAt)
        }
    }

    mutating func forgetReviews(of item: Int, by reviewers: [Int]) {
        for person in reviewers { diffs[item]?.reviews[person] = nil }
    }

    /// Only those who were asked have a review.
    mutating func setReview(of item: Int, by person: Int, to state: ReviewState) {
        guard items[item].row.current.reviewers.contains(person) else { return }
        let requestedAt = diffs[item]?.reviews[person]?.requestedAt ?? items[item].createdAt
        diffs[item]?.reviews[person] = DiffHistory.Review(state: state, requestedAt: requestedAt)
    }
}
