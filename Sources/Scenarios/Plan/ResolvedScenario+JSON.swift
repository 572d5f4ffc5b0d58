import Platform

extension ResolvedScenario {
    /// The plan as a scenario of its own, in which every entry happens once and says everything: its plan has the same
    /// steps under any seed.
    package var asScenario: Scenario {
        var resolved = scenario
        resolved.seed = seed
        resolved.timeline = steps.map(\.asEntry)
        return resolved
    }

    /// The text of `scenario.resolved.json`: a valid scenario file, the same bytes every time, with a newline at its end.
    package var json: String { asScenario.json }
}

extension Step {
    /// The timeline entry that says exactly this.
    package var asEntry: TimelineEntry {
        switch event {
        case .fault(let fault): TimelineEntry(id: fault.id, occurrence: .at(offset), event: .fault(fault))
        case .action(let action): TimelineEntry(occurrence: .at(offset), event: .action(ActionTemplate(action)))
        }
    }
}

extension Scenario {
    /// A scenario file that reads back as this scenario, with a newline at its end.
    package var json: String { ScenarioEncoder.scenario(self).text(indented: true) + "\n" }
}

extension ActionTemplate {
    /// The template that leaves no choice but this action.
    init(_ action: Action) {
        switch action {
        case .onItem(let change, let item, let person):
            self.init(change)
            on = .oneOf([item])
            by = .oneOf([person])
        case .open(let item, let person):
            self.init(kind: item.reference.kind == .issue ? .openIssue : .openMergeRequest, by: .oneOf([person]))
            on = .oneOf([item.reference])
            text = item.title
            assignees = item.assignees
            reviewers = item.reviewers
        case .mentionOnCommit(let user, let project, let person):
            self.init(kind: .mentionOnCommit, by: .oneOf([person]), user: .oneOf([user]), project: project)
        case .todo(let change, let person):
            self.init(change)
            by = .oneOf([person])
        case .access(let change, let user, let project):
            self.init(kind: change == .lost ? .loseAccess : .regainAccess, user: .oneOf([user]), project: project)
        case .token(let change, let person):
            self.init(kind: Self.kind(of: change), by: .oneOf([person]))
        case .register(let person):
            self.init(kind: .register, by: .oneOf([person]))
        case .watch(let item, let person):
            self.init(kind: .watch, by: .oneOf([person]), on: .oneOf([item]))
        case .unwatch(let item, let person):
            self.init(kind: .unwatch, by: .oneOf([person]), on: .oneOf([item]))
        case .app(let change, let person):
            self.init(change)
            by = .oneOf([person])
        case .device(let change, let person, let name):
            self.init(kind: Self.kind(of: change), by: .oneOf([person]), device: name)
        }
    }

    private static func kind(of change: TokenAction) -> ActionKind {
        switch change {
        case .rotate: .rotateToken
        case .revoke: .revokeToken
        case .expire: .expireToken
        case .replace: .replaceToken
        case .block: .blockAccount
        case .unblock: .unblockAccount
        }
    }

    private static func kind(of change: DeviceAction) -> ActionKind {
        switch change {
        case .offline: .deviceOffline
        case .online: .deviceOnline
        case .replace: .deviceReplace
        case .pair: .pairDevice
        case .remove: .removeDevice
        case .removeApp: .appRemove
        case .notificationsOff: .notificationsOff
        case .notificationsOn: .notificationsOn
        case .openApp: .openApp
        }
    }

    private init(_ change: AppAction) {
        switch change {
        case .mute(let item, let length): self.init(kind: .mute, on: .oneOf([item]), length: length)
        case .unmute(let item): self.init(kind: .unmute, on: .oneOf([item]))
        case .denyActor(let user): self.init(kind: .denyActor, user: .oneOf([user]))
        case .allowActor(let user): self.init(kind: .allowActor, user: .oneOf([user]))
        case .quietHours(let hours?): self.init(kind: .setQuietHours, quietHours: hours)
        case .quietHours(nil): self.init(kind: .clearQuietHours)
        case .autoWatch(let isOn): self.init(kind: isOn ? .autoWatchOn : .autoWatchOff)
        case .tapWatch(let item): self.init(kind: .tapWatch, on: .oneOf([item]))
        case .tapDismiss(let item): self.init(kind: .tapDismiss, on: .oneOf([item]))
        case .undismiss(let item): self.init(kind: .undismiss, on: .oneOf([item]))
        }
    }

    private init(_ change: TodoAction) {
        func selector(_ item: ItemReference?) -> ItemSelector? { item.map { .oneOf([$0]) } }
        switch change {
        case .done(let item): self.init(kind: .todoDone, on: selector(item))
        case .snooze(let item, let length): self.init(kind: .todoSnooze, on: selector(item), length: length)
        case .undo(let item): self.init(kind: .todoUndo, on: selector(item))
        }
    }

    private init(_ change: ItemAction) {
        switch change {
        case .comment(let text): self.init(kind: .comment, bodies: [text.body])
        case .reply(let text): self.init(kind: .reply, bodies: [text.body])
        case .diffComment(let text): self.init(kind: .diffComment, bodies: [text.body])
        case .editComment(let text): self.init(kind: .editComment, bodies: [text.body])
        case .deleteComment: self.init(kind: .deleteComment)
        case .react(let emoji): self.init(kind: .react, text: emoji)
        case .publishReview(let count): self.init(kind: .publishReview, count: count)
        case .resolveThread: self.init(kind: .resolveThread)
        case .approve: self.init(kind: .approve)
        case .unapprove: self.init(kind: .unapprove)
        case .push(let commits): self.init(kind: .push, count: commits)
        case .merge: self.init(kind: .merge)
        case .close: self.init(kind: .close)
        case .reopen: self.init(kind: .reopen)
        case .pipeline(let status): self.init(kind: .pipeline, status: status)
        case .retryPipeline: self.init(kind: .retryPipeline)
        case .setAutoMerge: self.init(kind: .setAutoMerge)
        case .conflict: self.init(kind: .conflict)
        case .assign(let user): self.init(kind: .assign, user: .oneOf([user]))
        case .unassign(let user): self.init(kind: .unassign, user: .oneOf([user]))
        case .requestReview(let user): self.init(kind: .requestReview, user: .oneOf([user]))
        case .removeReviewRequest(let user): self.init(kind: .removeReviewRequest, user: .oneOf([user]))
        case .addLabel(let label): self.init(kind: .addLabel, text: label)
        case .setMilestone(let milestone): self.init(kind: .setMilestone, text: milestone)
        case .changeTitle(let title): self.init(kind: .changeTitle, text: title)
        case .markDraft: self.init(kind: .markDraft)
        case .markReady: self.init(kind: .markReady)
        case .confidentialOn: self.init(kind: .confidentialOn)
        case .confidentialOff: self.init(kind: .confidentialOff)
        case .moveIssue(let project): self.init(kind: .moveIssue, project: project)
        case .deleteItem: self.init(kind: .deleteItem)
        case .importBurst(let count, let backdated):
            self.init(kind: .importBurst, count: count, length: backdated)
        }
    }
}
