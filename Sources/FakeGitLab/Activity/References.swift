import Platform

/// Finds `#3`, `!7` and `group/project#3` as GitLab's reference filters do: not inside code, not inside a word.
enum References {
    struct Reference: Hashable {
        /// Nil in the same project.
        let project: String?
        let kind: ItemKind
        let iid: Int64
    }

    /// More than these are not looked for.
    private static let limit = 50

    static func find(in text: String) -> [Reference] {
        guard mayHold(text) else { return [] }
        var found: [Reference] = []
        for paragraph in MarkdownParagraph.all(in: text) { scan(paragraph.text, into: &found) }
        return found
    }

    /// A mark before a digit.
    private static func mayHold(_ text: String) -> Bool {
        var wasMark = false
        for byte in text.utf8 {
            if wasMark, isDigit(byte) { return true }
            wasMark = byte == UInt8(ascii: "#") || byte == UInt8(ascii: "!")
        }
        return false
    }

    private static func scan(_ line: [UInt8], into found: inout [Reference]) {
        var index = 0
        while index < line.count, found.count < limit {
            if line[index] == UInt8(ascii: "`") {
                index = Mentions.endOfSpan(line, from: index)
                continue
            }
            defer { index += 1 }
            guard line[index] == UInt8(ascii: "#") || line[index] == UInt8(ascii: "!") else { continue }
            let end = line[(index + 1)...].firstIndex { !isDigit($0) } ?? line.count
            guard end == line.count || !isPath(line[end]) || line[end] == UInt8(ascii: "."),
                let iid = Int64(String(decoding: line[(index + 1)..<end], as: UTF8.self))
            else { continue }
            let start = line[..<index].lastIndex { !isPath($0) }.map { $0 + 1 } ?? 0
            let project = String(decoding: line[start..<index], as: UTF8.self)
            guard project.isEmpty || project.contains("/") else { continue }
            let kind: ItemKind = line[index] == UInt8(ascii: "#") ? .issue : .mergeRequest
            let reference = Reference(project: project.isEmpty ? nil : project, kind: kind, iid: iid)
            if !found.contains(reference) { found.append(reference) }
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isPath(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x39,
            UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "&"), 0x80...:
            true
        default: false
        }
    }
}

/// The notes that references leave on what they name (supplement §3).
extension InstanceState {
    /// Everything that `text`, written on `item`, refers to learns of it: once for each item that refers, in the writer's name.
    mutating func crossReference(from text: String, on item: Int, by actor: Int, at now: WallTime) {
        for target in referred(in: text, on: item, by: actor) where !items[target].mentionedBy.contains(item) {
            insertReference(
                "mentioned in \(crossReferenceText(from: item, on: target))",
                by: actor,
                on: target,
                at: now
            ) {
                $0.referringItem = item
            }
        }
    }

    /// The same for commits that name items.
    mutating func crossReference(
        fromCommit sha: String,
        titled title: String,
        on item: Int,
        by actor: Int,
        at now: WallTime
    ) {
        for target in referred(in: title, on: item, by: actor) where target != item {
            let origin = projectText(of: items[item].project, from: items[target].project)
            let commit = origin.isEmpty ? sha : "\(origin)@\(sha)"
            insertReference("mentioned in commit \(commit)", by: actor, on: target, at: now) { $0.commit = sha }
        }
    }

    private func referred(in text: String, on item: Int, by actor: Int) -> [Int] {
        References.find(in: text).compactMap { reference in
            let project = reference.project.map { projectsByPath[$0] } ?? items[item].project
            guard let project else { return nil }
            let table = reference.kind == .issue ? projects[project].issues : projects[project].mergeRequests
            guard let target = table[reference.iid], target != item, canRead(item: target, actor) else { return nil }
            return target
        }
    }

    private mutating func insertReference(
        _ body: String,
        by actor: Int,
        on target: Int,
        at now: WallTime,
        _ configure: (inout Note) -> Void
    ) {
        var draft = draft(.crossReferenced, by: actor, on: target, at: now)
        let thread = newDiscussion(on: target, isIndividual: true)
        var note = Note(
            body: body,
            author: actor,
            createdAt: now,
            updatedAt: now,
            isSystem: true,
            discussion: thread
        )
        configure(&note)
        if let referring = note.referringItem { items[target].mentionedBy.insert(referring) }
        insert(note, into: target, touches: false, draft: &draft)
        draft.body = body
        _ = conclude(draft)
    }
}
