import Platform

/// Every action, one row each: schema, check, documentation, reading and writing follow it, and so does the plan: who may do it, and
/// which action it is once its choices are made.
extension ActionForm {
    static let all = onItems + onGitLab + byPeople + byPrograms + onDuties + onDevices

    /// What begins new items, and what happens to commits and milestones.
    private static let onGitLab: [ActionForm] = [
        .opening(
            .openMergeRequest,
            "Opens a merge request.",
            .mergeRequest,
            least: .developer,
            [Field("reviewers", .people, "Whose review is requested.")]
        ),
        .opening(.openIssue, "Opens an issue.", .issue, least: .guest),
        ActionForm(
            .mentionOnCommit,
            "Mentions a person in a comment on a commit, which makes a to-do without an item.",
            .commit,
            [.author, .mentioned, .project]
        ) { .mentionOnCommit(user: try $0.user, project: try $0.project, by: try $0.person) },
        ActionForm(
            .moveMilestone,
            "Gives a milestone another last day, by which its items are due that have none of their own; that touches no item.",
            .milestone,
            [
                Field("by", .namedPerson, isRequired: true, "Who does it."), .project,
                Field("milestone", .notation(.text), isRequired: true, "Which one; somebody has set it before."),
                Field("due", .notation(.date), "The day; none from then on by default."),
            ],
            least: .reporter
        ) {
            .moveMilestone(try $0.text, due: $0.optionalDue, project: try $0.project, by: try $0.person)
        },
    ]

    /// What people do with their lists, rights, tokens and the app.
    private static let byPeople: [ActionForm] =
        [
            ActionForm(.todoDone, "Marks to-dos as done in GitLab.", .todos, [.oneActor, .optionalItem]) {
                .todo(.done($0.optionalItem), by: try $0.person)
            },
            ActionForm(
                .todoSnooze,
                "Lets to-dos sleep in GitLab.",
                .todos,
                [.oneActor, .optionalItem, Field("for", .length, isRequired: true, "How long the to-do sleeps.")]
            ) { .todo(.snooze($0.optionalItem, length: try $0.length), by: try $0.person) },
            ActionForm(.todoUndo, "Turns done to-dos back to pending.", .todos, [.oneActor, .optionalItem]) {
                .todo(.undo($0.optionalItem), by: try $0.person)
            },
            ActionForm(.loseAccess, "A person is removed from a project.", .access, [.user, .project]) {
                .access(.lost, user: try $0.user, project: try $0.project)
            },
            ActionForm(.regainAccess, "A removed person is let in again.", .access, [.user, .project]) {
                .access(.regained, user: try $0.user, project: try $0.project)
            },
            ActionForm(
                .rotateToken,
                "The person's GitLab token is rotated behind the notifier's back.",
                .token,
                [.oneActor]
            ) { .token(.rotate, by: try $0.person) },
            ActionForm(.revokeToken, "The person's GitLab token is revoked.", .token, [.oneActor]) {
                .token(.revoke, by: try $0.person)
            },
            ActionForm(.expireToken, "The person's GitLab token expires now.", .token, [.oneActor]) {
                .token(.expire, by: try $0.person)
            },
            ActionForm(.replaceToken, "The person gives the notifier a fresh token.", .token, [.oneActor]) {
                .token(.replace, by: try $0.person)
            },
            ActionForm(.announce, "The notifier's operator announces something to the person.", .token, [.oneActor]) {
                .announcement(to: try $0.person)
            },
            ActionForm(.blockAccount, "The person's GitLab account is blocked.", .token, [.oneActor]) {
                .token(.block, by: try $0.person)
            },
            ActionForm(.unblockAccount, "The person's GitLab account is active again.", .token, [.oneActor]) {
                .token(.unblock, by: try $0.person)
            },
            ActionForm(
                .register,
                "The person registers with the notifier only now.",
                .registration,
                [Field("by", .notation(.username), isRequired: true, "Who registers.")]
            ) { .register(by: try $0.person) },
            ActionForm(.watch, "The person watches an item, through the notifier's API.", .watchList, [.oneActor, .on])
            {
                .watch(try $0.item, by: try $0.person)
            },
            ActionForm(
                .unwatch,
                "The person stops watching an item, through the notifier's API.",
                .watchList,
                [.oneActor, .on]
            ) { .unwatch(try $0.item, by: try $0.person) },
            ActionForm(
                .mute,
                "The person mutes an item for a while, through the notifier's API.",
                .app,
                [.oneActor, .on, Field("for", .length, isRequired: true, "How long it says nothing.")]
            ) { .app(.mute(try $0.item, length: try $0.length), by: try $0.person) },
            ActionForm(.unmute, "The person ends the mute of an item.", .app, [.oneActor, .on]) {
                .app(.unmute(try $0.item), by: try $0.person)
            },
            ActionForm(.denyActor, "The person wants to hear nothing of what somebody does.", .app, [.oneActor, .user])
            {
                .app(.denyActor(try $0.user), by: try $0.person)
            },
            ActionForm(.allowActor, "The person wants to hear of somebody again.", .app, [.oneActor, .user]) {
                .app(.allowActor(try $0.user), by: try $0.person)
            },
            ActionForm(
                .setQuietHours,
                "The person sets when they do not want to be disturbed.",
                .app,
                [.oneActor] + Field.quietHours
            ) { .app(.quietHours(try $0.quietHours), by: try $0.person) },
            ActionForm(.clearQuietHours, "The person takes the quiet hours away.", .app, [.oneActor]) {
                .app(.quietHours(nil), by: try $0.person)
            },
            ActionForm(.autoWatchOn, "Items on which the person is tagged are watched from now on.", .app, [.oneActor])
            {
                .app(.autoWatch(true), by: try $0.person)
            },
            ActionForm(
                .autoWatchOff,
                "Items on which the person is tagged are no longer watched for it.",
                .app,
                [.oneActor]
            ) { .app(.autoWatch(false), by: try $0.person) },
            ActionForm(.remindersOn, "The person wants reminders again.", .app, [.oneActor]) {
                .app(.reminders(true), by: try $0.person)
            },
            ActionForm(
                .remindersOff,
                "The person wants no reminders, also of due dates: each thing is told once.",
                .app,
                [.oneActor]
            ) {
                .app(.reminders(false), by: try $0.person)
            },
            ActionForm(
                .tapWatch,
                "The person taps Watch under the newest notification about an item.",
                .app,
                [.oneActor, .on]
            ) { .app(.tapWatch(try $0.item), by: try $0.person) },
            ActionForm(
                .tapDismiss,
                "The person taps Dismiss under the newest notification about an item.",
                .app,
                [.oneActor, .on]
            ) { .app(.tapDismiss(try $0.item), by: try $0.person) },
            ActionForm(.undismiss, "The person takes a dismissal back, in the history.", .app, [.oneActor, .on]) {
                .app(.undismiss(try $0.item), by: try $0.person)
            },
            ActionForm(
                .markRead,
                "The person marks in the app what they were told about an item as read.",
                .app,
                [.oneActor, .on]
            ) { .app(.markRead(try $0.item), by: try $0.person) },
            ActionForm(
                .settle,
                "The person says in the app that what is asked of them on an item is done.",
                .app,
                [.oneActor, .on]
            ) { .app(.settle(try $0.item), by: try $0.person) },
            ActionForm(
                .remindLater,
                "The person wants to be told an hour later what is asked of them on an item.",
                .app,
                [.oneActor, .on]
            ) { .app(.remindLater(try $0.item), by: try $0.person) },
            ActionForm(
                .browseApp,
                "The person goes through the app's screens; what they show has to be so.",
                .app,
                [.oneActor]
            ) { .app(.browse, by: try $0.person) },
            ActionForm(
                .fuzzAPI,
                "A program of the person's tries every operation of the API with requests that its description does not allow, or that change nothing; the answers have to be as described.",
                .app,
                [.oneActor]
            ) { .app(.fuzzAPI, by: try $0.person) },
            ActionForm(
                .refuseSignIn,
                "On another app the person begins to sign in through GitLab, refuses it, brings a wrong code, and lets it lie.",
                .app,
                [.oneActor]
            ) { .app(.refuseSignIn, by: try $0.person) },
        ] + aboutNews + aboutTheService

    /// Of what people want to hear, and when of what is due.
    private static let aboutNews: [ActionForm] = [
        ActionForm(
            .chooseKinds,
            "The person chooses of which kinds of activity on watched items they are told; what is addressed to them always is.",
            .app,
            [
                .oneActor,
                Field(
                    "kinds",
                    .list(.oneOf(NotifiedKind.self), count: 1...NotifiedKind.allCases.count),
                    isRequired: true,
                    "All that are told from then on."
                ),
            ]
        ) { .app(.kinds(try $0.kinds), by: try $0.person) },
        ActionForm(.dueRemindersOn, "The person wants reminders of due dates again.", .app, [.oneActor]) {
            .app(.dueReminders(true), by: try $0.person)
        },
        ActionForm(
            .dueRemindersOff,
            "The person wants no reminders of due dates, nor of turns before they are due.",
            .app,
            [.oneActor]
        ) { .app(.dueReminders(false), by: try $0.person) },
        ActionForm(
            .dueLead,
            "The person chooses how many hours before a day they are reminded of what is due then.",
            .app,
            [
                .oneActor,
                Field(
                    "leadHours",
                    .integer(0...336),
                    isRequired: true,
                    "Counted back from the midnight with which the day begins."
                ),
            ]
        ) { .app(.dueLead(hours: try $0.leadHours), by: try $0.person) },
    ]

    /// What people do about the notifier as a whole.
    private static let aboutTheService: [ActionForm] = [
        ActionForm(.sendTest, "The person has a test notification sent to all of their devices.", .app, [.oneActor]) {
            .app(.sendTest, by: try $0.person)
        },
        ActionForm(
            .mirrorOn,
            "GitLab's subscriptions follow the person's watch list from now on; that takes a token of scope api.",
            .app,
            [.oneActor]
        ) { .app(.mirroring(true), by: try $0.person) },
        ActionForm(.mirrorOff, "GitLab's subscriptions are left alone again.", .app, [.oneActor]) {
            .app(.mirroring(false), by: try $0.person)
        },
        ActionForm(
            .importWatches,
            "The person lets the notifier watch what they are subscribed to in GitLab and have to do with.",
            .app,
            [.oneActor]
        ) { .app(.importWatches, by: try $0.person) },
        ActionForm(
            .pullSubscription,
            "The person lets a watched item follow GitLab: without a subscription there it is watched no more.",
            .app,
            [.oneActor, .on]
        ) { .app(.pullSubscription(try $0.item), by: try $0.person) },
        ActionForm(
            .pushSubscription,
            "The person lets GitLab follow the watch list at one item, and subscribe them; that takes a token of scope api.",
            .app,
            [.oneActor, .on]
        ) { .app(.pushSubscription(try $0.item), by: try $0.person) },
        ActionForm(
            .sendAgain,
            "The person has what was given up of the pushes about an item sent again.",
            .app,
            [.oneActor, .on]
        ) { .app(.sendAgain(try $0.item), by: try $0.person) },
        ActionForm(
            .signOut,
            "The person signs all devices out at once, and three minutes later in again, one after the other.",
            .app,
            [.oneActor]
        ) { .app(.signOut, by: try $0.person) },
        ActionForm(
            .leaveService,
            "The person leaves for good: the notifier forgets them with their token, devices, watch list and choices.",
            .app,
            [.oneActor]
        ) { .app(.leave, by: try $0.person) },
    ]
}
