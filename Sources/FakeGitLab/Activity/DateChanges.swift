package import Platform

extension FakeGitLab {
    /// Sets the due date of an issue, or takes it away when `date` is nil: a system note (supplement §3, §4).
    @discardableResult
    package func setDueDate(by username: String, on item: ItemReference, to date: CivilDate?) throws -> Activity {
        try act { try $0.setDueDate(by: username, on: $0.issue(item), to: date, at: $1) }
    }

    /// Changes the description: a system note that does not say how, and a to-do for whom it mentions newly.
    @discardableResult
    func changeDescription(by username: String, on item: ItemReference, to text: String?) throws -> Activity {
        try act { try $0.changeDescription(by: username, on: $0.item(item), to: text, at: $1) }
    }
}

extension InstanceState {
    mutating func setDueDate(by username: String, on item: Int, to date: CivilDate?, at now: WallTime) throws
        -> Activity
    {
        let before = items[item].row.current.dueDate
        guard before != date else {
            throw FakeGitLabError(.wrongState, "The due date would not change.", hint: "Name another day.")
        }
        var draft = try begin(.dueDateChanged, by: username, on: item, resolving: .nothing, at: now)
        edit(item, at: now) { $0.dueDate = date }
        let text = dueDateText(before, date)
        insertSystemNote(text, into: item, draft: &draft)
        draft.body = text
        return conclude(draft)
    }

    private func dueDateText(_ before: CivilDate?, _ after: CivilDate?) -> String {
        if let after { return "changed due date to \(after.longText)" }
        guard version.namesRemovedDueDate, let before else { return "removed due date" }
        return "removed due date \(before.longText)"
    }

    mutating func changeDescription(by username: String, on item: Int, to text: String?, at now: WallTime) throws
        -> Activity
    {
        let before = items[item].row.current.description
        guard before != text else {
            throw FakeGitLabError(.wrongState, "The description would not change.", hint: "Write another one.")
        }
        var draft = try begin(.descriptionChanged, by: username, on: item, at: now)
        let known = mentions(inWordsOf: item)
        edit(item, at: now) { $0.description = text }
        insertSystemNote("changed the description", into: item, draft: &draft)
        notify(ofWords: known, on: item, draft: &draft)
        draft.body = "changed the description"
        let activity = conclude(draft)
        crossReference(from: text ?? "", on: item, by: draft.actor, at: now)
        return activity
    }
}

extension CivilDate {
    /// `September 20, 2018`, the day without a leading zero (supplement §3, §7).
    fileprivate var longText: String {
        let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ]
        return "\(months[month - 1]) \(day), \(year)"
    }
}
