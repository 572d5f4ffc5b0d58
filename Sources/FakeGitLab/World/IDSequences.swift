/// One id sequence per table, so that equal numbers occur in several (GitLab facts §10, trap 12).
struct IDSequences: Sendable {
    /// Every table that hands out ids.
    enum Sequence: Int, CaseIterable {
        case person, project, issue, mergeRequest, note, todo, event, label, milestone, pipeline, token, award,
            diffVersion, hook
        case stateEvent, labelEvent, milestoneEvent
    }

    private var last: [Int64]

    init(largeIDs: Bool) {
        last = Array(repeating: largeIDs ? 2_217_234_804 : 0, count: Sequence.allCases.count)
    }

    mutating func next(_ sequence: Sequence) -> Int64 {
        last[sequence.rawValue] += 1
        return last[sequence.rawValue]
    }
}
