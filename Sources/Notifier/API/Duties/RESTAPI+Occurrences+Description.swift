import JSON

/// What the published document says of occurrences and invitations.
extension RouteDescription {
    private static let occurrenceID = Parameter.path("id", .id, "The occurrence's id.")

    private static let standing = APISchema.object([
        .required("occurrence", DutySchemas.occurrence, "As it stands now."),
        .required(
            "stands",
            .boolean,
            "False where something that was said before, or happened earlier, stands instead."
        ),
    ])

    private static let end: [APISchema.Property] = [
        .optional("completionId", .id, "Made by the client, so that it may be sent again; a new one without it."),
        .optional("by", .id, "The member who did it; the person without it."),
        .optional("at", .instant, "When; now without it, and not later than now."),
        .optional("note", DutySchemas.note, "For the next in turn."),
    ]

    private static let eventErrors: [APIError] = [
        .occurrenceNotFound, .memberNotFound, .idTaken, .changeTooOld(days: 90),
        .eventLimitReached(limit: DutyPolicy.eventLimit),
    ]

    private static func ended(_ status: String) -> JSONValue {
        [
            "occurrence": exampleOccurrence(0, "2026-03-02", of: 0).with("status", .string(status))
                .with("decidedAt", "2026-03-02T09:00:00.000Z")
                .with("decidedBy", "550e8400-e29b-41d4-a716-446655440027"),
            "stands": true,
        ]
    }

    /// A route that ends an occurrence, one way or the other; its example comes with a note for the next in turn.
    private static func ending(
        _ operationID: String,
        _ summary: String,
        as status: String,
        example: (name: String, summary: String, note: JSONValue)
    ) -> RouteDescription {
        RouteDescription(
            operationID,
            summary,
            parameters: [occurrenceID],
            body: .object(end),
            answers: [.json(200, "The occurrence.", standing)],
            errors: eventErrors,
            examples: [
                Example(
                    example.name,
                    example.summary,
                    after: ["makeDuty"],
                    parameters: ["id": exampleOccurrences[0]],
                    body: ["note": example.note],
                    answer: ended(status)
                )
            ]
        )
    }

    static let completeOccurrence = ending(
        "completeOccurrence",
        "Says that what was due is done. It stays so, and who did it has had their turn.",
        as: "completed",
        example: (name: "done", summary: "Anna has released.", note: "The build of arm64 is slow.")
    )

    static let skipOccurrence = ending(
        "skipOccurrence",
        "Says that what was due is left out. It stays so, and whoever's turn it was has had it.",
        as: "skipped",
        example: (name: "left-out", summary: "Nothing is to be released.", note: "Nothing was merged.")
    )

    static let reassignOccurrence = RouteDescription(
        "reassignOccurrence",
        "Gives an occurrence to somebody who takes part, whatever the rotation says. Who does it has had their turn.",
        parameters: [occurrenceID],
        body: .object([
            .required("to", .id, "The member who is to do it."),
            .optional("reassignmentId", .id, "Made by the client, so that it may be sent again; a new one without it."),
            .optional("at", .instant, "When it was decided; now without it, and not later than now."),
        ]),
        answers: [.json(200, "The occurrence.", standing)],
        errors: eventErrors + [.memberAbsent],
        examples: [
            Example(
                "given",
                "Bert releases for Anna.",
                after: ["makeDuty"],
                parameters: ["id": exampleOccurrences[0]],
                body: ["to": .string(exampleMembers[1])],
                answer: [
                    "occurrence": exampleOccurrence(0, "2026-03-02", of: 1).with("status", "reassigned")
                        .with("decidedAt", "2026-03-02T09:00:00.000Z")
                        .with("decidedBy", "550e8400-e29b-41d4-a716-446655440028"),
                    "stands": true,
                ]
            )
        ]
    )

    // MARK: Invitations

    static let inviteToDuty = RouteDescription(
        "inviteToDuty",
        "Makes a code with which somebody else's account can take part. An earlier code of the duty ends.",
        parameters: [dutyID],
        answers: [shownCode(201, "invitationCode", "Six letters and digits, for an hour and one use.")],
        errors: [.dutyNotFound],
        examples: [
            Example(
                "colleague",
                "Anna invites a colleague.",
                after: ["makeDuty"],
                parameters: ["id": exampleDuty],
                status: 201,
                answer: ["invitationCode": "K7M2QX", "expiresAt": "2026-03-02T10:00:00.000Z"]
            )
        ]
    )

    static let joinDuty = RouteDescription(
        "joinDuty",
        "Takes part in a duty of somebody else's, with a code that they show. Their first turn is after everybody else's.",
        body: .object([
            .required(
                "invitationCode",
                .matching(PairingPolicy.typedPattern, length: 0...PairingPolicy.typedLimitBytes),
                "As it is typed: spaces, hyphens and letter case do not matter."
            ),
            .required("name", DutySchemas.name, "What the others see."),
            .optional("memberId", .id, "The member's id, made by the client; a new one without it."),
        ]),
        answers: [.json(201, "The duty.", DutySchemas.whole)],
        errors: [
            .invitationUnknown, .tooManyAttempts(retryAfter: .seconds(60)), .alreadyMember, .idTaken,
            .dutyLimitReached(limit: DutyPolicy.dutyLimit), .memberLimitReached(limit: DutyPolicy.memberLimit),
        ],
        examples: [
            Example(
                "unknown",
                "A code that nobody made.",
                body: ["invitationCode": "AAAAAA", "name": "Bert"],
                status: 404
            )
        ]
    )
}
