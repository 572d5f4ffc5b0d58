import Scenarios

/// Whether a push of several facts has a line for each of the newest, counts them, and names the oldest first; and whether one of a single
/// comment has all of its words.
extension PushTextChecks {
    /// A push takes 4,096 bytes. One that had to be cut has nearly as many: no more are left than a character and a few marks take.
    private static let nearlyFull = 3_800
    /// Rows of one deed, and the to-do item that tells of it, may be written a moment apart.
    private static let moment = Duration.seconds(1)
    /// Facts that bear the instant of the deed. A list of approvals or pipelines tells another, or none.
    private static let timedKeys = ["note/", "state/", "event/", "label/", "milestone/"]

    /// What is wrong with a push of these facts, all of them known; nil when nothing is.
    func batchFault(_ content: PushContent, _ label: PushLabel, _ facts: [[Told]]) -> String? {
        guard isInOrder(content.factKeys, facts) else { return "does not name the oldest first" }
        if content.title.contains(" new comments on "), !content.title.hasPrefix("\(label.count) new comments on ") {
            return "counts otherwise"
        }
        guard !content.isTruncated else { return nil }
        return countFault(content.title, facts) ?? lineFault(content, facts)
    }

    /// `MR !12: 2 comments, merged`. Four kinds are counted one by one.
    private func countFault(_ title: String, _ facts: [[Told]]) -> String? {
        guard !title.hasSuffix("…"), !title.hasSuffix(" more") else { return nil }
        let wrong = Self.counts(facts).first { $0.count > 1 && !" \(title)".contains(" \($0.count) ") }
        return wrong.map { "does not say that \($0.count) times something was \($0.type)" }
    }

    /// The newest facts one by one, each on a line, and before them how many others there are.
    private func lineFault(_ content: PushContent, _ facts: [[Told]]) -> String? {
        // A text that was cut for want of room may have lost whole lines; where there is room only a long line is cut.
        guard !content.text.hasSuffix("…") || (content.size ?? Self.nearlyFull) < Self.nearlyFull else { return nil }
        let lines = content.text.split(separator: "\n", omittingEmptySubsequences: false)
        let newest = facts.suffix(Self.lines)
        let earlier = facts.count - newest.count
        if earlier > 0, !lines.dropLast(newest.count).contains("\(earlier) earlier") {
            return "does not say that \(earlier) came earlier"
        }
        guard lines.count >= newest.count else { return "has \(lines.count) lines for \(newest.count)" }
        for (line, fact) in zip(lines.suffix(newest.count), newest)
        where !fact.contains(where: { tells(of: $0, line) }) {
            return "has the line of something else: \"\(line)\""
        }
        return nil
    }

    /// `Jonas: ` and the beginning of what Jonas wrote.
    private func tells(of told: Told, _ line: Substring) -> Bool {
        let activity = told.activity
        // What nobody did begins with no name.
        guard activity.kind.isSomebodysDoing else { return !names.values.contains { line.hasPrefix($0 + ": ") } }
        if let name = names[activity.actor],
            !line.unicodeScalars.starts(with: name.unicodeScalars.prefix(Self.beginning))
        {
            return false
        }
        guard let note = activity.noteID, activity.kind.isWritten, let words = words[note] else { return true }
        return words.contains { text in
            let first = text.split(whereSeparator: \.isNewline).first { !$0.allSatisfy(\.isWhitespace) }
            return first.map { Self.says(line, $0) } ?? true
        }
    }

    private func isInOrder(_ keys: [String], _ facts: [[Told]]) -> Bool {
        guard isTimed else { return true }
        var latest: Duration?
        for (key, fact) in zip(keys, facts) {
            guard let instant = Self.instant(of: fact, key) else { continue }
            if let latest, instant + Self.moment + Self.moment < latest { return false }
            latest = max(latest ?? instant, instant)
        }
        return true
    }

    /// When GitLab says that it happened; nil where that may be another instant: of what was changed, imported or committed late.
    private static func instant(of fact: [Told], _ key: String) -> Duration? {
        guard fact.count == 1, timedKeys.contains(where: key.hasPrefix) else { return nil }
        let activity = fact[0].activity
        guard activity.claimedAt == activity.at, activity.readableFrom <= activity.at + moment,
            activity.kind != .editedComment
        else { return nil }
        return activity.claimedAt
    }

    /// Whether a single comment's words are all there, or as many as there was room for.
    func quotesAll(_ told: Told, _ content: PushContent) -> Bool {
        guard let note = told.activity.noteID, told.activity.kind.isWritten, let words = words[note],
            !content.isTruncated
        else { return true }
        if content.text.hasSuffix("…"), content.size.map({ $0 >= Self.nearlyFull }) ?? true { return true }
        return words.contains { content.text.hasSuffix($0) }
    }
}
