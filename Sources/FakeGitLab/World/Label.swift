import Platform

/// One label. Those that building the world makes are known in every project.
struct Label: Sendable {
    let id: Int64
    var name: String
    var color: String
    var description: String?
    /// The only project that knows it; nil for all.
    let project: Int?
    /// Rank by project, for the few that have one.
    var priorities: [Int: Int64] = [:]
    var isDeleted = false
}

extension InstanceState {
    /// The label of that name that a project knows: its own before one of all projects.
    func knownLabel(_ name: String, in project: Int) -> Int? {
        projects[project].labels[name] ?? labelsByName[name]
    }

    /// Whether the label exists and the project knows it.
    func isKnown(label index: Int, in project: Int) -> Bool {
        !labels[index].isDeleted && (labels[index].project ?? project) == project
    }

    /// Deletes a label; its events stay with a null label (GitLab facts §10).
    mutating func deleteLabel(_ label: Int, at now: WallTime) {
        labels[label].isDeleted = true
        if let project = labels[label].project {
            projects[project].labels[labels[label].name] = nil
        } else {
            labelsByName[labels[label].name] = nil
        }
        for item in items.indices where items[item].row.current.labels.contains(label) {
            change(item, at: now) { $0.labels.removeAll { $0 == label } }
        }
        invalidateEverything()
    }
}
