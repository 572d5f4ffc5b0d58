import Platform

/// Labels and milestones inside other entities (supplement §1.3).
extension InstanceState {
    /// Sorted by title.
    func writeLabels(_ indices: [Int], details: Bool, into object: inout JSONWriter) {
        let sorted = indices.count > 1 ? indices.sorted { (labels[$0].name, $0) < (labels[$1].name, $1) } : indices
        object.arrayField("labels") { array in
            for index in sorted where !labels[index].isDeleted {
                if details { array.object { writeLabel(index, into: &$0) } } else { array.string(labels[index].name) }
            }
        }
    }

    func writeLabel(_ index: Int, into object: inout JSONWriter) {
        let label = labels[index]
        object.field("id", label.id)
        object.field("name", label.name)
        object.field("color", label.color)
        object.field("description", label.description)
        object.field("description_html", label.description.map(Self.escapedHTML))
        object.field("text_color", "#FFFFFF")
    }

    func writeMilestone(_ index: Int, into object: inout JSONWriter) {
        let milestone = milestones[index]
        let path = projects[milestone.project].path
        object.field("id", milestone.id)
        object.field("iid", milestone.iid)
        object.field("project_id", projects[milestone.project].id)
        object.field("title", milestone.title)
        object.field("description", milestone.description)
        object.field("state", milestone.isClosed ? "closed" : "active")
        object.field("created_at", milestone.createdAt)
        object.field("updated_at", milestone.updatedAt)
        object.field("due_date", milestone.dueDate?.dateText)
        object.field("start_date", milestone.startDate?.dateText)
        object.field("expired", milestone.isExpired)
        object.field("web_url", "\(configuration.externalURL)/\(path)/-/milestones/\(milestone.iid)")
    }
}
