/// Keys that several actions share.
extension Field {
    static let actor = [
        Field("by", .person, isRequired: true, "Who does it: one, several to choose from, or anyone."),
        Field("except", .people, "Who does not count as anyone."),
    ]
    static let oneActor = Field("by", .namedPerson, isRequired: true, "Whose it is: one, or several to choose from.")
    static let on = Field("on", .item, isRequired: true, "On what: one, several to choose from, or any.")
    static let optionalItem = Field("on", .notation(.item), "The item it is about; all by default.")
    static let destination = Field(
        "to",
        .notation(.newItem),
        isRequired: true,
        "The project it moves to, or the issue it becomes there, under a number that is free."
    )

    static let newItem = Field(
        "on",
        .notation(.newItem),
        isRequired: true,
        "The new item's reference, or the project that numbers it."
    )
    static let optionalTitle = Field("title", .notation(.text), "Title; a built-in one by default.")
    static let assignees = Field("assignees", .people, "Who is assigned.")
    static let body = Field("body", .texts, "The text, or several to choose from; built-in ones by default.")
    static let mention = Field("mention", .person, "Whom the text mentions.")
    static let comments = Field("count", .integer(1...500), isRequired: true, "How many comments at once.")
    static let user = Field("user", .person, isRequired: true, "Whom it concerns.")
    static let author = Field("by", .namedPerson, isRequired: true, "Who writes it.")
    static let mentioned = Field("user", .namedPerson, isRequired: true, "Whom the text mentions.")
    static let project = Field("project", .notation(.project), isRequired: true, "In which project.")
    static let device = Field("device", .notation(.device), "Which device; all of the person by default.")
    static let namedDevice = Field("device", .notation(.device), isRequired: true, "Which device.")
    static let quietHours = [
        Field(
            "quiet",
            .notation(.hours),
            isRequired: true,
            "From when to when, by the person's clock; may go over midnight."
        ),
        Field("days", .notation(.weekdays), "The days on which they begin; every day by default."),
        Field("zone", .oneOf(QuietHours.Zone.self), isRequired: true, "Where the person lives."),
        Field("urgent", .boolean, "Whether mentions and review requests get through; true by default."),
    ]
}
