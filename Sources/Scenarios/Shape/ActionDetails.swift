import Platform

/// A choice is still open where an action needs it made.
struct OpenChoice: Error, Equatable, CustomStringConvertible {
    let key: ActionKey

    var description: String { "nothing says what `\(key.rawValue)` is" }
}

/// What a template says when its choices are made; each property throws while its own is open. Rows make their actions of these.
struct ActionDetails {
    let template: ActionTemplate

    var person: Username { get throws(OpenChoice) { try Self.only(template.by?.people, .by) } }

    var user: Username { get throws(OpenChoice) { try Self.only(template.user?.people, .user) } }

    var item: ItemReference {
        get throws(OpenChoice) {
            guard let item = optionalItem else { throw OpenChoice(key: .on) }
            return item
        }
    }

    var optionalItem: ItemReference? {
        guard case .oneOf(let items) = template.on, items.count == 1 else { return nil }
        return items[0]
    }

    var newItem: NewItem {
        get throws(OpenChoice) {
            NewItem(
                reference: try item,
                title: try text,
                assignees: template.assignees,
                reviewers: template.reviewers
            )
        }
    }

    /// Label, milestone, title or emoji.
    var text: String { get throws(OpenChoice) { try Self.made(template.text, .title) } }

    /// The name of what a program says.
    var name: String { get throws(OpenChoice) { try Self.made(template.text, .name) } }

    var optionalName: String? { template.text }

    /// The run that what a program says belongs to.
    var run: String? { template.run }

    var duty: String { get throws(OpenChoice) { try Self.made(template.duty, .duty) } }

    var word: ProgramWord { get throws(OpenChoice) { try Self.made(template.word, .says) } }

    var comment: CommentText {
        get throws(OpenChoice) { CommentText(try Self.only(template.bodies, .body)) }
    }

    /// Nil for quick actions without a text.
    var optionalComment: CommentText? { template.bodies.first.map { CommentText($0) } }

    /// Each once, in the order in which they are carried out.
    var quickActions: [ItemAction] {
        get throws {
            guard !template.commands.isEmpty else { throw OpenChoice(key: .commands) }
            return try QuickCommand.allCases.filter(template.commands.contains).map { try $0.action(self) }
        }
    }

    var count: Int { get throws(OpenChoice) { try Self.made(template.count, .count) } }

    var status: PipelineStatus { get throws(OpenChoice) { try Self.made(template.status, .status) } }

    var length: Duration { get throws(OpenChoice) { try Self.made(template.length, .length) } }

    var optionalLength: Duration? { template.length }

    var project: ProjectPath { get throws(OpenChoice) { try Self.made(template.project, .project) } }

    var quietHours: QuietHours { get throws(OpenChoice) { try Self.made(template.quietHours, .quietHours) } }

    var due: CivilDate { get throws(OpenChoice) { try Self.made(template.due, .due) } }

    var optionalDue: CivilDate? { template.due }

    /// What of a duty becomes otherwise.
    var edit: WorldDuty.Edit { template.edit }

    var leadHours: Int { get throws(OpenChoice) { try Self.made(template.edit.leadHours, .leadHours) } }

    /// Each once, in the order of their names.
    var kinds: [NotifiedKind] {
        get throws(OpenChoice) {
            guard !template.kinds.isEmpty else { throw OpenChoice(key: .kinds) }
            return NotifiedKind.allCases.filter(template.kinds.contains)
        }
    }

    /// Nil for all devices of the person.
    var device: DeviceName? { template.device }

    /// Nil for the one that the app has.
    var environment: Device.Environment? { template.environment }

    private static func made<Value>(_ value: Value?, _ key: ActionKey) throws(OpenChoice) -> Value {
        guard let value else { throw OpenChoice(key: key) }
        return value
    }

    private static func only<Value>(_ values: [Value]?, _ key: ActionKey) throws(OpenChoice) -> Value {
        guard let values, values.count == 1 else { throw OpenChoice(key: key) }
        return values[0]
    }
}

extension ActionTemplate {
    /// The action it asks for. Throws `OpenChoice` while it leaves one open.
    func resolved() throws -> ResolvedAction {
        ResolvedAction(action: try kind.form.make(ActionDetails(template: self)), template: self)
    }
}
