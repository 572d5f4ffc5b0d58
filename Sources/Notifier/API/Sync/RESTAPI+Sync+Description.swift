import JSON

/// What the published document says of the routes by which devices keep alike.
extension RouteDescription {
    private static let revision = APISchema.number(0...RESTAPI.highestRevision)

    private static let item: [APISchema.Property] = [
        .required("projectId", .number(1...Int64.max), "The item's project."),
        .required("itemType", .word(["issue", "merge_request"]), "What the item is."),
        .required("itemIid", .number(1...Int64.max), "The item's number in its project."),
    ]

    private static let choices = ["watched", "unwatched", "dismissed"]

    private static let watchValue = APISchema.object(
        [.required("watchedItemId", .id, "The entry's id.")] + item + watchProperties
    )

    private static let choiceValue = APISchema.object(
        item + [
            .required("choice", .word(choices), "The last choice."),
            .optional("changedAt", .instant, "When it was made; absent where none was."),
        ]
    )

    private static let muteValue = APISchema.object(
        item + [
            .optional("mutedUntil", .instant, "Until when the item says nothing; absent when it is not muted."),
            .optional("changedAt", .instant, "When that was chosen; absent where nothing was."),
        ]
    )

    private static let actorText: [APISchema.Property] = [
        .optional("displayName", .text(0...RESTAPI.textLimit), "What the app calls them."),
        .optional("reason", .text(0...RESTAPI.textLimit), "The person's own note."),
    ]

    private static let gitlabUserID = APISchema.Property.required(
        "gitlabUserId",
        .number(1...Int64.max),
        "GitLab's number of the person or bot."
    )

    private static let actorValue = APISchema.object(
        [gitlabUserID, .required("denied", .boolean, "Whether they are on the deny-list.")] + actorText
    )

    private static let readMarkValue = APISchema.object([
        .required("notificationId", .text(0...64), "The notification's id."),
        .required("read", .boolean, "Whether it is read."),
    ])

    private static let settingsValue = APISchema.object(settingsProperties(isRequired: true))

    private static let settingsWanted = APISchema.object([
        .required("settings", .list(.text(1...64), count: 0...20), "The names of the settings that were to change.")
    ])

    private static let value = APISchema.either([
        choiceValue, muteValue, actorValue, readMarkValue, settingsValue, settingsWanted, DutySchemas.duty,
        DutySchemas.member, DutySchemas.occurrence, DutySchemas.mute,
        .object([.required("dutyId", .id, "A duty that is no more.")]),
        .object([.required("memberId", .id, "A member.")]), .object([.required("occurrenceId", .id, "An occurrence.")]),
    ])

    static let pullChanges = RouteDescription(
        "pullChanges",
        "Tells what has changed since a revision, for a device that keeps a copy; or all there is, where that cannot be told.",
        parameters: [
            .query("since", revision, "The `revision` of the last answer; absent or 0 for a device that has nothing."),
            .query("snapshot", revision, "The `snapshot` of the last answer, where it had one."),
            .query("limit", .number(1...RESTAPI.mostSyncRows), "Rows in the answer at most; 500 without it."),
        ],
        answers: [
            .json(
                200,
                "What has changed.",
                .object([
                    .required("revision", revision, "What the next request asks with."),
                    .required(
                        "changes",
                        .object([
                            .required("watches", .list(watchValue), "Entries of the watch list, with their mutes."),
                            .required("choices", .list(choiceValue), "The last choice about each item."),
                            .required(
                                "deniedActors",
                                .list(.object([gitlabUserID] + actorText)),
                                "Who is on the deny-list."
                            ),
                            .required("readMarks", .list(readMarkValue), "What is read, and what is unread again."),
                            .required("duties", .list(DutySchemas.duty), "Duties in which the person takes part."),
                            .required("members", .list(DutySchemas.member), "Who takes part in them."),
                            .required("occurrences", .list(DutySchemas.occurrence), "As the rotation has them."),
                            .required("completions", .list(DutySchemas.completion), "What was done or left out."),
                            .required("reassignments", .list(DutySchemas.reassignment), "What was given away by hand."),
                            .required("dutyMutes", .list(DutySchemas.mute), "Duties that the person has muted."),
                            .optional("settings", settingsValue, "The settings; absent when none has changed."),
                        ]),
                        "Each thing as it is now."
                    ),
                    .required(
                        "deleted",
                        .list(
                            .either([
                                .object([.required("entity", .word(["watch"]), "What it was.")] + item),
                                .object([.required("entity", .word(["deniedActor"]), "What it was."), gitlabUserID]),
                                .object([
                                    .required("entity", .word(["duty"]), "A duty, with all that belongs to it."),
                                    .required("dutyId", .id, "Which one."),
                                ]),
                                .object([
                                    .required("entity", .word(["occurrence"]), "What it was."),
                                    .required("occurrenceId", .id, "Which one."),
                                ]),
                                .object([
                                    .required("entity", .word(["dutyEvent"]), "A completion or a reassignment."),
                                    .required("eventId", .id, "Which one."),
                                ]),
                                .object([
                                    .required("entity", .word(["dutyMute"]), "A mute that its person has ended."),
                                    .required("dutyId", .id, "Of which duty."),
                                ]),
                            ])
                        ),
                        "What is no more."
                    ),
                    .required("hasMore", .boolean, "Whether the next request brings more at once."),
                    .required(
                        "reset",
                        .boolean,
                        "True: the device forgets its copy first, this is the beginning of all."
                    ),
                    .optional(
                        "snapshot",
                        revision,
                        "To be sent with the next request, while more of all there is follows."
                    ),
                ])
            )
        ],
        examples: [
            Example(
                "first",
                "A device that has nothing yet.",
                after: ["denyActor"],
                answer: [
                    "revision": 1_858_540_142_592_001,
                    "changes": [
                        "watches": [], "choices": [],
                        "deniedActors": [["gitlabUserId": 123, "displayName": "CI Bot", "reason": "CI bot"]],
                        "readMarks": [], "duties": [], "members": [], "occurrences": [], "completions": [],
                        "reassignments": [], "dutyMutes": [],
                        "settings": [
                            "timeZone": "UTC", "quietHours": [], "urgentBypass": true, "autoWatch": false,
                            "mirrorSubscriptions": false, "reminders": true, "dueReminders": true, "dueLeadHours": 15,
                            "kinds": ["approvals", "comments", "pushes", "states"],
                        ],
                    ], "deleted": [], "hasMore": false, "reset": true,
                ]
            )
        ]
    )

    static let pushChanges = RouteDescription(
        "pushChanges",
        "Takes what a device has changed, also while it was away. Sent again with the same `clientChangeId` it means the same.",
        body: .object([
            .required("baseRevision", revision, "The revision that the device has; 0 for none."),
            .required("clientChangeId", changeID, "The envelope's id, chosen by the device."),
            .required(
                "changes",
                .list(change, count: 0...SyncEnvelope.mostChanges),
                "In the order in which they were made."
            ),
        ]),
        answers: [
            .json(
                200,
                "What became of each change.",
                .object([
                    .required(
                        "revision",
                        revision,
                        "The account's, with the changes in it. Ask with the own one: others changed things, too."
                    ),
                    .required(
                        "applied",
                        .list(
                            .object(
                                names + [
                                    .required("value", value, "What holds now."),
                                    .required(
                                        "changedAt",
                                        .instant,
                                        "When the change counts as made: no later than its envelope came first."
                                    ),
                                ]
                            )
                        ),
                        "What holds now as it was wanted."
                    ),
                    .required(
                        "conflicts",
                        .list(
                            .object(
                                names + [
                                    .required("winner", .word(["yours", "theirs"]), "Whose choice is the later one."),
                                    .required("yours", value, "What this device wanted."),
                                    .required("theirs", value, "What another device chose."),
                                ]
                            )
                        ),
                        "Where another device chose, unknown to this one. `theirs` that won is what holds now."
                    ),
                    .required(
                        "refused",
                        .list(
                            .object([
                                .required("id", .text(1...64), "The change's id."),
                                .required("code", .text(1...64), "As in an error's answer."),
                                .required("message", .text(), "As in an error's answer."),
                                .required("hint", .text(), "As in an error's answer."),
                            ])
                        ),
                        "What cannot be; it changed nothing."
                    ),
                    .optional(
                        "recomputed",
                        .list(DutySchemas.occurrence, count: 1...SyncEnvelope.mostChanges),
                        "Occurrences that are not as they were, by their time; the rest comes with the next pull, as these do."
                    ),
                ])
            )
        ],
        errors: [.revisionAhead],
        examples: [
            Example(
                "two-changes",
                "A device that was away, whose person silenced a bot and looked at a notification that is forgotten.",
                body: [
                    "baseRevision": 0, "clientChangeId": "envelope-1",
                    "changes": [
                        [
                            "id": "1", "entity": "deniedActor", "changedAt": "2026-03-02T08:00:00Z",
                            "gitlabUserId": 123, "denied": true,
                        ],
                        [
                            "id": "2", "entity": "readMark", "changedAt": "2026-03-02T08:01:00Z",
                            "notificationId": "550e8400-e29b-41d4-a716-446655440012", "read": true,
                        ],
                    ],
                ],
                answer: [
                    "revision": 1_858_540_142_592_001,
                    "applied": [
                        [
                            "id": "1", "entity": "deniedActor", "value": ["gitlabUserId": 123, "denied": true],
                            "changedAt": "2026-03-02T08:00:00.000Z",
                        ]
                    ],
                    "conflicts": [],
                    "refused": [
                        [
                            "id": "2", "code": "notification_not_found", "message": "There is no such notification.",
                            "hint": "GET /notifications lists them; old ones are forgotten.",
                        ]
                    ],
                ]
            ),
            Example(
                "ahead",
                "A device that knows more than a server whose backup was brought back.",
                body: ["baseRevision": 9_007_199_254_740_991, "clientChangeId": "envelope-2", "changes": []],
                status: 409
            ),
        ]
    )

    private static let changeID = APISchema.matching("[A-Za-z0-9-]+", length: 1...SyncEnvelope.idLimit)

    private static let names: [APISchema.Property] = [
        .required("id", .text(1...64), "The change's id."),
        .required("entity", .text(1...64), "What it is about."),
    ]

    private static func change(_ entity: String, _ properties: [APISchema.Property]) -> APISchema {
        .object(
            [
                .required(
                    "id",
                    changeID,
                    "The change's id, another one for each; decides between choices of one instant."
                ),
                .required("entity", .word([entity]), "What it is about."),
                .required("changedAt", .instant, "When the person chose it."),
            ] + properties
        )
    }

    private static let change = APISchema.either(
        [
            change("choice", item + [.required("choice", .word(choices), "What is wanted.")]),
            change("mute", item + [.optional("mutedUntil", .instant, "The end, within a year; absent to end a mute.")]),
            change(
                "deniedActor",
                [gitlabUserID, .required("denied", .boolean, "Whether to be silenced.")] + actorText
            ),
            change(
                "settings",
                [
                    .required(
                        "settings",
                        .object(settingsProperties(isRequired: false)),
                        "The settings to change, each by itself."
                    )
                ]
            ),
            change(
                "readMark",
                [
                    .required("notificationId", .text(0...64), "The notification's id."),
                    .required("read", .boolean, "Whether it is read."),
                ]
            ),
        ] + dutyChanges
    )

    private static let deleted = APISchema.Property.required("deleted", .boolean, "True.")

    private static let dutyChanges: [APISchema] = [
        change(
            "duty",
            [
                .required("dutyId", .id, "The duty's id."),
                .required(
                    "duty",
                    .object(
                        DutySchemas.chosen(isRequired: false) + DutySchemas.rhythm + [
                            .optional("startOn", .day, "The first day; only with `members`.")
                        ] + DutySchemas.options
                    ),
                    "What is wanted, as by `POST /duties`."
                ),
                .optional(
                    "members",
                    .list(DutySchemas.wishedMember, count: 1...DutyPolicy.memberLimit),
                    "Of a duty that may have to be made; what is known keeps its own."
                ),
            ]
        ),
        change("duty", [.required("dutyId", .id, "The duty's id."), deleted]),
        change(
            "dutyMute",
            [
                .required("dutyId", .id, "The duty's id."),
                .optional("mutedUntil", .instant, "The end, within a year; absent to end a mute."),
            ]
        ),
        change(
            "dutyMember",
            [
                .required("dutyId", .id, "The duty's id."), .required("memberId", .id, "The member's id."),
                .required("name", DutySchemas.name, "What they are called."),
            ]
        ),
        change(
            "dutyMember",
            [.required("dutyId", .id, "The duty's id."), .required("memberId", .id, "The member's id."), deleted]
        ),
        change(
            "completion",
            [
                .required("completionId", .id, "The completion's id."),
                .required("occurrenceId", .id, "What was due."),
                .required("kind", .word(["done", "skip"]), "Which of both."),
                .optional("by", .id, "The member who did it; the person without it."),
                .optional("note", DutySchemas.note, "For the next in turn."),
            ]
        ),
        change(
            "reassignment",
            [
                .required("reassignmentId", .id, "The reassignment's id."),
                .required("occurrenceId", .id, "What is due."), .required("to", .id, "The member who is to do it."),
            ]
        ),
    ]
}
