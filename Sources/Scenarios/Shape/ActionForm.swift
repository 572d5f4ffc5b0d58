/// An action as scenario files write it, and who may do it. The rows stand in `ActionForm.all`.
struct ActionForm: Sendable {
    /// What an action is done to.
    enum Target: Equatable {
        case item([ItemKind])
        case newItem(ItemKind)
        case commit
        case milestone
        case todos
        case access
        case token
        case registration
        case watchList
        case app
        case program
        case duty
        case device
    }

    let kind: ActionKind
    /// One line for documentation and editors.
    let summary: String
    let target: Target
    /// The keys beside `action` and the time.
    let fields: [Field]
    /// What of an action is written, in this order.
    let keys: [ActionKey]
    /// The least role that may do it, on another's item (GitLab's permission table; not part of the fact sheet).
    let leastRole: Member.Role
    /// Whether a mix may contain it: the daily work of a team.
    let isMixable: Bool
    /// What happens to an item by it; by these a gate may select activities. Nil when nothing happens to any.
    let activity: ActivityKind?
    /// When it is possible on an item, and what it changes about it.
    let rules: ItemRules
    /// The action that a template without choices asks for. Throws `OpenChoice`.
    let make: @Sendable (ActionDetails) throws -> Action

    init(
        _ kind: ActionKind,
        _ summary: String,
        _ target: Target,
        _ fields: [Field],
        least: Member.Role = .guest,
        isMixable: Bool = false,
        activity: ActivityKind? = nil,
        rules: ItemRules = .none,
        make: @escaping @Sendable (ActionDetails) throws -> Action
    ) {
        (self.kind, self.summary, self.target, self.fields) = (kind, summary, target, fields)
        (leastRole, self.isMixable, self.activity, self.rules, self.make) = (least, isMixable, activity, rules, make)
        keys = ActionKey.allCases.filter { key in fields.contains { $0.key == key.rawValue } }
    }

    /// Something that is done to an item that exists.
    static func onItem(
        _ kind: ActionKind,
        _ activity: ActivityKind,
        _ summary: String,
        on items: [ItemKind] = [.mergeRequest, .issue],
        least: Member.Role = .guest,
        isMixable: Bool = true,
        _ parameters: [Field] = [],
        rules: ItemRules = .none,
        action: @escaping @Sendable (ActionDetails) throws -> ItemAction
    ) -> ActionForm {
        ActionForm(
            kind,
            summary,
            .item(items),
            Field.actor + [.on] + parameters,
            least: least,
            isMixable: isMixable,
            activity: activity,
            rules: rules,
            make: { .onItem(try action($0), item: try $0.item, by: try $0.person) }
        )
    }

    /// Something by which a new item begins.
    static func opening(
        _ kind: ActionKind,
        _ summary: String,
        _ item: ItemKind,
        least: Member.Role,
        _ parameters: [Field] = []
    ) -> ActionForm {
        ActionForm(
            kind,
            summary,
            .newItem(item),
            Field.actor + [.newItem, .optionalTitle, .assignees] + parameters,
            least: least,
            isMixable: true,
            activity: .opened,
            make: { .open(try $0.newItem, by: try $0.person) }
        )
    }

    /// Whether only a user of the notifier can do it.
    var needsNotifiedPerson: Bool {
        switch target {
        case .token, .registration, .watchList, .app, .program, .duty, .device: true
        case .item, .newItem, .commit, .milestone, .todos, .access: false
        }
    }
}

extension ActionKind {
    private static let forms = Dictionary(ActionForm.all.map { ($0.kind, $0) }) { first, _ in first }

    /// How scenario files write it.
    var form: ActionForm {
        guard let form = Self.forms[self] else { preconditionFailure("every action has a row in ActionForm.all") }
        return form
    }

    var target: ActionForm.Target { form.target }

    /// Kinds a mix may contain.
    static let mixable = allCases.filter(\.form.isMixable)

    /// Kinds by which a gate may select activities.
    static let gateKinds = allCases.filter { $0.activity != nil }

    /// The kind of activity it leads to; nil when nothing happens to an item.
    package var activity: ActivityKind? { form.activity }
}
