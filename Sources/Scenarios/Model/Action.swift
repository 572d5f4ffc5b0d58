package import Platform

/// Every action a timeline knows, by its name in the file.
package enum ActionKind: String, Sendable, Hashable, CaseIterable {
    case comment, reply
    case quickActions = "quick-actions"
    case diffComment = "diff-comment"
    case editComment = "edit-comment"
    case deleteComment = "delete-comment"
    case react
    case publishReview = "publish-review"
    case resolveThread = "resolve-thread"
    case approve, unapprove, push, merge, close, reopen
    case pipeline
    case retryPipeline = "retry-pipeline"
    case setAutoMerge = "set-auto-merge"
    case conflict
    case assign, unassign
    case requestReview = "request-review"
    case removeReviewRequest = "remove-review-request"
    case requireApproval = "require-approval"
    case addLabel = "add-label"
    case setMilestone = "set-milestone"
    case clearMilestone = "clear-milestone"
    case setDueDate = "set-due-date"
    case clearDueDate = "clear-due-date"
    case moveMilestone = "move-milestone"
    case changeTitle = "change-title"
    case markDraft = "mark-draft"
    case markReady = "mark-ready"
    case confidentialOn = "confidential-on"
    case confidentialOff = "confidential-off"
    case moveIssue = "move-issue"
    case deleteItem = "delete-item"
    case importBurst = "import-burst"
    case openMergeRequest = "open-merge-request"
    case openIssue = "open-issue"
    case mentionOnCommit = "mention-on-commit"
    case todoDone = "todo-done"
    case todoSnooze = "todo-snooze"
    case todoUndo = "todo-undo"
    case loseAccess = "lose-access"
    case regainAccess = "regain-access"
    case rotateToken = "rotate-token"
    case revokeToken = "revoke-token"
    case expireToken = "expire-token"
    case replaceToken = "replace-token"
    case blockAccount = "block-account"
    case unblockAccount = "unblock-account"
    case register, watch, unwatch
    case mute, unmute
    case denyActor = "deny-actor"
    case allowActor = "allow-actor"
    case setQuietHours = "set-quiet-hours"
    case clearQuietHours = "clear-quiet-hours"
    case autoWatchOn = "auto-watch-on"
    case autoWatchOff = "auto-watch-off"
    case remindersOn = "reminders-on"
    case remindersOff = "reminders-off"
    case dueRemindersOn = "due-reminders-on"
    case dueRemindersOff = "due-reminders-off"
    case dueLead = "due-lead"
    case chooseKinds = "choose-kinds"
    case tapWatch = "tap-watch"
    case tapDismiss = "tap-dismiss"
    case undismiss
    case markRead = "mark-read"
    case settle
    case remindLater = "remind-later"
    case signal
    case settleSignal = "settle-signal"
    case muteProgram = "mute-program"
    case unmuteProgram = "unmute-program"
    case revokeProgram = "revoke-program"
    case completeDuty = "complete-duty"
    case skipDuty = "skip-duty"
    case giveDuty = "give-duty"
    case joinDuty = "join-duty"
    case leaveDuty = "leave-duty"
    case stopDuty = "stop-duty"
    case editDuty = "edit-duty"
    case addDutyMember = "add-duty-member"
    case removeDutyMember = "remove-duty-member"
    case muteDuty = "mute-duty"
    case unmuteDuty = "unmute-duty"
    case openApp = "open-app"
    case browseApp = "browse-app"
    case fuzzAPI = "fuzz-api"
    case refuseSignIn = "refuse-sign-in"
    case announce
    case sendTest = "send-test"
    case mirrorOn = "mirror-on"
    case mirrorOff = "mirror-off"
    case importWatches = "import-watches"
    case pullSubscription = "pull-subscription"
    case pushSubscription = "push-subscription"
    case sendAgain = "send-again"
    case signOut = "sign-out"
    case leaveService = "leave-service"
    case closeApp = "close-app"
    case killApp = "kill-app"
    case quitApp = "quit-app"
    case deviceClock = "device-clock"
    case deviceOffline = "device-offline"
    case deviceOnline = "device-online"
    case powerSavingOn = "power-saving-on"
    case powerSavingOff = "power-saving-off"
    case deviceReplace = "device-replace"
    case pushTokenChange = "push-token-change"
    case pairDevice = "pair-device"
    case removeDevice = "remove-device"
    case appRemove = "app-remove"
    case notificationsOff = "notifications-off"
    case notificationsOn = "notifications-on"
    case pushesOff = "pushes-off"
    case pushesOn = "pushes-on"
}

/// One concrete action: nothing about it is left to chance.
package enum Action: Sendable, Equatable {
    /// Something `by` does to an item that exists.
    case onItem(ItemAction, item: ItemReference, by: Username)
    case open(NewItem, by: Username)
    /// `by` comments on a commit of the project and mentions `user`, who gets a to-do without an item.
    case mentionOnCommit(user: Username, project: ProjectPath, by: Username)
    /// `by` gives a milestone of the project another last day, or none.
    case moveMilestone(String, due: CivilDate?, project: ProjectPath, by: Username)
    /// Something `by` does in GitLab's to-do list.
    case todo(TodoAction, by: Username)
    /// An administrator takes `user` out of the project, or lets them in again with their former role.
    case access(AccessChange, user: Username, project: ProjectPath)
    case token(TokenAction, by: Username)
    /// The operator of the notifier announces something to `person`.
    case announcement(to: Username)
    /// `by` registers with the notifier: token, devices and the watch list of the world, like those registered from the start.
    case register(by: Username)
    /// `by` adds the item to their watch list through the notifier's API.
    case watch(ItemReference, by: Username)
    /// `by` removes the item from their watch list through the notifier's API.
    case unwatch(ItemReference, by: Username)
    /// `by` chooses in the app what they want to be notified of.
    case app(AppAction, by: Username)
    /// The program of `person` says something, or `person` something about it in the app.
    case program(ProgramAction, of: Username)
    /// `by` does something about a duty, on that device; with nil on the one that they have in hand.
    case duty(DutyAction, String, by: Username, device: DeviceName?)
    /// Something happens to a device of `by`; with nil to all of them.
    case device(DeviceAction, by: Username, device: DeviceName?)

    /// Whether access to a project ended or began again.
    package enum AccessChange: Sendable, Equatable { case lost, regained }
}

extension Action {
    /// Whether the notifier alone keeps what comes of it: a backup from before knows nothing of it.
    var isKeptByNotifier: Bool {
        switch self {
        case .app(.browse, _), .app(.fuzzAPI, _), .app(.refuseSignIn, _), .app(.sendTest, _): false
        case .register, .watch, .unwatch, .app, .program, .token, .duty, .announcement: true
        case .device(let action, _, _):
            switch action {
            case .replace, .changePushToken, .pair, .remove, .removeApp, .pushes: true
            case .offline, .online, .powerSavingOn, .powerSavingOff, .notificationsOff, .notificationsOn, .openApp,
                .closeApp, .killApp, .quitApp, .clock:
                false
            }
        case .onItem, .open, .mentionOnCommit, .moveMilestone, .todo, .access: false
        }
    }

    /// Whose device keeps it while there is no network; nil for what needs one, and for what nobody chooses in the app.
    var queuedBy: Username? {
        switch self {
        case .watch(_, let person), .unwatch(_, let person): person
        case .app(let action, let person):
            switch action {
            case .mute, .unmute: person
            default: nil
            }
        case .duty(let action, _, let person, _): action == .join ? nil : person
        default: nil
        }
    }
}

/// What a person does to an issue or merge request.
package enum ItemAction: Sendable, Equatable {
    case comment(CommentText)
    /// A comment that asks GitLab to do all that at once; without a text it leaves nothing else.
    case quickActions([ItemAction], text: CommentText?)
    /// The person gets a to-do of their own: a quick action alone.
    case addTodo
    /// Answers the newest thread of the item.
    case reply(CommentText)
    case diffComment(CommentText)
    /// Gives a new text to the newest comment of that person on the item.
    case editComment(CommentText)
    /// Deletes the newest comment of that person on the item.
    case deleteComment
    /// An emoji on the newest comment of the item, or on the item when it has none.
    case react(emoji: String)
    /// Publishes that many draft comments at once; 1…500.
    case publishReview(count: Int)
    /// Resolves the oldest open thread.
    case resolveThread
    case approve, unapprove
    /// That many commits at once; 1…100.
    case push(commits: Int)
    case merge, close, reopen
    case pipeline(PipelineStatus)
    /// The newest pipeline, which has ended, runs again.
    case retryPipeline
    /// It is merged in that person's name once its pipeline succeeds; a push or a close takes that back.
    case setAutoMerge
    /// The target branch has moved: it cannot be merged before the next push.
    case conflict
    case assign(Username)
    case unassign(Username)
    case requestReview(Username)
    case removeReviewRequest(Username)
    /// A rule of the merge request asks for that person's approval (Enterprise Edition).
    case requireApproval(Username)
    case addLabel(String)
    /// A milestone that this begins has that last day.
    case setMilestone(String, due: CivilDate?)
    case clearMilestone
    /// The day by which an issue is due; nil for none.
    case setDueDate(CivilDate?)
    case changeTitle(String)
    case markDraft, markReady
    case confidentialOn, confidentialOff
    /// `number` is what it gets there; nil for the next one.
    case moveIssue(to: ProjectPath, number: Int64?)
    case deleteItem
    /// That many comments at once, all claiming to be `backdated` old; 1…500.
    case importBurst(count: Int, backdated: Duration)
}

/// The text of a comment.
package struct CommentText: Sendable, Equatable {
    /// As it is sent to GitLab, mentions included.
    package var body: String

    init(_ body: String) {
        self.body = body
    }

    /// The people the text mentions, each once, in order. Text in backticks does not count (GitLab facts §6.2).
    var mentions: [Username] { Mentions.find(in: body) }
}

/// An issue or merge request that is opened in the course of the story.
package struct NewItem: Sendable, Equatable {
    package var reference: ItemReference
    package var title: String
    package var assignees: [Username] = []
    /// Empty for issues.
    package var reviewers: [Username] = []
}

/// What a person does in GitLab's own to-do list; nil means all of their items.
package enum TodoAction: Sendable, Equatable {
    case done(ItemReference?)
    case snooze(ItemReference?, length: Duration)
    case undo(ItemReference?)
}

/// What happens to the GitLab token a person gave to the notifier, or to the account it is of.
package enum TokenAction: Sendable, Equatable {
    /// GitLab issues a new one, the old one dies, and the person does not tell the notifier.
    case rotate
    case revoke
    case expire
    /// The person gives the notifier a fresh token through its API.
    case replace
    /// An administrator blocks the account: whatever it asks for gets 403 (trap 22).
    case block
    case unblock
}

/// What a program that a person has let in says to them, and what they do about it in the app.
package enum ProgramAction: Sendable, Equatable {
    /// Under that name; without one it is said under one of its own, and cannot be referred to. The run that it belongs to has the same
    /// name unless another is given.
    case say(ProgramWord, name: String?, run: String?)
    /// What the program asks under that name is done: the button Done.
    case settle(name: String)
    /// The program says nothing for that long.
    case mute(length: Duration)
    case unmute
    /// The person shuts the program out, and what it has asked is over; when it next has something to say they let it in as another one.
    case revoke
}

/// What programs say.
package enum ProgramWord: String, Sendable, Hashable, CaseIterable {
    case approvalNeeded = "approval-needed"
    case runCompleted = "run-completed"
    case runFailed = "run-failed"
    /// Nobody waits any more for what was asked under the same name.
    case settled
}

/// What happens to a device.
package enum DeviceAction: Sendable, Equatable {
    case offline, online
    /// What may wait APNs keeps for it meanwhile, and the system starts no app in the background.
    case powerSavingOn, powerSavingOff
    /// The person sets up a new device of that name: the old token dies, a new one is registered.
    case replace
    /// The app on it gets another push token and keeps its session; nil for the environment that it has.
    case changePushToken(to: Device.Environment?)
    /// The device joins by the code that another device of the person shows.
    case pair
    /// The person removes the device on another one, or on itself when it is the only one.
    case remove
    /// The app is deleted; APNs learns it later (APNs facts §16, 14).
    case removeApp
    case notificationsOff, notificationsOn
    /// Whether the app there asks the notifier for pushes; without them it goes on fetching.
    case pushes(Bool)
    /// The person opens the app, which asks for news as long as it is in the foreground.
    case openApp(for: Duration)
    /// It leaves the foreground.
    case closeApp
    /// The system ends it where it stands.
    case killApp
    /// The person closes it for good: nothing starts it before they open it.
    case quitApp
    /// From then on its wall clock is that much ahead, or behind when it is negative.
    case clock(offset: Duration)
}

/// States of a pipeline that people hear about.
package enum PipelineStatus: String, Sendable, CaseIterable {
    case running, success, failed, canceled
}
