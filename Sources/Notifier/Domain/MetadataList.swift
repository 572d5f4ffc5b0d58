/// Lists of an item that are no part of its baseline; the names of the store.
enum MetadataList: String, Hashable, Sendable, CaseIterable {
    case approvals, pipelines
    case labelEvents = "label_events"
    case milestoneEvents = "milestone_events"
}
