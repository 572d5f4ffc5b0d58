import Configuration
import JSON

/// What the published document says of the routes about items and subscriptions.
extension RouteDescription {
    static let listItems = RouteDescription(
        "listItems",
        "Lists the person's issues and merge requests as GitLab has them now, most recently updated first.",
        parameters: [
            .query("projectId", .number(1...Int64.max), "Only items of this project."),
            .query("itemType", .word(["issue", "merge_request"]), "Only items of this kind."),
            .query("involvement", .word(Involvement.allCases.map(\.rawValue)), "Only items with this involvement."),
            .query(
                "state",
                .word(["opened", "closed", "merged", "all"]),
                "Only items in this state; `opened` when absent."
            ),
            .query("limit", .number(1...100), "How many at most; 50 when absent."),
            .query("cursor", .opaque, "The `nextCursor` of an earlier answer, for the page behind it."),
        ],
        answers: [
            .json(
                200,
                "One page of the items.",
                .object([
                    .required("items", .list(item, count: 0...100), "Most recently updated first."),
                    .optional("nextCursor", .opaque, "Leads to the next page; absent on the last."),
                ])
            )
        ],
        errors: [.gitLabNotFound, .projectNotFound],
        examples: [
            Example(
                "nothing-open",
                "Nothing is open that the person has to do with.",
                parameters: ["limit": "20"],
                answer: ["items": []]
            )
        ]
    )

    private static let item = APISchema.object([
        .required("id", .number(), "The item's id in GitLab."),
        .required("iid", .number(), "The item's number in its project."),
        .required("type", .word(["issue", "merge_request"]), "What the item is."),
        .required("title", .text(), "The item's title."),
        .required("projectId", .number(), "The item's project."),
        .optional("projectPath", .text(), "Such as `team/backend`."),
        .optional("webUrl", .url, "Where the item stands in GitLab."),
        .required("state", .text(0...64), "GitLab's word, such as `opened`, `closed`, `merged`."),
        .required(
            "involvement",
            .list(.word(Involvement.allCases.map(\.rawValue)), count: 1...4),
            "Every way in which the person has to do with it that was asked for."
        ),
        .required("watched", .boolean, "Whether it is in the watch list."),
        .optional("watchedItemId", .id, "The entry's id; absent when it is not watched."),
        .required("lastActivityAt", .instant, "When it was last updated."),
    ])

    static let importWatches = RouteDescription(
        "importWatches",
        "Watches the person's open items to which they are subscribed in GitLab, as many as one call may look at.",
        parameters: [.query("cursor", .opaque, "The `nextCursor` of an earlier answer: goes on from there.")],
        answers: [
            .json(
                200,
                "What was taken.",
                .object([
                    .required("imported", .number(0...100), "How many are watched now that were not before."),
                    .required("skipped", .number(0...1_000), "Watched already, not subscribed to, or not readable."),
                    .required("complete", .boolean, "False when there is more to look at: import again."),
                    .optional("nextCursor", .opaque, "Where the next import goes on; absent for the beginning."),
                    .required("items", .list(imported, count: 0...100), "What was taken."),
                ])
            )
        ],
        errors: [.watchLimitReached(limit: NotifierConfiguration().watchLimit), .gitLabNotFound],
        examples: [
            Example(
                "nothing-to-import",
                "The person has no open items.",
                answer: ["imported": 0, "skipped": 0, "complete": true, "items": []]
            )
        ]
    )

    private static let imported = APISchema.object([
        .required("watchedItemId", .id, "The entry's id."),
        .required("itemIid", .number(), "The item's number in its project."),
        .required("itemType", .word(["issue", "merge_request"]), "What the item is."),
        .required("projectId", .number(), "The item's project."),
        .required("title", .text(), "The item's title."),
    ])

    static let syncWatch = RouteDescription(
        "syncWatch",
        "Makes watch list and GitLab's subscription agree: `pull` as GitLab says, `push` as the watch list says.",
        parameters: [.path("id", .id, "The entry's id.")],
        body: .object([.required("direction", .word(["pull", "push"]), "Whose word holds.")]),
        answers: [
            .json(
                200,
                "They agree.",
                .object([
                    .required("watching", .boolean, "Whether the item is watched now."),
                    .required("gitlabSubscribed", .boolean, "Whether the person is subscribed in GitLab now."),
                    .required("changed", .boolean, "Whether anything was different before."),
                ])
            )
        ],
        errors: [.watchNotFound, .itemNotFound, .gitLabNotFound, .gitLabWriteScopeMissing, .gitLabSubscriptionRefused],
        examples: [
            Example(
                "pull-unsubscribed",
                "The person is not subscribed in GitLab, so the watch ends.",
                after: ["addWatch"],
                parameters: ["id": "550e8400-e29b-41d4-a716-446655440002"],
                body: ["direction": "pull"],
                answer: ["watching": false, "gitlabSubscribed": false, "changed": true]
            )
        ]
    )
}
