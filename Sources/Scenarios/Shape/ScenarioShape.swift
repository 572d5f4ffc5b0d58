/// The whole scenario file.
enum ScenarioShape {
    static let root = ObjectShape(
        name: "scenario",
        summary: "A story in virtual time: a world, a timeline, and what is expected.",
        fields: [
            Field("$schema", .anyText, "Address of this schema, so that editors complete and check."),
            Field("name", .notation(.name), isRequired: true, "Short name; usually that of the file."),
            Field("description", .notation(.text), isRequired: true, "Two sentences a user recognises."),
            Field("seed", .integer(0...maximumSeed), "The seed used when the command line names none; 1 by default."),
            Field("duration", .length, isRequired: true, "How long the story lasts in virtual time."),
            Field("start", .notation(.wallTime), isRequired: true, "What the true wall clock shows at the beginning."),
            Field("world", .object(world), isRequired: true, "What exists when the story begins."),
            Field("notifier", .object(notifier), "Overrides of the notifier's configuration."),
            Field(
                "timeline",
                .list(.variant(TimelineShape.entry), count: 0...200_000),
                isRequired: true,
                "What happens."
            ),
            Field("expect", .list(.object(gate), count: 0...200), isRequired: true, "What the run must fulfil."),
            Field("probes", .list(.oneOf(Probe.self), count: 0...100), "Paths that must have been reached."),
        ]
    )

    /// The largest whole number that every JSON reader keeps.
    /// How many people and projects a scenario may have, and how many items of a kind a project.
    static let mostPeople = 1_000
    static let mostProjects = 200
    static let mostItems = 5_000

    private static let maximumSeed: Int64 = 9_007_199_254_740_991

    private static let world = ObjectShape(
        name: "world",
        summary: "What exists when the story begins.",
        fields: [
            Field("gitlab", .object(gitlab), "The GitLab instance."),
            Field("apns", .object(apns), "Apple's push service."),
            Field("api", .object(api), "The notifier's own REST API."),
            Field("people", .list(.object(person), count: 1...mostPeople), isRequired: true, "GitLab users."),
            Field(
                "projects",
                .list(.object(project), count: 1...mostProjects),
                isRequired: true,
                "Projects with their items."
            ),
            Field("duties", .list(.object(duty), count: 0...mostDuties), "What people do in turn; nothing by default."),
        ]
    )

    private static let gitlab = ObjectShape(
        name: "gitlab",
        summary: "The GitLab instance.",
        fields: [
            Field(
                "version",
                .oneOf(GitLabWorld.Version.self),
                "Release whose behaviour is imitated; 17.11 by default."
            ),
            Field("edition", .oneOf(GitLabWorld.Edition.self), "Community (default) or Enterprise."),
            Field("url", .notation(.url), "What GitLab believes to be its own address."),
            Field("timeZone", .notation(.timeZone), "The instance's time zone, also that of hours and weekdays."),
            Field("latency", .latency, "Latency of the link from the notifier, each way."),
            Field("limits", .object(limits), "Rate limits; off by default."),
            Field("webhooks", .boolean, "Whether every project sends webhooks to the notifier; no by default."),
            Field("quirks", .object(quirks), "Switches that differ from their defaults."),
        ]
    )

    private static let limits = ObjectShape(
        name: "limits",
        summary: "GitLab's rate limits.",
        fields: [
            Field("authenticated", .object(limit), "Limiter A: requests of one user over all tokens."),
            Field(
                "notesPerMinute",
                .integer(1...1_000_000),
                "Limiter B: notes created by one user; GitLab's own figure is 300."
            ),
        ]
    )

    private static let limit = ObjectShape(
        name: "limit",
        summary: "So many requests in each period.",
        fields: [
            Field("requests", .integer(1...1_000_000), isRequired: true, "How many."),
            Field("period", .length, isRequired: true, "In each window of this length."),
        ]
    )

    private static let quirks = ObjectShape(
        name: "quirks",
        summary: "Switches of the fake GitLab.",
        fields: QuirkSetting.Quirk.allCases.map { quirk in
            Field(quirk.rawValue, quirk.takesNumber ? .integer(1...1_000_000) : .boolean, quirk.summary)
        }
    )

    private static let apns = ObjectShape(
        name: "apns",
        summary: "Apple's push service.",
        fields: [
            Field("latency", .latency, "Latency of the link from the notifier, each way."),
            Field("deviceLatency", .latency, "Time from acceptance to display on an online device."),
        ]
    )

    private static let api = ObjectShape(
        name: "api",
        summary: "The notifier's own REST API.",
        fields: [
            Field("latency", .latency, "Latency of the link between devices and notifier, each way."),
            Field("receipts", .object(receipts), "How devices report what they showed; not at all by default."),
        ]
    )

    private static let receipts = ObjectShape(
        name: "receipts",
        summary: "What devices tell the notifier of pushes they showed, best effort.",
        fields: [
            Field("delivered", .ratio, isRequired: true, "Share of shown notifications that are reported."),
            Field(
                "opened",
                .ratio,
                "Share of those reported that the person opens within ten minutes; none by default."
            ),
        ]
    )

    private static let person = ObjectShape(
        name: "person",
        summary: "A GitLab user.",
        fields: [
            Field("username", .notation(.username), isRequired: true, "The username with its at sign."),
            Field("name", .notation(.text), isRequired: true, "The name as it is displayed."),
            Field("bot", .boolean, "A bot acts only where it is named."),
            Field("notified", .object(notified), "Makes the person a user of the notifier."),
        ]
    )

    private static let notified = ObjectShape(
        name: "notified",
        summary: "What a user of the notifier has.",
        fields: [
            Field("devices", .list(.object(device), count: 1...20), isRequired: true, "Devices with the app."),
            Field("token", .object(token), "The GitLab token given to the notifier."),
            Field(
                "signIn",
                .oneOf(NotifiedPerson.SignIn.self),
                "How the notifier is let into GitLab; token by default."
            ),
            Field("watches", .list(.notation(.items), count: 0...5_000), "Items watched from the beginning."),
        ]
    )

    private static let device = ObjectShape(
        name: "device",
        summary: "A device with the app.",
        fields: [
            Field("name", .notation(.device), isRequired: true, "What the person calls it."),
            Field("platform", .oneOf(Device.Platform.self), "ios by default."),
            Field("environment", .oneOf(Device.Environment.self), "The APNs environment; production by default."),
            Field("joinsLater", .boolean, "Not signed in before pair-device brings it in; false by default."),
            Field(
                "sync",
                .boolean,
                "Whether what is chosen there goes out with all that devices keep alike, at once or later; if not, each thing is asked by its own route. True by default."
            ),
        ]
    )

    private static let token = ObjectShape(
        name: "token",
        summary: "A personal access token.",
        fields: [
            Field("scopes", .list(.oneOf(PersonalAccessToken.Scope.self), count: 1...4), "read_api by default."),
            Field("expires", .notation(.duration), "When it expires, from the start; never by default."),
        ]
    )

    private static let project = ObjectShape(
        name: "project",
        summary: "A project with its members and items.",
        fields: [
            Field("path", .notation(.project), isRequired: true, "Group and project."),
            Field("members", .list(.object(member), count: 1...1_000), isRequired: true, "Who may do what."),
            Field("mergeRequests", .list(.object(mergeRequest), count: 0...mostItems), "Merge requests that exist."),
            Field("issues", .list(.object(issue), count: 0...mostItems), "Issues that exist."),
            Field("generate", .object(generate), "More items, with built-in titles and authors in turn."),
        ]
    )

    private static let member = ObjectShape(
        name: "member",
        summary: "A person's place in a project.",
        fields: [
            Field("username", .notation(.username), isRequired: true, "Who."),
            Field("role", .oneOf(Member.Role.self), isRequired: true, "With which rights."),
        ]
    )

    private static let generate = ObjectShape(
        name: "generate",
        summary: "Items that need no words of their own.",
        fields: [
            Field("mergeRequests", .integer(0...5_000), "How many merge requests."),
            Field("issues", .integer(0...5_000), "How many issues."),
            Field("firstIID", .integer(1...1_000_000_000), "Number of the first of each kind; 1 by default."),
            Field("oldNotes", .integer(0...1_000), "Old comments on each; none by default."),
        ],
        rules: [.notEmpty]
    )

    private static let itemFields = [
        Field("iid", .integer(1...1_000_000_000), isRequired: true, "Number within the project."),
        Field("title", .notation(.text), isRequired: true, "Title."),
        Field("author", .notation(.username), isRequired: true, "Who opened it."),
        Field("assignees", .people, "Who is assigned."),
        Field("labels", .list(.notation(.text), count: 0...50), "Labels."),
        Field("oldNotes", .integer(0...10_000), "Comments from long before the story."),
    ]

    private static let mergeRequest = ObjectShape(
        name: "mergeRequest",
        summary: "A merge request that exists when the story begins.",
        fields: itemFields + [
            Field("reviewers", .people, "Whose review was requested."),
            Field("state", .oneOf(Item.State.self), "opened by default."),
            Field("draft", .boolean, "Whether it is a draft."),
        ]
    )

    private static let issue = ObjectShape(
        name: "issue",
        summary: "An issue that exists when the story begins.",
        fields: itemFields + [
            Field("state", .choice([Item.State.opened.rawValue, Item.State.closed.rawValue]), "opened by default."),
            Field("confidential", .boolean, "Whether only members may see it."),
        ]
    )

    static let gate = ObjectShape(
        name: "gate",
        summary: "One requirement: a metric with what it must be, and which part of the run it judges.",
        fields: Metric.allCases.map { Field($0.rawValue, $0.shape, $0.summary) } + [
            Field("confidence", .ratio, "Judge what is proven at this confidence, not what was observed."),
            Field("window", .notation(.window), "whole (default), during:FAULT or after:FAULT."),
            Field("kind", .choice(ActionKind.gateKinds.map(\.rawValue)), "Only activities of this kind."),
            Field("person", .notation(.username), "Only notifications for this person."),
        ],
        rules: [
            .exactlyOne(Metric.allCases.map(\.rawValue)),
            .needsOneOf("confidence", Metric.allCases.filter { $0.unit == .ratio }.map(\.rawValue)),
        ]
    )
}

extension Metric {
    var shape: Shape {
        switch unit {
        case .ratio: .notation(.ratioComparison)
        case .count: .notation(.countComparison)
        case .duration: .notation(.durationComparison)
        }
    }
}
