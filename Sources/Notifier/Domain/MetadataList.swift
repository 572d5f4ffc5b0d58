import Configuration

/// Lists of an item that are no part of its baseline; the names of the store.
enum MetadataList: String, Hashable, Sendable, CaseIterable {
    case approvals, pipelines
    case labelEvents = "label_events"
    case milestoneEvents = "milestone_events"

    /// What it tells of.
    var kind: ActivityKind {
        switch self {
        case .approvals: .approvals
        case .pipelines: .pipelines
        case .labelEvents: .labels
        case .milestoneEvents: .milestones
        }
    }

    /// The route that shows it.
    var source: CapabilitySource {
        switch self {
        case .approvals: .approvals
        case .pipelines: .pipelines
        case .labelEvents: .labelEvents
        case .milestoneEvents: .milestoneEvents
        }
    }
}
