import JSON

/// What the published document says of duties.
extension RouteDescription {
    static let dutyID = Parameter.path("id", .id, "The duty's id.")
    static let exampleDuty = "550e8400-e29b-41d4-a716-446655440020"
    static let exampleMembers = ["550e8400-e29b-41d4-a716-446655440021", "550e8400-e29b-41d4-a716-446655440022"]
    static let exampleOccurrences = [
        "550e8400-e29b-41d4-a716-446655440023", "550e8400-e29b-41d4-a716-446655440024",
        "550e8400-e29b-41d4-a716-446655440025",
    ]

    private static func exampleMember(_ place: Int, _ name: String, isYou: Bool) -> JSONValue {
        [
            "memberId": .string(exampleMembers[place]), "dutyId": .string(exampleDuty), "name": .string(name),
            "position": .integer(Int64(place + 1)), "hasAccount": .bool(isYou), "isYou": .bool(isYou),
            "joinedAt": "2026-03-02T09:00:00.000Z", "changedAt": "2026-03-02T09:00:00.000Z",
        ]
    }

    static func exampleOccurrence(_ index: Int, _ day: String, of member: Int) -> JSONValue {
        [
            "occurrenceId": .string(exampleOccurrences[index]), "dutyId": .string(exampleDuty),
            "index": .integer(Int64(index)), "dueAt": .string("\(day)T14:30:00.000Z"), "status": "pending",
            "assignee": .string(exampleMembers[member]),
        ]
    }

    /// The duty of the examples, as it is shown.
    static func example(title: String = "Release", leadHours: Int64 = 24, _ extra: [JSONValue] = []) -> JSONValue {
        [
            "dutyId": .string(exampleDuty), "title": .string(title), "everyDays": 28, "startOn": "2026-03-02",
            "timeOfDay": "14:30", "timeZone": "UTC", "leadHours": .integer(leadHours), "mode": "alternate",
            "escalates": false, "baseIndex": 0, "baseQueue": [], "changedAt": "2026-03-02T09:00:00.000Z",
            "members": .array([exampleMember(0, "Anna", isYou: true), exampleMember(1, "Bert", isYou: false)] + extra),
            "occurrences": [
                exampleOccurrence(0, "2026-03-02", of: 0), exampleOccurrence(1, "2026-03-30", of: 1),
                exampleOccurrence(2, "2026-04-27", of: 0),
            ],
        ]
    }

    static let listDuties = RouteDescription(
        "listDuties",
        "Lists the duties in which the person takes part, the first first, each with the next that is to be done.",
        answers: [
            .json(
                200,
                "The duties.",
                .object([
                    .required("duties", .list(DutySchemas.whole, count: 0...DutyPolicy.dutyLimit), "One each.")
                ])
            )
        ],
        examples: [
            Example("one", "A person has one.", after: ["makeDuty"], answer: ["duties": [example()]])
        ]
    )

    static let makeDuty = RouteDescription(
        "makeDuty",
        "Makes a duty. Sent again with the same `dutyId` it makes none.",
        body: .object(
            [.optional("dutyId", .id, "The duty's id, made by the client; a new one without it.")]
                + DutySchemas.chosen(isRequired: true) + DutySchemas.rhythm + [
                    .required("startOn", .day, "The first day, at most 31 days ago and a year ahead.")
                ] + DutySchemas.options + [
                    .required(
                        "members",
                        .list(DutySchemas.wishedMember, count: 1...DutyPolicy.memberLimit),
                        "In the order of their turns; exactly one is the person who asks."
                    )
                ]
        ),
        answers: [.json(201, "The duty.", DutySchemas.whole)],
        errors: [.dutyLimitReached(limit: DutyPolicy.dutyLimit), .memberLimitReached(limit: DutyPolicy.memberLimit)]
            + [.idTaken],
        examples: [
            Example(
                "release",
                "Two people release in turn, every four weeks.",
                body: [
                    "title": "Release", "everyDays": 28, "startOn": "2026-03-02", "timeOfDay": "14:30",
                    "timeZone": "UTC", "leadHours": 24,
                    "members": [["name": "Anna", "isYou": true], ["name": "Bert"]],
                ],
                status: 201,
                answer: example()
            )
        ]
    )

    static let readDuty = RouteDescription(
        "readDuty",
        "Tells all of a duty: who takes part, and its occurrences of the last and the next 60 days.",
        parameters: [dutyID],
        answers: [.json(200, "The duty.", DutySchemas.whole)],
        errors: [.dutyNotFound],
        examples: [
            Example(
                "release",
                "A person looks at one.",
                after: ["makeDuty"],
                parameters: ["id": exampleDuty],
                answer: example()
            )
        ]
    )

    static let changeDuty = RouteDescription(
        "changeDuty",
        "Changes what of a duty may change, unless it was changed later. Rhythm and first day stay: another rhythm is another duty.",
        parameters: [dutyID],
        body: .object(
            DutySchemas.chosen(isRequired: false) + DutySchemas.options + [
                .optional("changedAt", .instant, "When the person chose it; now without it.")
            ]
        ),
        answers: [.json(200, "The duty as it is now.", DutySchemas.whole)],
        errors: [.dutyNotFound],
        examples: [
            Example(
                "title",
                "A person calls it something else.",
                after: ["makeDuty"],
                parameters: ["id": exampleDuty],
                body: ["title": "Release captain"],
                answer: example(title: "Release captain")
            )
        ]
    )

    static let endDuty = RouteDescription(
        "endDuty",
        "Ends a duty for everybody who takes part. Who only wants to leave removes themselves from its members.",
        parameters: [dutyID],
        answers: [.empty("It is no more.")],
        errors: [.dutyNotFound],
        examples: [
            Example(
                "release",
                "A person ends one.",
                after: ["makeDuty"],
                parameters: ["id": exampleDuty],
                status: 204
            )
        ]
    )

    static let addDutyMember = RouteDescription(
        "addDutyMember",
        "Adds somebody who has no account here and is known by name alone. One who is known under that `memberId` gets the name.",
        parameters: [dutyID],
        body: .object([
            .required("name", DutySchemas.name, "What they are called."),
            .optional("memberId", .id, "The member's id, made by the client; a new one without it."),
        ]),
        answers: [.json(201, "The duty as it is now.", DutySchemas.whole)],
        errors: [.dutyNotFound, .idTaken, .memberLimitReached(limit: DutyPolicy.memberLimit)],
        examples: [
            Example(
                "carla",
                "A third one joins, whose turn is after the others.",
                after: ["makeDuty"],
                parameters: ["id": exampleDuty],
                body: ["name": "Carla"],
                status: 201,
                answer: exampleOfThree
            )
        ]
    )

    private static var exampleOfThree: JSONValue {
        example([
            [
                "memberId": "550e8400-e29b-41d4-a716-446655440026", "dutyId": .string(exampleDuty), "name": "Carla",
                "position": 3, "hasAccount": false, "isYou": false, "joinedAt": "2026-03-02T09:00:00.000Z",
                "changedAt": "2026-03-02T09:00:00.000Z",
            ]
        ]).with(
            "occurrences",
            [
                exampleOccurrence(0, "2026-03-02", of: 0), exampleOccurrence(1, "2026-03-30", of: 1),
                exampleOccurrence(2, "2026-04-27", of: 0).with("assignee", "550e8400-e29b-41d4-a716-446655440026"),
            ]
        )
    }

    static let removeDutyMember = RouteDescription(
        "removeDutyMember",
        "Lets somebody take part no longer, also the person themselves. With the last who has an account the duty ends.",
        parameters: [dutyID, .path("memberId", .id, "The member's id.")],
        answers: [.empty("They have no turns from now on.")],
        errors: [.dutyNotFound, .memberNotFound],
        examples: [
            Example(
                "bert",
                "Bert has left.",
                after: ["makeDuty"],
                parameters: ["id": exampleDuty, "memberId": exampleMembers[1]],
                status: 204
            )
        ]
    )
}
