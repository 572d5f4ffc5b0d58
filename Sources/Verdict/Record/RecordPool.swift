import Platform

/// What a record holds once, however often it is written down: of an hour of a large team, three hundred pushes say the same.
package struct RecordPool: Sendable {
    private var strings: Set<String> = []
    private var messages: Set<Shared<PushMessage>> = []

    package init() {}

    /// The string that is kept and equals this one.
    package mutating func pooled(_ string: String) -> String {
        // A short one needs no memory beside the place where it stands.
        guard string.utf8.count > 15 else { return string }
        return strings.insert(string).memberAfterInsert
    }

    /// The same content with strings and a message of which there is one each.
    package mutating func pooled(_ content: PushContent) -> PushContent {
        var content = content
        content.notificationID = pooled(content.notificationID)
        content.factKeys = content.factKeys.map { pooled($0) }
        content.message = messages.insert(content.message).memberAfterInsert
        return content
    }

    /// The same value with a text of which there is one.
    mutating func pooled(_ value: LogValue) -> LogValue {
        guard case .text(let text) = value else { return value }
        return .text(pooled(text))
    }
}
