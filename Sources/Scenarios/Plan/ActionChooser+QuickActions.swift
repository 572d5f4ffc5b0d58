import Platform

/// Comments that ask GitLab to do something: what is not possible it passes over.
extension ActionChooser {
    mutating func chooseQuickActions(
        of template: inout ActionTemplate,
        on item: ItemReference,
        by person: Username
    ) throws(Impossible) {
        template.bodies = random.pick(template.bodies).map { [$0] } ?? []
        template.user = random.pick(candidates(template.user, in: item.project)).map { .oneOf([$0]) }
        let asked = template
        var commands = QuickCommand.allCases.filter(asked.commands.contains)
        commands = commands.filter { isPossible($0, asked, on: item, by: person) }
        // Of two about the same field the last counts.
        if commands.contains(.setDueDate) { commands.removeAll { $0 == .clearDueDate } }
        guard !commands.isEmpty else {
            throw Impossible(reason: "none of the quick actions is possible on \(item)")
        }
        template.commands = commands
    }

    /// By what stands before all of them: no two that are possible then stand in each other's way.
    private func isPossible(
        _ command: QuickCommand,
        _ template: ActionTemplate,
        on item: ItemReference,
        by person: Username
    ) -> Bool {
        guard let kind = command.kind else { return true }
        guard planned.obstacle(to: kind, on: item) == nil, planned.obstacle(to: kind, on: item, by: person) == nil
        else { return false }
        for key in kind.form.keys {
            switch key {
            case .user:
                guard let user = template.user?.people.first, planned.obstacle(to: kind, on: item, user: user) == nil
                else { return false }
            case .label:
                guard let label = template.text, planned[item]?.labels.contains(label) != true else { return false }
            case .due:
                guard let day = template.due, planned[item]?.dueDate != day else { return false }
            default: break
            }
        }
        return true
    }
}
