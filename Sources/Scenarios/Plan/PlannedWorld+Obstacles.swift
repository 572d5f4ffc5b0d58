/// Why an action is not possible: GitLab would refuse it, or nothing would happen. Each answer completes the sentence
/// "At 2h this cannot happen: …".
extension PlannedWorld {
    /// What about the item stands in the way of that kind of action; nil when nothing does.
    func obstacle(to kind: ActionKind, on item: ItemReference) -> String? {
        guard let state = self[item] else { return "\(item) does not exist yet" }
        guard state.isThere else { return "\(item) is gone" }
        guard case .item(let kinds) = kind.target else { return nil }
        guard kinds.contains(state.kind) else { return "\(item) is a \(state.kind.phrase)" }
        if let reason = kind.form.rules.enterprise, world.gitlab.edition != .enterprise { return reason }
        return kind.form.rules.unless(state)
    }

    /// Says that the item takes no such number of comments more; nil when it does.
    func lackOfRoom(for resolved: ResolvedAction, on item: ItemReference) -> String? {
        guard let state = self[item], resolved.comments > 0 else { return nil }
        let isRoom = state.commentCount + resolved.comments <= PlannedItem.commentLimit
        return isRoom ? nil : "\(item) would have more than \(PlannedItem.commentLimit) comments"
    }

    /// What about the person stands in the way, on an item without obstacle.
    func obstacle(to kind: ActionKind, on item: ItemReference, by person: Username) -> String? {
        guard let state = self[item] else { return "\(item) does not exist yet" }
        guard let role = role(of: person, in: item.project) else { return "\(person) has no access to \(item.project)" }
        if isBlocked(person) { return "\(person) is blocked" }
        if state.kind == .mergeRequest && role < .reporter { return "\(person) is a guest and cannot see \(item)" }
        if state.isConfidential && role < .reporter { return "\(person) cannot see the confidential \(item)" }
        if role < kind.form.leastRole && state.author != person {
            return "\(person) is only \(role.rawValue) of \(item.project)"
        }
        return kind.form.rules.unlessBy(state, person, role)
    }

    /// What about the person whose token, account or to-do list it is stands in the way.
    func obstacle(to kind: ActionKind, of person: Username) -> String? {
        switch kind {
        case .unblockAccount: isBlocked(person) ? nil : "\(person) is not blocked"
        case .blockAccount: isBlocked(person) ? "\(person) is blocked already" : nil
        case .replaceToken, .register:
            hasLeft(person) ? "\(person) has left the notifier" : isBlocked(person) ? "\(person) is blocked" : nil
        case .todoDone, .todoUndo: isBlocked(person) ? "\(person) is blocked" : nil
        case .todoSnooze:
            if isBlocked(person) {
                "\(person) is blocked"
            } else {
                hasSnooze ? nil : "nobody can snooze to-dos before GitLab 17.9"
            }
        default: nil
        }
    }

    /// What about the person it is done to stands in the way.
    func obstacle(to kind: ActionKind, on item: ItemReference, user: Username) -> String? {
        guard let state = self[item] else { return "\(item) does not exist yet" }
        guard let role = role(of: user, in: item.project) else { return "\(user) has no access to \(item.project)" }
        return kind.form.rules.unlessUser(state, user, role)
    }

    /// Whether a team would do that, beyond being allowed to: choices left to the seed stay within it.
    func isPlausible(_ kind: ActionKind, on item: ItemReference) -> Bool {
        guard let state = self[item] else { return false }
        return kind.form.rules.isPlausible(state)
    }

    /// Whether that person would do it.
    func isPlausible(_ kind: ActionKind, on item: ItemReference, by person: Username) -> Bool {
        guard let state = self[item] else { return false }
        return kind.form.rules.isPlausibleBy(state, person)
    }
}
