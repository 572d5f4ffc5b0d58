/// Every action, one row each: schema, check, documentation, reading and writing follow it, and so does who may do it by the plan.
extension ActionForm {
    static let all = onGitLab + byPeople + onDevices

    /// What happens to items, to new ones, and to commits.
    private static let onGitLab: [ActionForm] = [
        .onItem(.comment, "Comments on an item.", [.body, .mention]),
        .onItem(.reply, "Answers the newest thread of an item.", [.body, .mention]),
        .onItem(.diffComment, "Comments on a line of a merge request.", on: [.mergeRequest], [.body, .mention]),
        .onItem(.editComment, "Gives a new text to the person's newest comment on the item.", [.body, .mention]),
        .onItem(.deleteComment, "Deletes the person's newest comment on the item.", isMixable: false),
        .onItem(
            .react,
            "Puts an emoji on the newest comment of the item.",
            [Field("emoji", .notation(.text), "Name of the emoji; thumbsup by default.")]
        ),
        .onItem(
            .publishReview,
            "Publishes several draft comments at once.",
            on: [.mergeRequest],
            least: .developer,
            [.comments]
        ),
        .onItem(.resolveThread, "Resolves the oldest open thread.", least: .developer),
        .onItem(.approve, "Approves a merge request.", on: [.mergeRequest], least: .developer),
        .onItem(.unapprove, "Takes an approval back.", on: [.mergeRequest], least: .developer),
        .onItem(
            .push,
            "Pushes commits to a merge request.",
            on: [.mergeRequest],
            least: .developer,
            [Field("commits", .integer(1...100), "How many commits; 1 by default.")]
        ),
        .onItem(.merge, "Merges a merge request.", on: [.mergeRequest], least: .developer),
        .onItem(.close, "Closes an item.", least: .reporter),
        .onItem(.reopen, "Opens a closed item again.", least: .reporter),
        .onItem(
            .pipeline,
            "A pipeline of a merge request changes its status.",
            on: [.mergeRequest],
            least: .developer,
            [Field("status", .oneOf(PipelineStatus.self), isRequired: true, "How the pipeline stands.")]
        ),
        .onItem(
            .retryPipeline,
            "A pipeline that has ended runs again.",
            on: [.mergeRequest],
            least: .developer,
            isMixable: false
        ),
        .onItem(
            .setAutoMerge,
            "A merge request is to be merged in the person's name once its running pipeline succeeds.",
            on: [.mergeRequest],
            least: .developer,
            isMixable: false
        ),
        .onItem(
            .conflict,
            "A merge request cannot be merged before the next push; its author gets a to-do.",
            on: [.mergeRequest],
            least: .developer,
            isMixable: false
        ),
        .onItem(.assign, "Assigns a person.", least: .reporter, [.user]),
        .onItem(.unassign, "Unassigns a person.", least: .reporter, [.user]),
        .onItem(.requestReview, "Requests a review from a person.", on: [.mergeRequest], least: .developer, [.user]),
        .onItem(.removeReviewRequest, "Takes a review request back.", on: [.mergeRequest], least: .developer, [.user]),
        .onItem(
            .addLabel,
            "Adds a label.",
            least: .reporter,
            [Field("label", .notation(.text), isRequired: true, "The label.")]
        ),
        .onItem(
            .setMilestone,
            "Sets the milestone.",
            least: .reporter,
            [Field("milestone", .notation(.text), isRequired: true, "The milestone.")]
        ),
        .onItem(
            .changeTitle,
            "Changes the title.",
            least: .developer,
            [Field("title", .notation(.text), isRequired: true, "The new title.")]
        ),
        .onItem(.markDraft, "Marks a merge request as draft.", on: [.mergeRequest], least: .developer),
        .onItem(.markReady, "Marks a merge request as ready.", on: [.mergeRequest], least: .developer),
        .onItem(.confidentialOn, "Makes an issue confidential.", on: [.issue], least: .reporter),
        .onItem(.confidentialOff, "Makes a confidential issue visible again.", on: [.issue], least: .reporter),
        .onItem(
            .moveIssue,
            "Moves an issue to another project.",
            on: [.issue],
            least: .reporter,
            isMixable: false,
            [Field("to", .notation(.project), isRequired: true, "The project it moves to.")]
        ),
        .onItem(.deleteItem, "Deletes an item for good.", isMixable: false),
        .onItem(
            .importBurst,
            "Comments appear at once that claim to be old.",
            least: .developer,
            isMixable: false,
            [.comments, Field("backdated", .length, isRequired: true, "How long ago they claim to have been written.")]
        ),
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
        ),
    ]

    /// What people do with their lists, rights, tokens and the app.
    private static let byPeople: [ActionForm] = [
        ActionForm(.todoDone, "Marks to-dos as done in GitLab.", .todos, [.oneActor, .optionalItem]),
        ActionForm(
            .todoSnooze,
            "Lets to-dos sleep in GitLab.",
            .todos,
            [.oneActor, .optionalItem, Field("for", .length, isRequired: true, "How long the to-do sleeps.")]
        ),
        ActionForm(.todoUndo, "Turns done to-dos back to pending.", .todos, [.oneActor, .optionalItem]),
        ActionForm(.loseAccess, "A person is removed from a project.", .access, [.user, .project]),
        ActionForm(.regainAccess, "A removed person is let in again.", .access, [.user, .project]),
        ActionForm(
            .rotateToken,
            "The person's GitLab token is rotated behind the notifier's back.",
            .token,
            [.oneActor]
        ),
        ActionForm(.revokeToken, "The person's GitLab token is revoked.", .token, [.oneActor]),
        ActionForm(.expireToken, "The person's GitLab token expires now.", .token, [.oneActor]),
        ActionForm(.replaceToken, "The person gives the notifier a fresh token.", .token, [.oneActor]),
        ActionForm(.blockAccount, "The person's GitLab account is blocked.", .token, [.oneActor]),
        ActionForm(.unblockAccount, "The person's GitLab account is active again.", .token, [.oneActor]),
        ActionForm(
            .register,
            "The person registers with the notifier only now.",
            .registration,
            [Field("by", .notation(.username), isRequired: true, "Who registers.")]
        ),
        ActionForm(.watch, "The person watches an item, through the notifier's API.", .watchList, [.oneActor, .on]),
        ActionForm(
            .unwatch,
            "The person stops watching an item, through the notifier's API.",
            .watchList,
            [.oneActor, .on]
        ),
        ActionForm(
            .mute,
            "The person mutes an item for a while, through the notifier's API.",
            .app,
            [.oneActor, .on, Field("for", .length, isRequired: true, "How long it says nothing.")]
        ),
        ActionForm(.unmute, "The person ends the mute of an item.", .app, [.oneActor, .on]),
        ActionForm(.denyActor, "The person wants to hear nothing of what somebody does.", .app, [.oneActor, .user]),
        ActionForm(.allowActor, "The person wants to hear of somebody again.", .app, [.oneActor, .user]),
        ActionForm(
            .setQuietHours,
            "The person sets when they do not want to be disturbed.",
            .app,
            [.oneActor] + Field.quietHours
        ),
        ActionForm(.clearQuietHours, "The person takes the quiet hours away.", .app, [.oneActor]),
        ActionForm(.autoWatchOn, "Items on which the person is tagged are watched from now on.", .app, [.oneActor]),
        ActionForm(
            .autoWatchOff,
            "Items on which the person is tagged are no longer watched for it.",
            .app,
            [.oneActor]
        ),
        ActionForm(
            .tapWatch,
            "The person taps Watch under the newest notification about an item.",
            .app,
            [.oneActor, .on]
        ),
        ActionForm(
            .tapDismiss,
            "The person taps Dismiss under the newest notification about an item.",
            .app,
            [.oneActor, .on]
        ),
        ActionForm(.undismiss, "The person takes a dismissal back, in the history.", .app, [.oneActor, .on]),
    ]

    /// What happens to devices.
    private static let onDevices: [ActionForm] = [
        ActionForm(.openApp, "The person opens the app, which catches up.", .device, [.oneActor, .device]),
        ActionForm(.deviceOffline, "A device loses its network.", .device, [.oneActor, .device]),
        ActionForm(.deviceOnline, "A device is back on the network.", .device, [.oneActor, .device]),
        ActionForm(
            .deviceReplace,
            "The person sets up a new device; the old token dies.",
            .device,
            [.oneActor, .device]
        ),
        ActionForm(
            .pairDevice,
            "A device joins by the code that another device of the person shows.",
            .device,
            [.oneActor, .namedDevice]
        ),
        ActionForm(.removeDevice, "The person removes a device on another one.", .device, [.oneActor, .namedDevice]),
        ActionForm(.appRemove, "The app is deleted from a device.", .device, [.oneActor, .device]),
        ActionForm(.notificationsOff, "Notifications are switched off on a device.", .device, [.oneActor, .device]),
        ActionForm(.notificationsOn, "Notifications are switched on again.", .device, [.oneActor, .device]),
    ]
}
