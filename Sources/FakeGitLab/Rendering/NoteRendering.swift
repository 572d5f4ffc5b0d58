import Platform

/// Notes and threads (GitLab facts §8.1, §9).
extension InstanceState {
    /// A note as it is at `instant`; the present one is rendered once.
    mutating func noteJSON(at place: Int, of item: Int, instant: WallTime) -> [UInt8]? {
        let row = items[item].notes.rows[place]
        if !row.json.isEmpty, row.isCurrent(at: instant) { return row.json }
        guard let note = row.value(at: instant) else { return nil }
        var writer = writer(capacity: 640 + note.body.utf8.count)
        writeNote(note, id: row.id, on: item, into: &writer)
        if row.isCurrent(at: instant) { items[item].notes.cacheJSON(writer.bytes, at: place) }
        return writer.bytes
    }

    private mutating func writeNote(_ note: Note, id: Int64, on item: Int, into writer: inout JSONWriter) {
        let author = personJSON(note.author)
        let resolver = note.resolvedBy.map { personJSON($0) }
        let entity = items[item]
        writer.object { object in
            object.field("id", id)
            object.field("type", note.type == .plain ? nil : note.type.rawValue)
            object.field("body", note.body)
            object.nullField("attachment")
            object.field("author", json: author)
            object.field("created_at", note.createdAt)
            object.field("updated_at", note.updatedAt)
            object.field("system", note.isSystem)
            object.field("noteable_id", entity.id)
            object.field("noteable_type", entity.kind.className)
            if version.tellsImported { object.field("project_id", projects[entity.project].id) }
            if note.type == .diff { writeDiff(of: note, on: item, into: &object) }
            object.field("resolvable", note.isResolvable(on: entity.kind))
            if note.isResolvable(on: entity.kind) { Self.writeResolution(of: note, resolver, into: &object) }
            if note.type == .diff, version.tellsImported { object.arrayField("suggestions") { _ in } }
            object.field("confidential", note.isInternal)
            object.field("internal", note.isInternal)
            if version.tellsImported { Self.writeImport(note.isImported, into: &object) }
            object.field("noteable_iid", entity.iid)
            object.objectField("commands_changes") { _ in }
        }
    }

    static func writeImport(_ isImported: Bool, into object: inout JSONWriter) {
        object.field("imported", isImported)
        object.field("imported_from", isImported ? "gitlab_migration" : "none")
    }

    private static func writeResolution(of note: Note, _ resolver: [UInt8]?, into object: inout JSONWriter) {
        object.field("resolved", note.resolvedAt != nil)
        if let resolver { object.field("resolved_by", json: resolver) } else { object.nullField("resolved_by") }
        object.field("resolved_at", note.resolvedAt)
    }

    private func writeDiff(of note: Note, on item: Int, into object: inout JSONWriter) {
        let none = String(repeating: "0", count: 40)
        let base = diffs[item]?.base ?? none
        object.nullField("commit_id")
        object.objectField("position") { position in
            position.field("base_sha", base)
            position.field("start_sha", base)
            position.field("head_sha", items[item].row.current.sha ?? none)
            position.field("old_path", note.position?.path)
            position.field("new_path", note.position?.path)
            position.field("position_type", "text")
            position.nullField("old_line")
            position.field("new_line", note.position?.line ?? 1)
            position.nullField("line_range")
        }
    }
}
