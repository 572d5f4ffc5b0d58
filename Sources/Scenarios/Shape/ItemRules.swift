/// When an action on an item is possible in the story of a plan, and what it changes about the item. What stands in the way completes
/// the sentence "At 2h this cannot happen: …".
struct ItemRules: Sendable {
    /// Why only the Enterprise Edition can do it; nil when every edition can.
    var enterprise: String?
    /// What about the item stands in the way; nil when nothing does.
    var unless: @Sendable (PlannedItem) -> String? = { _ in nil }
    /// What about the person who does it stands in the way, on an item without obstacle.
    var unlessBy: @Sendable (PlannedItem, Username, Member.Role) -> String? = { _, _, _ in nil }
    /// What about the person it is done to stands in the way.
    var unlessUser: @Sendable (PlannedItem, Username, Member.Role) -> String? = { _, _, _ in nil }
    /// Whether a team would do that, beyond being allowed to: choices left to the seed stay within it.
    var isPlausible: @Sendable (PlannedItem) -> Bool = { $0.state == .opened }
    /// Whether that person would do it.
    var isPlausibleBy: @Sendable (PlannedItem, Username) -> Bool = { _, _ in true }
    /// How many comments it adds.
    var comments: @Sendable (ActionDetails) throws -> Int = { _ in 0 }
    /// What it changes that decides which actions are possible from then on; comments are counted already.
    var then: @Sendable (inout PlannedItem, ActionDetails) throws -> Void = { _, _ in }

    static let none = ItemRules()
}

extension ResolvedAction {
    /// How many comments it adds to its item.
    var comments: Int { read(template.kind.form.rules.comments) }

    /// Traps where a row reads what its action leaves open, which no file can bring about.
    fileprivate func read<Value>(_ value: (ActionDetails) throws -> Value) -> Value {
        do {
            return try value(ActionDetails(template: template))
        } catch {
            preconditionFailure("\(template.kind.rawValue): \(error)")
        }
    }
}

extension PlannedItem {
    /// Takes note of what an action on it changes.
    mutating func apply(_ resolved: ResolvedAction) {
        commentCount += resolved.comments
        resolved.read { try resolved.template.kind.form.rules.then(&self, $0) }
    }
}

/// What rows say about items.
extension PlannedItem {
    var notOpened: String? { state == .opened ? nil : "\(self) is \(state.rawValue)" }

    func withoutComment(by person: Username) -> String? {
        commenters.contains(person) ? nil : "\(person) has no comment on \(self)"
    }

    /// Why a person it is handed to could not read it.
    func hidden(from user: Username, _ role: Member.Role) -> String? {
        let isHidden = kind == .mergeRequest || isConfidential
        return isHidden && role < .reporter ? "\(user) is a guest and cannot see \(self)" : nil
    }
}
