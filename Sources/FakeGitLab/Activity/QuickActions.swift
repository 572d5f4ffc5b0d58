package import Platform

/// What a comment asks GitLab to do, in a line of its own such as `/close` (GitLab facts §8.3).
package enum QuickAction: Sendable, Equatable {
    case approve, unapprove, close, reopen
    /// The writer gets a to-do of their own.
    case todo
    case assign([String])
    case unassign([String])
    case requestReview([String])
    case removeReviewRequest([String])
    case label(String)
    /// Nil takes the day away.
    case dueDate(CivilDate?)
    case draft(Bool)
    case subscribe(Bool)

    /// Whether it is done before the text is kept; the others come after it.
    fileprivate var precedesText: Bool { self == .approve || self == .unapprove }

    /// What only changes the state or the writer's to-dos comes before what else changes.
    fileprivate var changesFields: Bool {
        switch self {
        case .approve, .unapprove, .close, .reopen, .todo: false
        default: true
        }
    }
}

extension FakeGitLab {
    /// Writes a comment with quick actions. `body` is what remains without their lines; with nil there is no comment. What is not possible is
    /// passed over.
    ///
    /// - Returns: What was done, in this order.
    @discardableResult
    package func comment(
        by username: String,
        on item: ItemReference,
        body: String?,
        quickActions: [QuickAction]
    ) throws -> [Activity] {
        try act { try $0.comment(by: username, on: $0.item(item), body: body, quickActions: quickActions, at: $1) }
    }
}

extension InstanceState {
    mutating func comment(
        by username: String,
        on item: Int,
        body: String?,
        quickActions: [QuickAction],
        at now: WallTime
    ) throws -> [Activity] {
        let actor = try person(username)
        try requireAccess(actor, to: item)
        // What is offered is decided before anything is done: no to-do where one is pending.
        let mayMark = !hasPendingTodo(actor, on: item)
        let offered = quickActions.filter { $0 != .todo || mayMark }
        var done: [Activity] = []
        done += carryOut(offered.filter(\.precedesText), by: username, on: item, at: now)
        if let body { done.append(try comment(by: username, on: item, body: body, at: now)) }
        let later = offered.filter { !$0.precedesText }
        let ordered = later.filter { !$0.changesFields } + later.filter(\.changesFields)
        done += carryOut(ordered, by: username, on: item, at: now)
        return done
    }

    private mutating func carryOut(
        _ actions: [QuickAction],
        by username: String,
        on item: Int,
        at now: WallTime
    ) -> [Activity] {
        var done: [Activity] = []
        for action in actions {
            // Whatever an action refuses, it refuses before it changes anything.
            do {
                if let activity = try carryOut(action, by: username, on: item, at: now) { done.append(activity) }
            } catch {
                continue
            }
        }
        return done
    }

    /// Nil for what is not possible on such an item, not the person's to do, or changes nothing.
    private mutating func carryOut(
        _ action: QuickAction,
        by username: String,
        on item: Int,
        at now: WallTime
    ) throws -> Activity? {
        let actor = try person(username)
        if action == .todo { return markTodo(of: actor, on: item, at: now) }
        let role = projects[items[item].project].members[actor] ?? .guest
        guard role >= .reporter || items[item].author == actor else { return nil }
        switch action {
        case .close: return try close(by: username, on: item, through: nil, at: now)
        case .reopen: return try reopen(by: username, on: item, at: now)
        case .assign(let names):
            return try assign(by: username, on: item, adding: names, removing: [], at: now)
        case .unassign(let names):
            return try assign(by: username, on: item, adding: [], removing: names, at: now)
        case .label(let name):
            return try changeLabels(by: username, on: item, adding: [name], removing: [], at: now)
        case .dueDate(let date):
            guard items[item].kind == .issue else { return nil }
            return try setDueDate(by: username, on: item, to: date, at: now)
        case .approve, .unapprove, .requestReview, .removeReviewRequest, .draft:
            guard items[item].kind == .mergeRequest else { return nil }
            return try carryOutOnMergeRequest(action, by: username, on: item, at: now)
        case .todo, .subscribe: return nil
        }
    }

    private mutating func carryOutOnMergeRequest(
        _ action: QuickAction,
        by username: String,
        on item: Int,
        at now: WallTime
    ) throws -> Activity? {
        switch action {
        case .approve: try approve(by: username, on: item, at: now)
        case .unapprove: try unapprove(by: username, on: item, at: now)
        case .requestReview(let names):
            try review(by: username, on: item, adding: names, removing: [], at: now)
        case .removeReviewRequest(let names):
            try review(by: username, on: item, adding: [], removing: names, at: now)
        case .draft(let isDraft): try setDraft(by: username, on: item, isDraft, at: now)
        default: nil
        }
    }

    private func hasPendingTodo(_ person: Int, on item: Int) -> Bool {
        people[person].openTodos.contains { id in
            currentTodo(id, of: person).map { !$0.isDone && $0.target == .item(item) } ?? false
        }
    }

    private mutating func markTodo(of person: Int, on item: Int, at now: WallTime) -> Activity {
        var draft = draft(.todoAdded, by: person, on: item, at: now)
        addTodo(for: person, .marked, on: item, isCausedBySelf: true, draft: &draft)
        draft.body = "\(people[person].username) added a to-do"
        return conclude(draft)
    }
}

/// A comment as it is sent: its text, and the quick actions in it.
struct QuickActionText {
    /// What remains without their lines; empty when there is nothing else.
    private(set) var text: String
    private(set) var actions: [QuickAction] = []
    /// As they were written, without the slash.
    private(set) var names: [String] = []

    /// Each stands in a line of its own, outside of fenced code.
    init(_ body: String) {
        var kept: [Substring] = []
        var isCode = false
        for line in body.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            if line.hasPrefix("```") { isCode.toggle() }
            if !isCode, let (name, action) = Self.action(in: line) {
                names.append(name)
                actions.append(action)
            } else {
                kept.append(line)
            }
        }
        text = names.isEmpty ? body : kept.joined(separator: "\n")
        while !names.isEmpty, text.last?.isWhitespace == true { text.removeLast() }
    }

    private static func action(in line: Substring) -> (String, QuickAction)? {
        guard line.first == "/" else { return nil }
        let words = line.dropFirst().split(whereSeparator: \.isWhitespace)
        guard let name = words.first?.lowercased() else { return nil }
        let argument = words.dropFirst().joined(separator: " ")
        let people = words.dropFirst().filter { $0.hasPrefix("@") }.map { String($0.dropFirst()) }
        return action(name, argument, people).map { (name, $0) }
    }

    private static func action(_ name: String, _ argument: String, _ people: [String]) -> QuickAction? {
        switch name {
        case "approve": .approve
        case "unapprove": .unapprove
        case "close": .close
        case "reopen": .reopen
        case "todo": .todo
        case "assign": .assign(people)
        case "unassign": .unassign(people)
        case "request_review", "assign_reviewer", "reviewer": .requestReview(people)
        case "unassign_reviewer", "remove_reviewer": .removeReviewRequest(people)
        case "label", "labels": .label(argument.filter { $0 != "~" && $0 != "\"" })
        case "due": TimestampParser.parseDate(argument).map { .dueDate($0) }
        case "remove_due_date": .dueDate(nil)
        case "draft": .draft(true)
        case "ready": .draft(false)
        case "subscribe": .subscribe(true)
        case "unsubscribe": .subscribe(false)
        default: nil
        }
    }
}
