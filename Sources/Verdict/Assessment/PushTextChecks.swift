import Platform
import Scenarios

/// Whether a push says what happened: who did it, where, what it was, in whose words, and how much of it; and whether it comes to its reader's
/// notice as what it tells of has to.
///
/// Pushes are judged of which every key is known. Where a row was written anew its key stands for more than one activity, and a push may tell
/// of any. A text that was cut to what a push can carry is known by its beginning.
struct PushTextChecks {
    /// What a key says to its reader.
    struct Told {
        var activity: ActivityRecord
        var person: Username
        /// Whether an edit may have taken their name out of the text before it was read.
        var mayBeUnnamed = false

        /// The `actionType` by which a push may tell of it; nil where any may.
        var types: Set<String>? {
            let types = activity.actionTypes(for: person)
            return mayBeUnnamed && types == ["mentioned"] ? ["mentioned", "commented"] : types
        }
    }

    private struct Key: Hashable {
        var person: Username
        var text: String
    }

    /// Of how many facts of a batch the text speaks one by one: the newest.
    static let lines = 4
    /// The type of a push of what quiet hours kept back.
    static let digest = "digest"
    /// How much of a name, a title or a comment has to stand in a text, in Unicode scalars: a letter may be cut between its marks.
    static let beginning = 20

    let record: RunRecord
    /// Where people live.
    let zones: PersonZones
    let names: [Username: String]
    /// Whether no clock was set: GitLab's times then tell the order.
    let isTimed: Bool
    private var told: [Key: [Told]] = [:]
    /// What items were called.
    let titles: ItemTitles
    /// Every text that a note has had.
    private(set) var words: [Int64: Set<String>] = [:]

    init(judged: JudgedRun) {
        record = judged.record
        titles = ItemTitles(judged.record, judged.truth)
        zones = PersonZones(judged.record)
        isTimed = !record.faults.contains { $0.kind.place == .clock }
        names = Dictionary(record.resolved.scenario.world.people.map { ($0.username, $0.name) }) { first, _ in first }
        for activity in record.activities {
            if let note = activity.noteID, let body = activity.body { words[note, default: []].insert(body) }
        }
        for pair in judged.truth.pairs {
            var entry = Told(activity: record.activities[pair.activity], person: judged.truth.people[pair.person])
            if let texts = entry.activity.noteID.flatMap({ words[$0] }), texts.count > 1 {
                let name = "@" + entry.person.text.lowercased()
                entry.mayBeUnnamed = texts.contains { !$0.lowercased().contains(name) }
            }
            for key in pair.keys.own + pair.keys.shared {
                told[Key(person: entry.person, text: key), default: []].append(entry)
            }
        }
    }

    func violations() -> [ViolationRecord] {
        let watches = CertainWatches(record)
        return record.pushes.compactMap { push in
            guard let person = push.person, let content = push.content, let label = content.label else { return nil }
            let facts = content.factKeys.map { told[Key(person: person, text: $0)] ?? [] }
            let saying = textFault(content, label, facts) ?? dueFault(push, content, person)
            let manner = mannerFault(content, label, facts) ?? tagFault(push, label, facts, watches)
            guard let fault = saying ?? manner else { return nil }
            let what = content.factKeys.isEmpty ? label.type : content.factKeys.joined(separator: ", ")
            return ViolationRecord(
                invariant: .pushMisstates,
                at: push.at,
                detail: "A push to \(person) of \(what) \(fault): \"\(content.title)\", \"\(content.text)\"."
            )
        }
    }

    /// What is wrong with what a push says of activities that are all known; nil when nothing is.
    private func textFault(_ content: PushContent, _ label: PushLabel, _ facts: [[Told]]) -> String? {
        guard label.type == "activity" || label.type == Self.digest || content.reminder != nil,
            !facts.isEmpty, !facts.contains(where: \.isEmpty)
        else { return nil }
        return label.type == Self.digest ? digestFault(content, label, facts) : fault(content, label, facts)
    }

    /// What is wrong with a push that tells of these facts, the newest of them last; nil when nothing is.
    private func fault(_ content: PushContent, _ label: PushLabel, _ facts: [[Told]]) -> String? {
        let text = content.title + "\n" + content.text
        let newest = facts[facts.count - 1]
        if content.isTruncated ? label.count <= facts.count : label.count != facts.count {
            return "says that it tells of \(label.count)"
        }
        if facts.suffix(Self.lines).contains(where: { !$0.contains { namesActor($0, in: text) } }) {
            return "does not name who did it"
        }
        if facts.contains(where: { !$0.contains { namesItem($0, in: content.title) } }) {
            return "does not say where"
        }
        if !newest.contains(where: { quotesTitle($0, in: text) }) { return "has not the item's title" }
        if content.reminder != nil { return facts.count == 1 ? titleFault(content, label, newest) : nil }
        if !newest.contains(where: { $0.types?.contains(label.actionType) ?? true }) {
            return "calls it \(label.actionType)"
        }
        if !newest.contains(where: { isBy(label.actor, $0) }) {
            return "says that \(label.actor ?? "nobody") did it"
        }
        guard facts.count == 1 else { return batchFault(content, label, facts) }
        if !newest.contains(where: { quotesWords($0, in: text) }) { return "has other words" }
        if !newest.contains(where: { quotesAll($0, content) }) { return "leaves words away for which there is room" }
        return titleFault(content, label, newest)
    }

    /// What a fact may be called; nothing where that is left open.
    static func names(of fact: [Told]) -> Set<String> {
        var names: Set<String> = []
        for told in fact {
            guard let types = told.types else { return [] }
            names.formUnion(types)
        }
        return names
    }

    /// Whether a text has the beginning of these words.
    static func says(_ text: some StringProtocol, _ words: some StringProtocol) -> Bool {
        text.unicodeScalars.contains(words.unicodeScalars.prefix(beginning))
    }

    private func namesActor(_ told: Told, in text: String) -> Bool {
        guard told.activity.kind.isSomebodysDoing, let name = names[told.activity.actor] else { return true }
        return Self.says(text, name)
    }

    private func isBy(_ actor: String?, _ told: Told) -> Bool {
        guard let actor else { return true }
        // Whose merge request needs an approval may be said.
        guard told.activity.kind.isSomebodysDoing else {
            return told.activity.kind != .pipelineFinished && told.activity.kind != .unmergeable
        }
        guard let name = names[told.activity.actor] else { return false }
        if actor == name { return true }
        return actor.hasSuffix("…") && name.unicodeScalars.starts(with: actor.unicodeScalars.dropLast())
    }

    /// What a text calls an item.
    static func name(of item: ItemReference) -> String { (item.kind == .issue ? "issue #" : "MR !") + String(item.iid) }

    private func namesItem(_ told: Told, in title: String) -> Bool {
        told.activity.item.map { Self.names($0, in: title) } ?? true
    }

    /// Whether a title says which item it is about; `MR !12` is not `MR !1`.
    static func names(_ item: ItemReference, in title: String) -> Bool {
        let name = Self.name(of: item)
        guard let place = title.firstRange(of: name) else { return false }
        return !(title[place.upperBound...].first?.isNumber ?? false)
    }

    private func quotesTitle(_ told: Told, in text: String) -> Bool {
        guard let item = told.activity.item else { return true }
        let called = titles.titles(of: item, telling: told.activity, to: told.person)
        return called.isEmpty || called.contains { Self.says(text, $0) }
    }

    private func quotesWords(_ told: Told, in text: String) -> Bool {
        guard let note = told.activity.noteID, told.activity.kind.isWritten, let words = words[note] else {
            return true
        }
        return words.contains { Self.says(text, $0) }
    }
}

extension ActivityKind {
    /// Whose doing a pipeline, a missing approval or a conflict is, is not said; a program has a name of its own.
    var isSomebodysDoing: Bool {
        switch self {
        case .pipelineFinished, .approvalRequired, .unmergeable, .signal: false
        default: true
        }
    }

    /// Somebody wrote one new note, whose words the record has.
    var isWritten: Bool {
        switch self {
        case .comment, .reply, .diffComment: true
        default: false
        }
    }
}

extension ActivityRecord {
    /// The `actionType` by which a push may tell somebody of it (docs/notification-rules.md); nil where any may.
    func actionTypes(for person: Username) -> Set<String>? {
        let isAsked = todos.contains { $0.person == person }
        switch kind {
        case .comment, .reply, .diffComment, .reviewComment:
            if isAsked || mentions.contains(person) { return ["mentioned"] }
            return named.contains(person) ? ["mentioned", "commented"] : ["commented"]
        case .approved: return ["approved"]
        case .unapproved: return ["unapproved"]
        case .pushed: return ["pushed"]
        case .merged: return ["merged"]
        case .closed: return ["closed"]
        case .reopened: return ["reopened"]
        case .assigned: return isAsked ? ["assigned"] : ["assigned", "assignees_changed"]
        case .unassigned: return ["assignees_changed"]
        case .reviewRequested: return isAsked ? ["review_requested"] : ["review_requested", "reviewers_changed"]
        case .reviewRequestRemoved: return ["reviewers_changed"]
        case .labelled: return ["labels_changed"]
        case .milestoneSet: return ["milestone_changed"]
        case .approvalRequired: return ["approval_required"]
        case .unmergeable: return ["unmergeable"]
        case .pipelineFinished where pipelineStatus == "success": return ["pipeline_succeeded"]
        case .pipelineFinished: return ["pipeline_failed", "build_failed"]
        default: return nil
        }
    }
}
