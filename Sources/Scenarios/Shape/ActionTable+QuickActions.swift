/// Comments of lines such as `/close`.
extension ActionForm {
    static let quickActions = ActionForm.onItem(
        .quickActions,
        .comment,
        "A comment asks GitLab to do several things at once; what is not possible is passed over.",
        isMixable: false,
        [
            Field(
                "commands",
                .list(.oneOf(QuickCommand.self), count: 1...QuickCommand.allCases.count),
                isRequired: true,
                "What is to be done."
            ),
            Field("user", .person, "Whom it concerns; what needs somebody is passed over by default."),
            Field("label", .notation(.text), "The label; none by default."),
            Field("due", .notation(.date), "The day; none by default."),
            Field(
                "body",
                .texts,
                "The text beside them, or several to choose from; none by default, and then there is no comment."
            ),
        ],
        rules: ItemRules(
            isPlausible: { _ in true },
            comments: { $0.template.bodies.isEmpty ? 0 : 1 },
            then: { item, details in
                if !details.template.bodies.isEmpty { item.addComments(by: try details.person) }
                for command in details.template.commands { try command.kind?.form.rules.then(&item, details) }
            }
        )
    ) { .quickActions(try $0.quickActions, text: $0.optionalComment) }
}
