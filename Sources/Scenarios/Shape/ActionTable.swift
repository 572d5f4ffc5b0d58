/// What each action needs: the one table behind schema, check, documentation and plan.
extension ActionKind {
    /// What an action is done to.
    enum Target: Equatable {
        case item([ItemKind])
        case newItem(ItemKind)
        case commit
        case todos
        case access
        case token
        case registration
        case watchList
        case app
        case device
    }

    var target: Target {
        switch self {
        case .comment, .reply, .editComment, .deleteComment, .react, .resolveThread, .close, .reopen, .assign,
            .unassign,
            .addLabel, .setMilestone, .changeTitle, .deleteItem, .importBurst:
            .item([.mergeRequest, .issue])
        case .diffComment, .publishReview, .approve, .unapprove, .push, .merge, .pipeline, .retryPipeline,
            .setAutoMerge, .conflict,
            .requestReview,
            .removeReviewRequest, .markDraft, .markReady:
            .item([.mergeRequest])
        case .confidentialOn, .confidentialOff, .moveIssue: .item([.issue])
        case .openMergeRequest: .newItem(.mergeRequest)
        case .openIssue: .newItem(.issue)
        case .mentionOnCommit: .commit
        case .todoDone, .todoSnooze, .todoUndo: .todos
        case .loseAccess, .regainAccess: .access
        case .rotateToken, .revokeToken, .expireToken, .replaceToken, .blockAccount, .unblockAccount: .token
        case .register: .registration
        case .watch, .unwatch: .watchList
        case .mute, .unmute, .denyActor, .allowActor, .setQuietHours, .clearQuietHours, .autoWatchOn, .autoWatchOff,
            .tapWatch, .tapDismiss, .undismiss:
            .app
        case .openApp, .deviceOffline, .deviceOnline, .deviceReplace, .pairDevice, .removeDevice, .appRemove,
            .notificationsOff, .notificationsOn:
            .device
        }
    }

    /// Whether only a user of the notifier can do it.
    var needsNotifiedPerson: Bool {
        switch target {
        case .token, .registration, .watchList, .app, .device: true
        case .item, .newItem, .commit, .todos, .access: false
        }
    }

    /// Kinds a mix may contain: the daily work of a team.
    static let mixable = allCases.filter { kind in
        switch kind.target {
        case .item: !unmixable.contains(kind)
        case .newItem: true
        case .commit, .todos, .access, .token, .registration, .watchList, .app, .device: false
        }
    }

    private static let unmixable: [ActionKind] = [
        .deleteComment, .deleteItem, .moveIssue, .importBurst, .retryPipeline, .setAutoMerge, .conflict,
    ]

    /// Kinds by which a gate may select activities: everything that happens to an item.
    static let gateKinds = allCases.filter { kind in
        switch kind.target {
        case .item, .newItem: true
        case .commit, .todos, .access, .token, .registration, .watchList, .app, .device: false
        }
    }

    /// The keys beside `action` and the time.
    var fields: [Field] {
        switch target {
        case .item: Self.actor + [Self.on] + parameters
        case .newItem: Self.actor + [Self.newItem] + parameters
        case .commit: [Self.author, Self.mentioned, Self.project]
        case .todos: Self.oneActor + [Self.optionalItem] + parameters
        case .access: [Self.user, Self.project]
        case .token: Self.oneActor
        case .registration: [Field("by", .notation(.username), isRequired: true, "Who registers.")]
        case .watchList: Self.oneActor + [Self.on]
        case .app: Self.oneActor + parameters
        case .device: Self.oneActor + [namesDevice ? Self.namedDevice : Self.device]
        }
    }

    /// Whether it is about one device, which is named.
    private var namesDevice: Bool { self == .pairDevice || self == .removeDevice }

    private var parameters: [Field] {
        switch self {
        case .comment, .reply, .diffComment, .editComment: [Self.body, Self.mention]
        case .react: [Field("emoji", .notation(.text), "Name of the emoji; thumbsup by default.")]
        case .publishReview, .importBurst: countFields
        case .push: [Field("commits", .integer(1...100), "How many commits; 1 by default.")]
        case .pipeline: [Field("status", .oneOf(PipelineStatus.self), isRequired: true, "How the pipeline stands.")]
        case .assign, .unassign, .requestReview, .removeReviewRequest: [Self.user]
        case .addLabel: [Field("label", .notation(.text), isRequired: true, "The label.")]
        case .setMilestone: [Field("milestone", .notation(.text), isRequired: true, "The milestone.")]
        case .changeTitle: [Field("title", .notation(.text), isRequired: true, "The new title.")]
        case .moveIssue: [Field("to", .notation(.project), isRequired: true, "The project it moves to.")]
        case .openMergeRequest: Self.newItemParameters + [Field("reviewers", .people, "Whose review is requested.")]
        case .openIssue: Self.newItemParameters
        case .todoSnooze: [Field("for", .length, isRequired: true, "How long the to-do sleeps.")]
        case .mute: [Self.on, Field("for", .length, isRequired: true, "How long it says nothing.")]
        case .unmute, .tapWatch, .tapDismiss, .undismiss: [Self.on]
        case .denyActor, .allowActor: [Self.user]
        case .setQuietHours: Self.quietHours
        default: []
        }
    }

    private var countFields: [Field] {
        let count = Field("count", .integer(1...500), isRequired: true, "How many comments at once.")
        guard self == .importBurst else { return [count] }
        return [count, Field("backdated", .length, isRequired: true, "How long ago they claim to have been written.")]
    }

    private static let actor = [
        Field("by", .person, isRequired: true, "Who does it: one, several to choose from, or anyone."),
        Field("except", .people, "Who does not count as anyone."),
    ]
    private static let oneActor = [
        Field("by", .namedPerson, isRequired: true, "Whose it is: one, or several to choose from.")
    ]
    private static let on = Field("on", .item, isRequired: true, "On what: one, several to choose from, or any.")
    private static let optionalItem = Field("on", .notation(.item), "The item it is about; all by default.")
    private static let newItem = Field(
        "on",
        .notation(.newItem),
        isRequired: true,
        "The new item's reference, or the project that numbers it."
    )
    private static let body = Field("body", .texts, "The text, or several to choose from; built-in ones by default.")
    private static let mention = Field("mention", .person, "Whom the text mentions.")
    private static let user = Field("user", .person, isRequired: true, "Whom it concerns.")
    private static let author = Field("by", .namedPerson, isRequired: true, "Who writes it.")
    private static let mentioned = Field("user", .namedPerson, isRequired: true, "Whom the text mentions.")
    private static let project = Field("project", .notation(.project), isRequired: true, "In which project.")
    private static let device = Field("device", .notation(.device), "Which device; all of the person by default.")
    private static let namedDevice = Field("device", .notation(.device), isRequired: true, "Which device.")
    private static let quietHours = [
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
    private static let newItemParameters = [
        Field("title", .notation(.text), "Title; a built-in one by default."),
        Field("assignees", .people, "Who is assigned."),
    ]

    /// One line for documentation and editors.
    package var summary: String {
        switch self {
        case .comment: "Comments on an item."
        case .reply: "Answers the newest thread of an item."
        case .diffComment: "Comments on a line of a merge request."
        case .editComment: "Gives a new text to the person's newest comment on the item."
        case .deleteComment: "Deletes the person's newest comment on the item."
        case .react: "Puts an emoji on the newest comment of the item."
        case .publishReview: "Publishes several draft comments at once."
        case .resolveThread: "Resolves the oldest open thread."
        case .approve: "Approves a merge request."
        case .unapprove: "Takes an approval back."
        case .push: "Pushes commits to a merge request."
        case .merge: "Merges a merge request."
        case .close: "Closes an item."
        case .reopen: "Opens a closed item again."
        case .pipeline: "A pipeline of a merge request changes its status."
        case .retryPipeline: "A pipeline that has ended runs again."
        case .setAutoMerge: "A merge request is to be merged in the person's name once its running pipeline succeeds."
        case .conflict: "A merge request cannot be merged before the next push; its author gets a to-do."
        case .assign: "Assigns a person."
        case .unassign: "Unassigns a person."
        case .requestReview: "Requests a review from a person."
        case .removeReviewRequest: "Takes a review request back."
        case .addLabel: "Adds a label."
        case .setMilestone: "Sets the milestone."
        case .changeTitle: "Changes the title."
        case .markDraft: "Marks a merge request as draft."
        case .markReady: "Marks a merge request as ready."
        case .confidentialOn: "Makes an issue confidential."
        case .confidentialOff: "Makes a confidential issue visible again."
        case .moveIssue: "Moves an issue to another project."
        case .deleteItem: "Deletes an item for good."
        case .importBurst: "Comments appear at once that claim to be old."
        case .openMergeRequest: "Opens a merge request."
        case .openIssue: "Opens an issue."
        case .mentionOnCommit: "Mentions a person in a comment on a commit, which makes a to-do without an item."
        default: personalSummary
        }
    }

    /// What people do with their lists, tokens, devices and the app.
    private var personalSummary: String {
        switch self {
        case .todoDone: "Marks to-dos as done in GitLab."
        case .todoSnooze: "Lets to-dos sleep in GitLab."
        case .todoUndo: "Turns done to-dos back to pending."
        case .loseAccess: "A person is removed from a project."
        case .regainAccess: "A removed person is let in again."
        case .rotateToken: "The person's GitLab token is rotated behind the notifier's back."
        case .revokeToken: "The person's GitLab token is revoked."
        case .expireToken: "The person's GitLab token expires now."
        case .replaceToken: "The person gives the notifier a fresh token."
        case .blockAccount: "The person's GitLab account is blocked."
        case .unblockAccount: "The person's GitLab account is active again."
        case .register: "The person registers with the notifier only now."
        case .watch: "The person watches an item, through the notifier's API."
        case .unwatch: "The person stops watching an item, through the notifier's API."
        case .mute: "The person mutes an item for a while, through the notifier's API."
        case .unmute: "The person ends the mute of an item."
        case .denyActor: "The person wants to hear nothing of what somebody does."
        case .allowActor: "The person wants to hear of somebody again."
        case .setQuietHours: "The person sets when they do not want to be disturbed."
        case .clearQuietHours: "The person takes the quiet hours away."
        case .autoWatchOn: "Items on which the person is tagged are watched from now on."
        case .autoWatchOff: "Items on which the person is tagged are no longer watched for it."
        case .tapWatch: "The person taps Watch under the newest notification about an item."
        case .tapDismiss: "The person taps Dismiss under the newest notification about an item."
        case .undismiss: "The person takes a dismissal back, in the history."
        case .openApp: "The person opens the app, which catches up."
        case .deviceOffline: "A device loses its network."
        case .deviceOnline: "A device is back on the network."
        case .deviceReplace: "The person sets up a new device; the old token dies."
        case .pairDevice: "A device joins by the code that another device of the person shows."
        case .removeDevice: "The person removes a device on another one."
        case .appRemove: "The app is deleted from a device."
        case .notificationsOff: "Notifications are switched off on a device."
        case .notificationsOn: "Notifications are switched on again."
        default: preconditionFailure("what is done on GitLab has its line above")
        }
    }
}
