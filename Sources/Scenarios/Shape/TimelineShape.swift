/// The entries of the timeline: one form per action and per fault, and the mix.
enum TimelineShape {
    static let entry = VariantShape(
        name: "entry",
        summary: "When, and exactly one action, mix or fault.",
        commonFields: commonFields,
        commonRules: commonRules,
        forms: ActionKind.allCases.map { form(of: $0.form) } + [mixForm] + FaultKind.allCases.map { form(of: $0.form) }
    )

    /// The keys every entry has.
    static let commonFields = [
        Field("id", .notation(.entryID), "A name for reports, and for the windows of gates when it is a fault."),
        Field("description", .notation(.text), "What this entry tells, for the reader."),
        Field("at", .notation(.instant), "Once, at this offset; \"random\" for an instant between from and until."),
        Field("every", .length, "Again and again, first at from."),
        Field("rate", .notation(.rate), "Independent arrivals, so many per time on average (Poisson)."),
        Field("from", .notation(.duration), "Not before this offset; the start by default."),
        Field("until", .notation(.duration), "Before this offset; the end by default."),
        Field("weekdays", .notation(.weekdays), "Only on these days, in the instance's time zone."),
        Field("hours", .notation(.hours), "Only in this part of the day, in the instance's time zone."),
    ]

    private static let commonRules: [ObjectShape.Rule] = [
        .exactlyOne(["at", "every", "rate"]),
        .excludes("at", ["weekdays", "hours"]),
        .whenEqual("at", "random", needs: ["from", "until"]),
        .unlessEqual("at", "random", excludes: ["from", "until"]),
    ]

    private static func form(of action: ActionForm) -> VariantShape.Form {
        let name = action.kind.rawValue
        let discriminator = Field("action", .choice([name]), isRequired: true, action.summary)
        let object = ObjectShape(
            name: "action-\(name)",
            summary: action.summary,
            fields: [discriminator] + action.fields,
            rules: rules(of: action)
        )
        return VariantShape.Form(key: "action", value: name, object: object)
    }

    private static func rules(of action: ActionForm) -> [ObjectShape.Rule] {
        if action.kind == .editDuty { return [.needsOneOf("duty", ActionForm.editFields.map(\.key))] }
        return action.fields.contains { $0.key == "except" } ? [.needsOneOf("except", ["by"])] : []
    }

    private static func form(of fault: FaultForm) -> VariantShape.Form {
        let name = fault.kind.rawValue
        let discriminator = Field("fault", .choice([name]), isRequired: true, fault.summary)
        let mayNameNobody = fault.fields.contains { $0.key == "person" && !$0.isRequired }
        let object = ObjectShape(
            name: "fault-\(name)",
            summary: fault.summary,
            fields: [discriminator] + fault.fields,
            rules: mayNameNobody ? [.needsOneOf("device", ["person"])] : []
        )
        return VariantShape.Form(key: "fault", value: name, object: object)
    }

    private static let mixForm = VariantShape.Form(
        key: "mix",
        value: nil,
        object: ObjectShape(
            name: "mix",
            summary: mixSummary,
            fields: [
                Field("mix", .object(weights), isRequired: true, mixSummary),
                Field("by", .person, "Who acts; anyone by default."),
                Field("except", .people, "Who does not count as anyone."),
                Field("on", .item, "On what; any item by default."),
                Field("mention", .person, "Whom one in five comments mentions; nobody by default."),
            ]
        )
    )

    static let mixSummary =
        "Generated team traffic: kinds of action and how often each is drawn in relation to the others."

    private static let weights = ObjectShape(
        name: "weights",
        summary: mixSummary,
        fields: ActionKind.mixable.map { Field($0.rawValue, .integer(1...1_000), $0.form.summary) },
        rules: [.notEmpty]
    )
}
