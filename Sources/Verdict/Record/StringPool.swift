import Platform

/// Strings that a record holds once, however often they are written down: of an hour of a large team, three hundred pushes say the same.
package struct StringPool: Sendable {
    private var strings: Set<String> = []

    package init() {}

    /// The string that is kept and equals this one.
    mutating func pooled(_ string: String) -> String {
        // A short one needs no memory beside the place where it stands.
        guard string.utf8.count > 15 else { return string }
        return strings.insert(string).memberAfterInsert
    }

    mutating func pooled(_ string: String?) -> String? { string.map { pooled($0) } }

    /// The same content with strings of which there is one each.
    package mutating func pooled(_ content: PushContent) -> PushContent {
        var content = content
        content.notificationID = pooled(content.notificationID)
        content.type = pooled(content.type)
        content.factKeys = content.factKeys.map { pooled($0) }
        content.title = pooled(content.title)
        content.text = pooled(content.text)
        if let target = content.target {
            content.target?.projectPath = pooled(target.projectPath)
            content.target?.webAddress = pooled(target.webAddress)
        }
        if let label = content.label {
            content.label?.type = pooled(label.type)
            content.label?.actionType = pooled(label.actionType)
            content.label?.actor = pooled(label.actor)
        }
        return content
    }

    mutating func pooled(_ entry: LogEntry) -> LogEntry {
        var entry = entry
        for index in entry.fields.indices {
            guard case .text(let text) = entry.fields[index].value else { continue }
            entry.fields[index].value = .text(pooled(text))
        }
        return entry
    }
}
