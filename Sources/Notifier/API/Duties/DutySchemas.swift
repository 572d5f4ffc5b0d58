/// The shapes of duties in the published document.
enum DutySchemas {
    static let title = APISchema.matching(SignalInput.linePattern, length: DutyPolicy.titleCharacters)
    static let name = APISchema.matching(SignalInput.linePattern, length: DutyPolicy.nameCharacters)
    static let note = APISchema.matching(SignalInput.textPattern, length: DutyPolicy.noteCharacters)
    static let time = APISchema.matching("([01][0-9]|2[0-3]):[0-5][0-9]", length: 5...5)
    static let zone = APISchema.text(1...TimeZone.nameLimitBytes)
    static let weekdays = APISchema.list(.word(QuietHoursText.dayNames), count: 1...7)
    static let modes = APISchema.word(["alternate", "fixed"])
    static let leadHours = APISchema.number(DutyPolicy.leadHours)
    private static let index = APISchema.number(0...1_000_000)

    /// What clients choose of a duty, and what stays as it was made.
    static func chosen(isRequired: Bool, isAnswer: Bool = false) -> [APISchema.Property] {
        func property(_ name: String, _ schema: APISchema, _ summary: String) -> APISchema.Property {
            isRequired ? .required(name, schema, summary) : .optional(name, schema, summary)
        }
        return [
            property("title", isAnswer ? .text(DutyPolicy.titleCharacters) : title, "What it is called."),
            property("timeOfDay", isAnswer ? .text(5...5) : time, "When it is due, by the clock of its zone."),
            property("timeZone", zone, "A name of the tz database."),
        ]
    }

    static let options: [APISchema.Property] = [
        .optional("leadHours", leadHours, "How long before it is due its person is reminded; 0 without it."),
        .optional("mode", modes, "How people take turns; in turn without it."),
        .optional("escalates", .boolean, "Whether its person is reminded again; false without it."),
    ]

    static let rhythm: [APISchema.Property] = [
        .optional("everyDays", .number(1...366), "Every so many days from the first on; not beside `weekdays`."),
        .optional("weekdays", weekdays, "On these days of the week, none twice; not beside `everyDays`."),
        .optional("everyWeeks", .number(1...52), "Of every so many weeks; 1 without it. Only with `weekdays`."),
    ]

    /// A duty alone.
    static let dutyProperties: [APISchema.Property] =
        [.required("dutyId", .id, "The duty's id.")] + chosen(isRequired: true, isAnswer: true) + rhythm + [
            .required("startOn", .day, "No occurrence is earlier."),
            .required("leadHours", leadHours, "How long before it is due its person is reminded."),
            .required("mode", modes, "How people take turns."),
            .required("escalates", .boolean, "Whether its person is reminded again."),
            .required("baseIndex", index, "The first occurrence that is kept."),
            .required("baseQueue", .list(.id, count: 0...200), "Members, in the order of their turns from there on."),
            .required("changedAt", .instant, "When it was changed last."),
        ]

    static let duty = APISchema.object(dutyProperties)

    static let member = APISchema.object([
        .required("memberId", .id, "The member's id."), .required("dutyId", .id, "The duty's id."),
        .required("name", .text(DutyPolicy.nameCharacters), "What they are called."),
        .required("position", .number(1...1_000), "Their place among those who joined at the same time."),
        .required("hasAccount", .boolean, "Whether they use this server and take part themselves."),
        .required("isYou", .boolean, "Whether that is the person who asks."),
        .required("joinedAt", .instant, "From when on they have turns."),
        .optional("leftAt", .instant, "From when on they have none; absent while they take part."),
        .required("changedAt", .instant, "When the member was changed last."),
    ])

    static let occurrence = APISchema.object([
        .required("occurrenceId", .id, "The occurrence's id."), .required("dutyId", .id, "The duty's id."),
        .required("index", index, "0 for the first."), .required("dueAt", .instant, "When it is due."),
        .required(
            "status",
            .word(["pending", "reassigned", "completed", "skipped"]),
            "How it stands; the last two stay."
        ),
        .optional("assignee", .id, "The member whose turn it is, or who did it; absent for nobody's."),
        .optional("decidedAt", .instant, "When that was decided; absent for what the rotation says."),
        .optional("decidedBy", .id, "The completion or reassignment that decided."),
    ])

    static let completion = APISchema.object([
        .required("completionId", .id, "The completion's id."),
        .required("occurrenceId", .id, "What was due."), .required("by", .id, "The member who did it, or left it out."),
        .required("at", .instant, "When."), .required("kind", .word(["done", "skip"]), "Which of both."),
        .optional("note", .text(DutyPolicy.noteCharacters), "For the next in turn; absent without one."),
    ])

    static let reassignment = APISchema.object([
        .required("reassignmentId", .id, "The reassignment's id."),
        .required("occurrenceId", .id, "What is due."), .required("to", .id, "The member who is to do it."),
        .required("by", .id, "The member who said so."), .required("at", .instant, "When."),
    ])

    /// Until when a duty tells the person nothing.
    static let mute = APISchema.object([
        .required("dutyId", .id, "The duty's id."),
        .optional("mutedUntil", .instant, "The end, which may be over; absent when it is not muted."),
        .optional("changedAt", .instant, "When that was chosen last; absent before it ever was."),
    ])

    /// A duty with its members and occurrences.
    static let whole = APISchema.object(
        dutyProperties + [
            .required("members", .list(member, count: 1...200), "Who takes part or took part, in their order."),
            .required("occurrences", .list(occurrence, count: 0...RESTAPI.mostOccurrences), "The first first."),
            .optional("mutedUntil", .instant, "Until when it tells the person nothing; absent when it is not muted."),
        ]
    )

    /// One of the first members.
    static let wishedMember = APISchema.object([
        .optional("memberId", .id, "The member's id, made by the client; a new one without it."),
        .required("name", name, "What they are called."),
        .optional("isYou", .boolean, "True for the person who asks, and for nobody else."),
    ])
}
