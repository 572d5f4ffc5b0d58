import Platform
import Scenarios

/// Whether apps list of a notification what its push says, and of an item on which somebody waits what it is called and where it stands.
///
/// A push has less room than a list, so that what was cut in either is known by its beginning.
struct ListedTextChecks {
    private struct Key: Hashable {
        var person: Username
        var notification: String
    }

    private static let ellipsis: Character = "…"

    private let record: RunRecord
    /// Every title that an item has had.
    private var titles: [ItemReference: Set<String>] = [:]

    init(_ record: RunRecord) {
        self.record = record
        guard !record.listedTexts.isEmpty else { return }
        for project in record.resolved.scenario.world.projects {
            for item in project.items {
                titles[ItemReference(project: project.path, kind: item.kind, iid: item.iid)] = [item.title]
            }
        }
        for activity in record.activities {
            if let item = activity.item { titles[item, default: []].insert(activity.itemTitle) }
        }
    }

    func violations() -> [ViolationRecord] {
        var pushed: [Key: PushContent] = [:]
        for push in record.pushes {
            guard let person = push.person, let content = push.content else { continue }
            let key = Key(person: person, notification: content.notificationID)
            pushed[key] = pushed[key] ?? content
        }
        // An issue that was moved is another one since, and is listed as either.
        let moved = Set(record.activities.filter { $0.successor != nil }.flatMap { [$0.item, $0.successor] })
        return record.listedTexts.compactMap { listed -> ViolationRecord? in
            switch listed.subject {
            case .notification(let id):
                let push = pushed[Key(person: listed.person, notification: id)]
                return push.flatMap { fault(listed, $0) }.map { violation(listed, "notification \(id)", $0) }
            case .ask(let item):
                guard !moved.contains(item) else { return nil }
                return fault(listed, item).map { violation(listed, "somebody who waits on \(item)", $0) }
            }
        }
    }

    private func violation(_ listed: ListedTextRecord, _ what: String, _ fault: String) -> ViolationRecord {
        ViolationRecord(
            invariant: .screenMistold,
            at: listed.at,
            detail: "\(listed.device) of \(listed.person) lists \(what) \(fault)."
        )
    }

    // MARK: Notifications

    /// What is listed otherwise than it was pushed; nil when nothing is.
    private func fault(_ listed: ListedTextRecord, _ push: PushContent) -> String? {
        let isAlike = isSame(listed.title, push.title) || push.due != nil && isOfOneDay(listed.title, push.title)
        if !isAlike { return "as \"\(listed.title)\"; its push says \"\(push.title)\"" }
        if !bodies(push.text).contains(where: { begins(listed, $0) }) {
            return "with the words \"\(listed.text)\"; its push says \"\(push.text)\""
        }
        guard let address = push.target?.webAddress, address != listed.address else { return nil }
        return "under the address \(listed.address ?? "of nothing"); its push leads to \(address)"
    }

    private func isSame(_ left: String, _ right: String) -> Bool {
        left == right || isCut(left, of: right) || isCut(right, of: left)
    }

    /// Whether two titles differ in how far off a day is alone: what waits for its push until after midnight says it anew.
    private func isOfOneDay(_ left: String, _ right: String) -> Bool {
        func place(_ title: String) -> Substring? {
            let verb = title.firstRange(of: " is due ") ?? title.firstRange(of: " was due ")
            return verb.map { title[..<$0.lowerBound] }
        }
        return place(left) != nil && place(left) == place(right)
    }

    private func isCut(_ text: String, of whole: String) -> Bool {
        text.last == Self.ellipsis && whole.unicodeScalars.starts(with: text.dropLast().unicodeScalars)
    }

    /// What may be the body in the text of a push: its first lines may be the subtitle, which is listed nowhere.
    private func bodies(_ text: String) -> [Substring] {
        let scalars = text.unicodeScalars
        return [Substring(text)]
            + scalars.indices.filter { scalars[$0] == "\n" }.map { Substring(scalars[scalars.index(after: $0)...]) }
    }

    /// Whether the words that are listed are that body, as far as both are there. A push without words has but a title, or the item's.
    private func begins(_ listed: ListedTextRecord, _ body: Substring) -> Bool {
        if listed.text.isEmpty || body.isEmpty || listed.text == body { return true }
        if listed.isTextCut, body.hasPrefix(listed.text) { return true }
        guard body.last == Self.ellipsis else { return isCut(listed.text, of: String(body)) }
        let beginning = body.dropLast()
        return listed.text.unicodeScalars.starts(with: beginning.unicodeScalars)
            || (listed.isTextCut && beginning.hasPrefix(listed.text)) || isCut(listed.text, of: String(beginning))
    }

    // MARK: Asks

    private func fault(_ listed: ListedTextRecord, _ item: ItemReference) -> String? {
        if listed.title.last != Self.ellipsis, !PushTextChecks.names(item, in: listed.title) {
            return "as \"\(listed.title)\", which names another item"
        }
        let isCalledSo = titles[item]?.contains { PushTextChecks.says(listed.text, $0) } ?? true
        if !listed.text.isEmpty, !isCalledSo { return "as on \"\(listed.text)\", which it was never called" }
        guard let address = listed.address else { return nil }
        let target = PushTarget(
            itemType: item.kind == .issue ? "issue" : "merge_request",
            itemNumber: item.iid,
            projectPath: nil,
            webAddress: address
        )
        return target.names(item) ? nil : "under the address \(address)"
    }
}
